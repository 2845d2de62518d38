"""Taking a vote back, in a real browser: said before, offered for ten seconds, and said after."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

BEFORE = "You can undo for 10 seconds. An undone vote doesn’t count."


def vote(page: Page) -> None:
    page.get_by_role("button", name="A is better").click(timeout=30_000)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Vote saved.")


def test_a_vote_is_undone_and_stays_so_after_a_reload(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Yes.")
    page = new_page(connected.url)
    ask(page, "Is water wet?")
    expect(page.get_by_text(BEFORE)).to_be_visible(timeout=30_000)
    vote(page)
    verdict = page.get_by_role("region", name="Result")
    undo = verdict.get_by_role("button", name="Undo")
    expect(undo).to_contain_text(re.compile(r"\(([1-9]|10) s\)"))
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"\d → \d"))
    undo.click()
    said = "Vote withdrawn. It doesn’t count."
    expect(verdict).to_contain_text(said)
    expect(undo).to_be_hidden()
    # The models stay revealed, and nobody's Elo has moved.
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"(\d+) → \1"))
    page.reload()
    expect(verdict).to_contain_text(said)
    expect(undo).to_be_hidden()


def test_a_second_click_leads_nowhere_and_an_undo_that_comes_too_late_says_so(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Yes.")
    page = new_page("about:blank")
    page.clock.install()
    page.goto(connected.url)
    ask(page, "Is ice cold?")
    button = page.get_by_role("button", name="Both are bad")
    expect(button).to_be_visible(timeout=30_000)
    box = button.bounding_box()
    assert box
    where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.mouse.click(*where)
    expect(page.get_by_role("status").filter(has_text="Vote saved.").first).to_be_attached()
    page.clock.run_for(100)
    expect(page.get_by_role("region", name="Result")).to_contain_text("Vote saved.")
    # What stands where the ballot was takes no second click for a moment.
    page.clock.run_for(600)
    page.mouse.click(*where)
    page.clock.run_for(300)
    expect(page.get_by_role("radio", name="Battle")).to_be_checked()
    page.clock.run_for(2000)
    expect(page.get_by_role("button", name="Chat with").first).to_be_enabled()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    # After ten seconds none is offered.
    page.clock.run_for(9000)
    expect(undo).to_be_hidden()
    expect(page.get_by_role("region", name="Result")).not_to_contain_text("Vote saved.")
    page.clock.resume()

    late = {"title": "A vote can be undone for 10 seconds.", "status": 409, "code": "undo_too_late"}
    page.route("**/api/votes/*/withdraw", lambda route: route.fulfill(status=409, json=late))
    page.goto(connected.url)
    ask(page, "Is fire hot?")
    vote(page)
    undo.click()
    expect(page.get_by_text("A vote can be undone for 10 seconds.")).to_be_visible()
    expect(undo).to_be_hidden()
    expect(page.get_by_role("region", name="Result")).not_to_contain_text("withdrawn")


def test_undo_is_still_offered_after_a_reload(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Yes.")
    page = new_page(connected.url)
    ask(page, "Is glass hard?")
    page.get_by_role("button", name="Both are bad").click(timeout=30_000)
    verdict = page.get_by_role("region", name="Result")
    expect(verdict).to_contain_text("Vote saved.")
    page.reload()
    verdict.get_by_role("button", name="Undo").click()
    expect(verdict).to_contain_text("You withdrew your vote.")
    expect(verdict).not_to_contain_text("You voted")
