"""Answers that try to break the page, in a real browser. The campaign `hostile-answers` tries many more."""

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

PICTURE = '```mermaid\ngraph TD\na[Start]-->b[End]\nclick a href "javascript:alert(1)"\n```'
BROKEN_WORKER = """window.Worker = class {
  constructor() { setTimeout(() => this.onmessage({ data: "ready" })); }
  postMessage() {
    const block = { type: "element", tagName: "no element", properties: {}, children: [] };
    setTimeout(() => this.onmessage({ data: { kept: 0, blocks: [block], sizes: [1], math: false } }));
  }
  terminate() {}
};"""


def test_what_cannot_be_laid_out_stands_as_plain_text_live_and_after_a_reload(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    hostile = (
        (">" * 2_000 + " end", "nested too deeply"),
        ("- " * 1_200 + "end", "nested too deeply"),
        ("word " * 50_000 + "end", "longer than 200,000 characters"),
    )
    for text, _ in hostile:
        upstream.reply(text, model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")

    def note(turn: int) -> Locator:
        return page.get_by_role("region", name=f"Turn {turn}").get_by_role("note")

    for turn, (text, why) in enumerate(hostile, 1):
        ask(page, "Be evil")
        expect(note(turn)).to_contain_text(f"Shown as plain text: {why}", timeout=30_000)
        plain = page.get_by_role("region", name=f"Turn {turn}").locator(".plain-text").last
        assert "".join(str(plain.text_content()).split()) == "".join(text.split())
        expect(page.get_by_label("Metrics")).to_have_count(turn)
    page.reload()
    for turn, (_, why) in enumerate(hostile, 1):
        page.get_by_role("region", name=f"Turn {turn}").scroll_into_view_if_needed()
        expect(note(turn)).to_contain_text(why, timeout=30_000)
    expect(page.get_by_role("button", name="Copy the text")).to_have_count(len(hostile))
    page.get_by_role("textbox", name="Message").fill("And on")
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_enabled()


def test_a_fault_in_one_answer_leaves_the_page_and_its_text(
    connected: Served, upstream: ScriptedUpstream, browser: Browser
) -> None:
    upstream.reply("Some *words* of an answer.", model="up-alpha")
    page = browser.new_page()
    page.add_init_script(BROKEN_WORKER)
    page.goto(f"{connected.url}/?mode=chat")
    ask(page, "Hello")
    expect(_answer(page)).to_contain_text("Shown as plain text: can’t be rendered.", timeout=30_000)
    expect(_answer(page)).to_contain_text("Some *words* of an answer.")
    expect(page.get_by_role("textbox", name="Message")).to_be_visible()
    page.close()


def test_a_diagram_is_drawn_in_a_frame_that_may_do_nothing_else(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply(PICTURE, model="up-alpha")
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Draw it")
    picture = _answer(page).get_by_role("img", name="Diagram")
    expect(picture).to_be_visible(timeout=30_000)
    assert str(picture.get_attribute("src")).startswith("data:image/svg+xml")
    frame = page.locator("iframe")
    assert frame.get_attribute("sandbox") == "allow-scripts"
    assert page.frames[1].evaluate("origin") == "null"
    headers = page.request.get(f"{connected.url}/diagram.html").headers
    assert headers["content-security-policy"].startswith(
        "sandbox allow-scripts; default-src 'none'; script-src 'self'"
    )


def _answer(page: Page) -> Locator:
    return page.get_by_role("article", name="Canary Alpha’s answer")
