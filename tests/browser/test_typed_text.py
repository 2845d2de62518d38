"""Typed text in a real browser: a dialog asks before it is lost."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_accessible
from tests.browser.servers import Served


def test_a_dialog_asks_once_before_typed_text_is_lost(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/models")
    page.get_by_role("button", name="Add provider").first.click()
    page.get_by_role("button", name="OpenAI", exact=True).click()
    key = page.get_by_label("API key")
    key.fill("sk-1")
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Discard what you typed?")
    expect(question).to_be_visible()
    check_accessible(page)
    question.get_by_role("button", name="Keep editing").click()
    expect(key).to_have_value("sk-1")
    expect(key).to_be_focused()
    page.mouse.click(5, 5)
    question.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # A dialog in which nothing was typed closes at once.
    page.get_by_role("button", name="Add provider").first.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
