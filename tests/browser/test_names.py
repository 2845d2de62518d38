"""Names of buttons and parts, on every page that opens by its address."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import violations
from tests.browser.servers import Served

RULES = ("label-content-name-mismatch", "landmark-unique")
"""Rules that axe does not run by itself, or does not call serious: who says what they see must be understood."""

MODES = [f"/?mode={mode}" for mode in ("battle", "compare", "consortium", "team", "chat")]


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_seen_is_part_of_a_buttons_name(demo: Served, new_page: NewPage, width: int) -> None:
    page = new_page("about:blank")
    page.set_viewport_size({"width": width, "height": 900})
    for path in (*MODES, "/votes", "/models"):
        page.goto(demo.url + path)
        if "mode=" in path:
            expect(page.get_by_role("textbox", name="Message")).to_be_visible()
        else:
            expect(page.get_by_role("heading").first).to_be_visible()
        found = violations(page, RULES)
        assert not found, (path, [(item["id"], [node["html"] for node in item["nodes"]]) for item in found])
