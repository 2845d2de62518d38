"""Plug-ins in a browser: one is refused by its line, added, drawn as a chart, and deleted with Undo."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, serve

VIEW = (Path(__file__).parents[2] / "examples" / "plug-ins" / "requests-by-day.yaml").read_text("utf-8")


@pytest.fixture
def parley(tmp_path: Path) -> Generator[Served]:
    with serve(tmp_path / "data") as served:
        yield served


def test_a_chart_is_refused_added_drawn_and_deleted(parley: Served, new_page: NewPage) -> None:
    page = new_page(f"{parley.url}/?mode=chat")
    page.get_by_label("Message").fill("Hello")
    page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/s/*")
    page.goto(f"{parley.url}/settings#plug-ins")
    section = page.get_by_role("region", name="Plug-ins")
    expect(section.get_by_text("No plug-ins yet")).to_be_visible()
    section.get_by_role("button", name="How to write one").click()
    expect(page.get_by_role("heading", name="A word list")).to_be_attached()
    check_accessible(page)
    page.keyboard.press("Escape")
    section.get_by_role("button", name="Add plug-in").click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("YAML", exact=True)
    text.fill(VIEW.replace("height: 220", "data: {url: /api/me}"))
    dialog.get_by_role("button", name="Add plug-in").click()
    expect(dialog.get_by_role("alert")).to_contain_text("view.spec: data: must not have data of its own")
    check_accessible(page)
    text.fill(VIEW)
    dialog.get_by_role("button", name="Add plug-in").click()
    expect(section.get_by_text("Chart in Analytics, Your month")).to_be_visible()
    check_at_every_size(page, "plug-ins", section.get_by_role("switch", name="Requests"))

    page.goto(f"{parley.url}/analytics?of=me")
    expect(page.get_by_role("img", name="Requests, drawn by a plug-in")).to_be_visible(timeout=40_000)
    check_accessible(page)

    page.goto(f"{parley.url}/settings#plug-ins")
    section.get_by_role("button", name="Delete Requests").click()
    expect(section.get_by_text("No plug-ins yet")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(section.get_by_role("switch", name="Requests")).to_be_visible()
