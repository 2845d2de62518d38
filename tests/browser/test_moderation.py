"""Moderation in a browser: a rule is written, a message is held, and once released it is sent."""

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible, check_at_every_size
from tests.browser.servers import Served, serve


@pytest.fixture
def parley(tmp_path: Path) -> Generator[Served]:
    with serve(tmp_path / "data", moderation="on") as served:
        yield served


def test_a_held_message_is_sent_once_it_is_released(parley: Served, new_page: NewPage) -> None:
    page = new_page(f"{parley.url}/settings#moderation")
    page.get_by_role("button", name="Add rule").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Passwords")
    dialog.get_by_label("Decided by").select_option("patterns")
    dialog.get_by_label("Patterns", exact=True).fill("hunter[0-9]+\n(open")
    dialog.get_by_role("radio", name="Hold").click()
    check_accessible(page)
    dialog.get_by_role("button", name="Add rule").click()
    expect(dialog.get_by_role("alert")).to_contain_text("line 2, character 1: unclosed group")
    dialog.get_by_label("Patterns", exact=True).fill("hunter[0-9]+")
    dialog.get_by_role("button", name="Add rule").click()
    expect(page.get_by_text("Holds prompts · 1 pattern")).to_be_visible()
    check_accessible(page)

    page.goto(f"{parley.url}/?mode=chat")
    page.get_by_label("Message").fill("My password is hunter2")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("held for review, so it was not sent").first).to_be_visible()
    check_accessible(page)
    session = page.url

    page.goto(f"{parley.url}/moderation")
    expect(page.get_by_role("blockquote")).to_have_text("My password is hunter2")
    check_at_every_size(page, "moderation", page.get_by_role("button", name="Release"))
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text("Nothing to review.")).to_be_visible()
    page.get_by_role("radio", name="Released").click()
    expect(page.get_by_role("blockquote")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()

    page.goto(session)
    page.get_by_role("button", name="Retry").first.click()
    expect(page.get_by_text("held for review").first).to_be_hidden()
