"""Limits in a browser: one is added and raised, a question beyond it is refused, the composer says what is left."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, serve


@pytest.fixture
def parley(tmp_path: Path) -> Generator[Served]:
    with serve(tmp_path / "data") as served:
        yield served


def test_a_limit_stops_questions_until_it_is_raised(parley: Served, new_page: NewPage) -> None:
    page = new_page(f"{parley.url}/settings#limits")
    page.get_by_role("button", name="Add limit").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("In", exact=True).select_option("requests")
    dialog.get_by_label("Limit in requests").fill("0")
    check_accessible(page)
    dialog.get_by_role("button", name="Add limit").click()
    table = page.get_by_role("table", name="Limits")
    expect(table.get_by_text("requests, a month")).to_be_visible()
    expect(table.get_by_text("none")).to_be_visible()

    page.goto(f"{parley.url}/?mode=chat")
    expect(page.get_by_text("Nothing left this month.")).to_be_visible()
    page.get_by_label("Message").fill("Why is the sky blue?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("has used up its 0 requests of this month").first).to_be_visible()

    page.goto(f"{parley.url}/settings#limits")
    page.get_by_role("button", name="Actions for This installation").click()
    page.get_by_role("menuitem", name="Raise for a while").click()
    page.get_by_label("By, in requests").fill("10")
    page.get_by_role("button", name="Raise limit").click()
    expect(table.get_by_text("+ 10 until")).to_be_visible()
    check_at_every_size(page, "limits", table)
    page.get_by_role("button", name="Actions for This installation").click()
    page.get_by_role("menuitem", name="Remove limit").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove limit").click()
    expect(page.get_by_text("No limits yet")).to_be_visible()
