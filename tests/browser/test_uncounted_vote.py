"""A vote that is not counted, in a real browser: the page says so, and why."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream


def test_the_page_says_in_plain_words_why_a_vote_is_not_counted(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Hello! I am Canary Alpha.", model="up-alpha")
    upstream.reply("Hello.", model="up-beta")
    page = new_page(connected.url)
    ask(page, "Who are you?")
    page.get_by_role("button", name="A is better").click(timeout=30_000)

    verdict = page.get_by_role("region", name="Result")
    why = "Saved, but not counted in the ratings: an answer names its model or maker"
    expect(verdict).to_contain_text(why)
    expect(page.get_by_role("main")).to_contain_text("1500 → 1500")
    page.reload()
    expect(verdict).to_contain_text(why)

    ask(page, "And now?")
    expect(page.get_by_role("button", name="Both are bad")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Not counted in the ratings.")).to_be_visible()
