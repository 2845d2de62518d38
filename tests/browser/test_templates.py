"""Prompt templates in a real browser: saved from a draft, inserted by a slash, edited, deleted and brought back."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.fakes.upstream import ScriptedUpstream


def message(page: Page):
    return page.get_by_role("textbox", name="Message")


def save(page: Page, name: str) -> None:
    page.get_by_role("button", name="Prompt templates").click()
    page.get_by_role("button", name="Save this prompt as a template").click()
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Insert “{name}”")).to_be_visible()
    page.keyboard.press("Escape")


def test_a_prompt_is_kept_inserted_by_a_slash_edited_deleted_and_brought_back(
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
    page.get_by_role("button", name="Prompt templates").click()
    page.get_by_role("button", name="Insert “Haiku”").click()
    expect(message(page)).to_have_value("Review this as {{role}}\n\nWrite a haiku")

    # What begins with a slash and means no template is a message like any other.
    message(page).fill("")
    message(page).press_sequentially("/etc/hosts?")
    message(page).press("Enter")
    expect(page.get_by_role("article", name="Canary Alpha’s answer")).to_contain_text("Fine.", timeout=15_000)
    assert upstream.chats[-1].json["messages"][-1]["content"] == "/etc/hosts?"

    page.goto(f"{connected.url}/?mode=battle")
    message(page).fill("")
    message(page).press_sequentially("/")
    item = page.get_by_role("button", name="Insert “Haiku”")
    expect(item).to_be_visible()
    message(page).press("Escape")
    expect(item).to_have_count(0)
    expect(message(page)).to_have_value("/")

    page.get_by_role("button", name="Prompt templates").click()
    page.get_by_role("button", name="Edit “Haiku”").click()
    page.get_by_role("textbox", name="Prompt", exact=True).fill("Write a sonnet")
    # A click beside it loses nothing.
    page.mouse.click(1200, 120)
    expect(page.get_by_role("textbox", name="Prompt", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Prompt templates").click()
    expect(page.get_by_role("textbox", name="Prompt", exact=True)).to_have_value("Write a sonnet")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Delete “Haiku”").click()
    expect(item).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Prompt templates").click()
    expect(item).to_contain_text("Write a sonnet")
    item.click()
    expect(message(page)).to_have_value("Write a sonnet")
