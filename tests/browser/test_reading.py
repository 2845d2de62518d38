"""Where an answer stands while it is written, once it is whole, and when its session is opened again."""

from collections import defaultdict
from statistics import median

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

LINES = [f"Line {number} of a long answer.\n\n" for number in range(60)]
MARKDOWN = (
    *("## A part\n\n", "Some words ", "and *more* of ", "them.\n\n", "- one\n", "- two\n  - three\n", "\n"),
    *("- [x] done\n\n", "```python\n", "print(1)\n", "```\n\n", "| a | b |\n|---|---|\n", "| 1 | 2 |\n\n"),
)
BOTH = ("up-alpha", "up-beta")


def long_answers(upstream: ScriptedUpstream) -> None:
    """Queue answers of which all but the last line comes at once, and that line when it is released."""
    for model in BOTH:
        upstream.reply("".join(LINES), "The very last line.", model=model, hold_after=1)


def text_of(page: Page, side: str) -> Locator:
    return page.get_by_role("group", name=f"Assistant {side}’s answer")


def begun(page: Page) -> Page:
    """Ask, and wait until both texts are shown at their ends; the pacing keeps the last words back."""
    ask(page, "A long one, please")
    for side in ("A", "B"):
        expect(text_of(page, side).get_by_text(LINES[-3].strip())).to_be_in_viewport()
    return page


def whole(page: Page) -> None:
    expect(page.get_by_role("button", name="Tie")).to_be_visible()


def test_a_whole_answer_can_be_read_from_its_beginning(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    long_answers(upstream)
    page = begun(new_page(connected.url))
    upstream.release()
    whole(page)
    for side in ("A", "B"):
        expect(text_of(page, side).get_by_text(LINES[0].strip())).to_be_in_viewport()


def test_whoever_could_read_along_stays_at_the_end(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    long_answers(upstream)
    page = begun(new_page(connected.url))
    page.evaluate("() => { const now = performance.now(); performance.now = () => now + 600_000; }")
    upstream.release()
    whole(page)
    for side in ("A", "B"):
        expect(text_of(page, side).get_by_text("The very last line.")).to_be_in_viewport()


def test_whoever_scrolls_stays_where_they_are_or_asked_to_be(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    long_answers(upstream)
    page = begun(new_page(connected.url))
    for side in ("A", "B"):
        text_of(page, side).hover()
        page.mouse.wheel(0, -600)
        jump = page.get_by_role("region", name=f"Assistant {side}").get_by_role(
            "button", name="Jump to latest"
        )
        expect(jump).to_be_visible()
        if side == "B":
            jump.click()
    place = text_of(page, "A").evaluate("element => element.scrollTop")
    assert place > 0
    upstream.release()
    whole(page)
    expect(text_of(page, "B").get_by_text("The very last line.")).to_be_in_viewport()
    assert text_of(page, "A").evaluate("element => element.scrollTop") == place


def test_a_chat_ends_and_is_opened_at_its_last_question(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("".join(LINES), model="up-alpha", times=1)
    upstream.reply("".join(LINES), "The very last line.", model="up-alpha", hold_after=1)
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "First?")
    metrics = page.get_by_label("Metrics")
    expect(metrics).to_have_count(1)
    ask(page, "Second?")
    last = page.get_by_role("region", name="Turn 2")
    expect(last.get_by_text(LINES[-3].strip())).to_be_in_viewport()
    upstream.release()
    expect(metrics).to_have_count(2)
    for _ in range(2):
        expect(last.get_by_text("Second?")).to_be_in_viewport()
        expect(last.get_by_text(LINES[0].strip())).to_be_in_viewport()
        page.reload()
        expect(metrics).to_have_count(2)


@pytest.mark.slow
def test_words_that_come_restyle_little_of_the_page(
    connected: Served, upstream: ScriptedUpstream, browser: Browser, new_page: NewPage
) -> None:
    # A single rule such as “body:has(…)” has every word restyle and lay out the whole page.
    for model in BOTH:
        upstream.reply(*MARKDOWN * 60, delay=0.05, model=model)
    page = new_page("about:blank")
    for mode in ("battle", "compare", "consortium"):
        page.goto(f"{connected.url}/?mode={mode}")
        ask(page, "A slow one, please")
        expect(page.locator(".writing table").nth(1)).to_be_attached()
        assert restyled(browser, page) < 0.1 * page.evaluate("document.querySelectorAll('*').length"), mode
        page.get_by_role("button", name="Stop", exact=True).click()


FRAMES = """() => new Promise(async painted => {
  for (let frame = 0; frame < 40; frame += 1) await new Promise(requestAnimationFrame)
  painted()
})"""


def restyled(browser: Browser, page: Page) -> float:
    """Return the median number of elements that are restyled at once in the next moments, as Chromium says."""
    found: list[int] = []
    while len(found) < 12:
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        page.evaluate(FRAMES)
        counts = defaultdict[tuple[int, int], list[int]](list)
        for event in msgspec.json.decode(browser.stop_tracing())["traceEvents"]:
            if event["name"] == "UpdateLayoutTree":
                counts[event["pid"], event["tid"]].append(event.get("args", {}).get("elementCount", 0))
        # Chromium draws pages of its own too, but none as often.
        found += max(counts.values(), key=len, default=[])
    return median(found)


IMPORT = """async (body) => {
  const headers = { "Content-Type": "application/octet-stream" };
  await fetch("/api/sessions/import?name=long.json", { method: "POST", headers, body });
}"""


def test_a_link_to_an_earlier_turn_of_a_long_session_opens_there(demo: Served, new_page: NewPage) -> None:
    messages: list[dict[str, str]] = []
    for turn in range(1, 41):
        messages.append({"role": "user", "content": f"Question {turn}?"})
        messages.append(
            {"role": "assistant", "content": f"Answer {turn}.\n\n" + "More of it, in words. " * 60}
        )
    page = new_page(demo.url)
    page.evaluate(IMPORT, msgspec.json.encode({"title": "Forty questions", "messages": messages}).decode())
    page.reload()
    page.get_by_role("complementary").get_by_role("link", name="Forty questions").click()
    page.wait_for_url("**/s/*")
    expect(page.get_by_role("region", name="Turn 40")).to_be_in_viewport()
    address = page.url
    for turn in (7, 23):
        linked = new_page(f"{address}#turn-{turn}")
        asked = linked.get_by_role("region", name=f"Turn {turn}", exact=True)
        expect(asked).to_be_in_viewport()
        linked.evaluate(FRAMES)
        box = asked.bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 200
