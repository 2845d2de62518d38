"""Checks of what a screen looks like: accessible, in both themes, and within the window."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page, expect

Theme = Literal["dark", "light"]

WIDTHS = (1440, 768, 390)
COLORS = ("color-contrast",)
"""The rules whose findings a theme can change; every other one looks at structure."""

NAMES = "label-content-name-mismatch"
"""A rule that axe does not run by itself: who speaks to a page says what stands on its buttons."""

SETTINGS = re.compile("^Settings(:|$)")
"""The button of a line-up's settings, which names what is set."""

IN_THEME = """theme => new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(() =>
  painted(document.documentElement.classList.contains("light") === (theme === "light")))))"""
"""The page has taken over the system's theme, and has been painted with it."""


def violations(page: Page, rules: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return axe's findings, of these rules or of all."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    chosen = {"runOnly": list(rules)} if rules else {"rules": {NAMES: {"enabled": True}}}
    options = {"resultTypes": ["violations"], **chosen}
    return page.evaluate("async options => (await axe.run(options)).violations", options)


def check_accessible(page: Page, screen: str = "", rules: Sequence[str] = ()) -> None:
    """No finding at all, once the page is there."""
    if not rules:
        page.wait_for_selector("h1", state="attached")
    found = [
        (item["id"], [node["html"][:200] for node in item["nodes"]][:3]) for item in violations(page, rules)
    ]
    assert not found, (screen, found)


def check_screen(page: Page, screen: str, rules: Sequence[str] = ()) -> None:
    """No finding at all, and nothing wider than the window."""
    check_accessible(page, screen, rules)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, (screen, overflow)


def set_theme(page: Page, theme: Theme) -> None:
    """Let the system have a theme, and wait until the page is painted with it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(IN_THEME, arg=theme)


def check_at_every_size(
    page: Page, screen: str, sign: Locator | None = None, widths: Sequence[int] = WIDTHS
) -> None:
    """Check a screen at each width and in both themes, in one visit; `sign` is in sight at each."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        if sign:
            expect(sign).to_be_visible()
        set_theme(page, "dark")
        check_screen(page, f"{screen} at {width}")
        set_theme(page, "light")
        check_screen(page, f"{screen} at {width}, light", COLORS)
