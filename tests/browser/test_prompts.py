"""Prompts in a real browser: saved from a draft, inserted by a slash, opened in the Prompt Lab."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.fakes.upstream import ScriptedUpstream


def message(page: Page):
    return page.get_by_role("textbox", name="Message")


def save(page: Page, name: str) -> None:
    page.get_by_role("button", name="Prompts").click()
    page.get_by_role("button", name="Save this prompt").click()
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Insert “{name}”")).to_be_visible()
    page.keyboard.press("Escape")


def test_a_prompt_is_saved_inserted_by_a_slash_and_opened_in_the_lab(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Fine.", model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    message(page).fill("Review {{code}} as {{role}}")
    save(page, "Review code")
    expect(message(page)).to_have_value("Review {{code}} as {{role}}")
    message(page).fill("Write a haiku")
    save(page, "Haiku")

    message(page).fill("")
    message(page).press_sequentially("/re")
    expect(page.get_by_role("button", name="Insert “Review code”")).to_be_visible()
    expect(page.get_by_role("button", name="Insert “Haiku”")).to_have_count(0)
    message(page).press("Enter")
    expect(message(page)).to_have_value("Review {{code}} as {{role}}")
    page.keyboard.type("this")  # over the first place to fill in
    expect(message(page)).to_have_value("Review this as {{role}}")
    assert upstream.chats == []

    # From the menu it comes after what was typed.
    page.get_by_role("button", name="Prompts").click()
    page.get_by_role("button", name="Insert “Haiku”").click()
    expect(message(page)).to_have_value("Review this as {{role}}\n\nWrite a haiku")

    # What begins with a slash and means no prompt is a message like any other.
    message(page).fill("")
    message(page).press_sequentially("/etc/hosts?")
    message(page).press("Enter")
    expect(page.get_by_role("article", name="Canary Alpha’s answer")).to_contain_text("Fine.")
    assert upstream.chats[-1].json["messages"][-1]["content"] == "/etc/hosts?"

    page.goto(f"{connected.url}/?mode=battle")
    message(page).fill("")
    message(page).press_sequentially("/")
    item = page.get_by_role("button", name="Insert “Haiku”")
    expect(item).to_be_visible()
    message(page).press("Escape")
    expect(item).to_have_count(0)
    expect(message(page)).to_have_value("/")

    page.get_by_role("button", name="Prompts").click()
    page.get_by_role("link", name="Open “Haiku” in the Prompt Lab").click()
    text = page.get_by_role("textbox", name="Text of message 1")
    expect(text).to_have_value("Write a haiku")
    text.fill("Write a sonnet")
    page.get_by_role("button", name="Save as v2").click()
    page.get_by_role("button", name="Save version").click()
    expect(page.get_by_text("Saved as v2.")).to_be_visible()
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("group", name="Difference")).to_contain_text("sonnet")
