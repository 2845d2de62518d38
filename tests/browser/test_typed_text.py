"""Typed text in a real browser: a dialog asks before it is lost."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
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


def test_what_was_typed_waits_while_another_provider_is_looked_for(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/models")
    page.get_by_role("button", name="Add provider").first.click()
    page.get_by_role("button", name="OpenAI", exact=True).click()
    page.get_by_label("API key").fill("sk-1")
    page.get_by_role("button", name="All providers").click()
    expect(page.get_by_label("API key")).to_be_hidden()
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Discard what you typed?")
    question.get_by_role("button", name="Keep editing").click()
    page.get_by_role("button", name="OpenAI", exact=True).click()
    expect(page.get_by_label("API key")).to_have_value("sk-1")


def test_a_changed_model_is_not_closed_unasked(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/models")
    page.get_by_role("button", name="Ada (demo)", exact=True).click()
    panel = page.get_by_role("complementary", name="Ada (demo)")
    chance = panel.get_by_label("Chance of being drawn")
    chance.fill("3")
    page.keyboard.press("Escape")
    question = page.get_by_role("alertdialog", name="Discard what you typed?")
    question.get_by_role("button", name="Keep editing").click()
    expect(chance).to_have_value("3")
    expect(chance).to_be_focused()
    page.keyboard.press("Escape")
    question.get_by_role("button", name="Discard").click()
    expect(panel).to_have_count(0)


def test_a_search_in_a_list_is_closed_unasked(demo: Served, new_page: NewPage) -> None:
    page = new_page("about:blank")
    let_through = hold_back(page, re.compile(r"/assets/palette-[^/]*\.js"))
    page.goto(demo.url)
    message = page.get_by_role("textbox", name="Message")
    palette = page.get_by_role("dialog", name="Command palette")

    def look_into_it(field: Locator) -> None:
        expect(message).to_be_focused()
        page.keyboard.press("Control+k")
        field.press_sequentially("leader")
        page.keyboard.press("Escape")
        expect(palette).to_have_count(0)
        page.keyboard.type("a ")

    look_into_it(palette.get_by_role("searchbox"))
    let_through()
    look_into_it(palette.get_by_role("combobox"))
    expect(message).to_have_value("a a ")
