"""A picture of a battle to share, in a real browser: only after the vote, and drawn without asking anybody."""

import re
import struct
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

NAME = "Save a picture…"


def open_menu(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="More actions for your question").click()
    expect(page.get_by_role("menuitem", name="Copy link to this turn")).to_be_visible()


def test_a_voted_battle_is_saved_as_a_picture(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    upstream.reply("**Yes**, it is:\n\n- one\n- two")
    page = new_page(connected.url)
    ask(page, "Is water wet?")
    better = page.get_by_role("button", name="A is better")
    expect(better).to_be_enabled(timeout=30_000)
    open_menu(page)
    # Nothing before the vote: a picture has names.
    expect(page.get_by_role("menuitem", name=NAME)).to_have_count(0)
    page.keyboard.press("Escape")
    better.click()
    expect(page.get_by_role("region", name="Result")).to_contain_text("Vote saved.")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_menu(page)
    page.get_by_role("menuitem", name=NAME).click()
    dialog = page.get_by_role("dialog", name="Save a picture")
    preview = dialog.get_by_role("img")
    expect(preview).to_have_attribute("alt", re.compile(r"Is water wet\?.* was picked over .*Elo 1500"))
    check_screen(page, "picture")
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename == "blind-battle-is-water-wet.png"
    saved.value.save_as(tmp_path / "picture.png")
    content = (tmp_path / "picture.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    assert (width, height > 600) == (2400, True)
    assert all(url.startswith((connected.url, "blob:", "data:")) for url in asked)
