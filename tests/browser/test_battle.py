"""A blind battle in a real browser, from the prompt to the reveal and beyond."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served
from tests.fakes.upstream import ScriptedUpstream

CANARIES = re.compile("canary", re.IGNORECASE)


def ask(page: Page, prompt: str) -> None:
    page.get_by_role("textbox", name="Message").fill(prompt)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_enabled()
    page.get_by_role("textbox", name="Message").press("Enter")


def answers(page: Page, side: str) -> str:
    return page.get_by_role("region", name=f"Assistant {side}").last.inner_text()


def test_a_stranger_judges_two_demo_models(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    expect(page.get_by_text("demo models").first).to_be_visible()
    ask(page, "What is 17% of 2,340, step by step?")
    expect(page.get_by_role("region", name="Assistant A")).to_be_visible()
    better = page.get_by_role("button", name="A is better")
    expect(better).to_be_visible(timeout=30_000)
    assert "397.8" in answers(page, "A") + answers(page, "B")
    assert "(demo)" not in page.get_by_role("main").inner_text()

    better.click()

    expect(page.get_by_role("region", name="Result")).to_contain_text("You voted for")
    expect(page.get_by_role("main")).to_contain_text("(demo)")
    # Others may have voted on these models before: only which way the ratings go is certain.
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Elo 1\d{3} → 1\d{3}\s*\+\d"))
    expect(page.get_by_role("main")).to_contain_text(re.compile(r"Elo 1\d{3} → 1\d{3}\s*−\d"))
    address = page.url
    ask(page, "Write a haiku about rate limits")
    expect(page.get_by_role("button", name="Both are bad")).to_be_visible(timeout=30_000)
    assert page.url.split("#")[0] == address.split("#")[0]


def test_each_side_hears_its_own_history_and_the_winner_goes_on_alone(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Alpha says one.", model="up-alpha")
    upstream.reply("Beta says two.", model="up-beta")
    page = new_page(connected.url)
    ask(page, "First?")
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    ask(page, "Second?")
    second = page.get_by_role("region", name="Turn 2")
    expect(second.get_by_role("region", name="Assistant A")).to_contain_text("says")
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    histories = {
        chat.json["model"]: [message["content"] for message in chat.json["messages"]]
        for chat in upstream.chats
        if len(chat.json["messages"]) > 1
    }
    assert histories == {
        "up-alpha": ["First?", "Alpha says one.", "Second?"],
        "up-beta": ["First?", "Beta says two.", "Second?"],
    }
    page.get_by_role("button", name="A is better").click()
    page.get_by_role("button", name="Chat with Canary Alpha").click()
    ask(page, "And now?")
    answer = page.get_by_role("article", name="Canary Alpha’s answer")
    expect(answer).to_contain_text("Alpha says one.")
    last = upstream.chats[-1].json
    assert last["model"] == "up-alpha"
    heard = [message["content"] for message in last["messages"]]
    assert heard == [*histories["up-alpha"], "Alpha says one.", "And now?"]


def test_a_reload_in_mid_stream_loses_nothing(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    words = [f"word{number} " for number in range(60)]
    for model in ("up-alpha", "up-beta"):
        upstream.reply(*words, model=model, delay=0.02)
    page = new_page(connected.url)
    ask(page, "Many words, please")
    expect(page.get_by_role("region", name="Assistant B")).to_contain_text("word3")
    page.reload()
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    for side in ("A", "B"):
        answer = page.get_by_role("region", name=f"Assistant {side}")
        expect(answer).to_contain_text("".join(words).strip())
    assert len(upstream.chats) == 2


def test_a_vote_with_a_reason_is_seen_in_another_tab_and_brings_both_panels_back(
    demo: Served, new_page: NewPage
) -> None:
    first = new_page(demo.url)
    ask(first, "What is 4 + 4?")
    expect(first.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    first.get_by_role("button", name="Focus Assistant B").click()
    expect(first.get_by_role("region", name="Assistant A")).to_have_count(0)

    second = new_page(first.url)
    second.get_by_role("button", name="Add a reason").click()
    reason = second.get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    reason.press_sequentially("It says where to look.")
    second.reload()
    # It is kept until the vote has it.
    expect(reason).to_have_value("It says where to look.")
    expect(reason).not_to_be_focused()
    second.get_by_role("button", name="Tie").click()
    expect(second.get_by_role("region", name="Result")).to_be_visible()
    expect(second.get_by_text("“It says where to look.”").first).to_be_visible()
    assert "where to look" not in second.evaluate("localStorage.getItem('parley.composer')")

    expect(first.get_by_role("region", name="Result")).to_be_visible()
    for side in ("A", "B"):
        expect(first.get_by_role("region", name=f"Assistant {side}")).to_be_visible()
    first.get_by_role("button", name="Focus Assistant A").click()
    expect(first.get_by_role("region", name="Assistant B")).to_have_count(0)


CHOICES = ("A is better", "Tie", "Both are bad", "B is better")


def hints(page: Page) -> list[str]:
    """Return the keys that the buttons of the ballot show."""
    ballot = page.get_by_role("region", name="Your vote")
    shown = [ballot.get_by_role("button", name=choice).locator(".ballot-key") for choice in CHOICES]
    return [" ".join(keys.all_inner_texts()) for keys in shown]


def test_the_ballot_shows_the_keys_that_vote_now_and_typing_never_does(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    ask(page, "What is 3 + 5?")
    ballot = page.get_by_role("region", name="Your vote")
    expect(ballot).to_be_visible(timeout=30_000)
    message = page.get_by_role("textbox", name="Message")
    expect(message).to_be_focused()
    assert hints(page) == ["Alt 1", "Alt 2", "Alt 3", "Alt 4"]
    # A number typed in the composer, or where the focus was lost, is text.
    page.keyboard.type("4")
    message.blur()
    page.keyboard.press("4")
    expect(message).to_have_value("44")
    # Outside of text a digit votes, unless it begins a text; and nothing votes while a dialog is open.
    page.get_by_role("group", name="Assistant A’s answer").click()
    expect(ballot.locator(".ballot-key").first).to_have_text("1")
    assert hints(page) == ["1", "2", "3", "4"]
    page.keyboard.type("3 more")
    expect(message).to_have_value("443 more")
    assert hints(page)[0] == "Alt 1"
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Alt+1")
    page.keyboard.press("Escape")
    page.wait_for_timeout(600)
    expect(page.get_by_role("region", name="Result")).to_have_count(0)
    page.keyboard.press("Shift+Tab")
    expect(ballot.locator(".ballot-key").first).to_have_text("1")
    page.keyboard.press("2")
    expect(page.get_by_role("region", name="Result")).to_contain_text("tie")


class Keyboard:
    """Presses keys as a keyboard of a layout does: the character and the position of a key are apart."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def press(self, key: str, code: str, virtual: int, *, alt: bool = False) -> None:
        text = {"text": key} if len(key) == 1 and not alt else {}
        event = {"key": key, "code": code, "windowsVirtualKeyCode": virtual, "modifiers": 1 if alt else 0}
        self._session.send("Input.dispatchKeyEvent", {"type": "keyDown", **event, **text})
        self._session.send("Input.dispatchKeyEvent", {"type": "keyUp", **event})


@pytest.mark.parametrize(
    ("one", "n"), [("1", "n"), ("1", "т"), ("&", "n")], ids=["Latin", "Russian", "French"]
)
def test_a_battle_by_keyboard_goes_by_the_position_of_keys_from_vote_to_vote(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage, one: str, n: str
) -> None:
    upstream.reply("Yes.")
    page = new_page(connected.url)
    keyboard = Keyboard(page)
    result = page.get_by_role("region", name="Result")
    next_battle = page.get_by_role("button", name="Next battle")
    tie = page.get_by_role("button", name="Tie")
    page.keyboard.type("Is water wet?")
    page.keyboard.press("Enter")
    expect(tie).to_be_visible(timeout=30_000)
    # While the message has the focus: with Alt.
    keyboard.press(one, "Digit1", 49, alt=True)
    expect(result).to_contain_text("You voted for")
    expect(next_battle).to_be_focused()
    assert next_battle.evaluate("button => button.matches(':focus-visible')")
    keyboard.press(n, "KeyN", 78)
    message = page.get_by_role("textbox", name="Message")
    expect(message).to_be_focused()
    expect(message).to_have_value("")
    page.keyboard.type("Is ice cold?")
    page.keyboard.press("Enter")
    expect(tie).to_be_visible(timeout=30_000)
    # Outside of it: the digit alone.
    page.keyboard.press("Shift+Tab")
    keyboard.press(one, "Digit1", 49)
    expect(result).to_contain_text("You voted for")
    expect(next_battle).to_be_focused()


class Watcher:
    """Keeps all that a page is sent and says, but for the list of models, which names everybody."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("console", lambda message: self.heard.append(message.text))
        page.on("requestfinished", self._keep)

    def _keep(self, request: Request) -> None:
        if "/api/" in request.url and not request.url.endswith(("/api/models", "/api/pool")):
            answer = request.response()
            assert answer is not None
            self.heard += [request.url, str(answer.all_headers()), answer.text()]


STORED = """async () => {
  const bases = []
  for (const { name } of await indexedDB.databases()) {
    const base = await new Promise((done) => { indexedDB.open(name).onsuccess = (e) => done(e.target.result) })
    for (const store of base.objectStoreNames) {
      const rows = base.transaction(store).objectStore(store).getAll()
      bases.push(store, await new Promise((done) => { rows.onsuccess = () => done(rows.result) }))
    }
    base.close()
  }
  const cached = await caches.keys()
  return JSON.stringify([{...localStorage}, {...sessionStorage}, history.state, bases, cached, document.cookie, name])
}"""


def everything(page: Page) -> list[str]:
    """Return all that a page shows, tells assistive technology and keeps."""
    return [
        page.content(),
        page.locator("html").aria_snapshot(),
        page.title(),
        page.url,
        page.evaluate(STORED),
    ]


def api_answers(page: Page) -> list[str]:
    """Return what the server says of the open session to whoever asks it directly."""
    session = page.url.rsplit("/", 1)[1].split("#")[0]
    read = "async (path) => await (await fetch(path)).text()"
    return [page.evaluate(read, path) for path in (f"/api/sessions/{session}", "/api/sessions")]


@pytest.mark.parametrize("state", ["running", "completed", "stopped", "void"])
def test_the_whole_page_tells_nothing_before_the_vote_however_the_battle_goes(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage, state: str
) -> None:
    held = 1 if state in ("running", "stopped") else None
    if state == "void":
        for _ in range(2):  # the page draws a void battle again by itself, once
            upstream.fail(400, "canary-key was refused", model="up-alpha")
    for model in ("up-alpha", "up-beta"):
        upstream.reply(
            "One two three four. ", "`Five`.", reasoning=["A canary thinks."], hold_after=held, model=model
        )
        upstream.reply("A whole answer.", model=model)
    page = new_page(connected.url)
    watcher = Watcher(page)
    ask(page, "Who is there?")
    tie = page.get_by_role("button", name="Tie")
    if state == "completed":
        expect(tie).to_be_visible(timeout=30_000)
    elif state == "void":
        expect(page.get_by_role("button", name="Draw again")).to_be_visible(timeout=30_000)
    else:
        expect(page.get_by_role("region", name="Assistant A")).to_contain_text("One")
    if state == "stopped":
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(page.get_by_role("button", name="Retry")).to_be_visible()

    if state in ("stopped", "void"):
        expect(tie).to_have_count(0)
        expect(page.get_by_role("button", name="A is better")).to_have_count(0)
    for _ in range(2):
        for seen in (*everything(page), *watcher.heard, *api_answers(page)):
            found = CANARIES.search(seen)
            assert not found, seen[max(0, found.start() - 200) : found.end() + 50]
        page.reload()
        expect(page.get_by_text("Who is there?").first).to_be_visible()

    upstream.release()
    if state == "stopped":
        page.get_by_role("button", name="Retry").click()
    elif state == "void":
        page.get_by_role("button", name="Draw again").click()
    expect(tie).to_be_visible(timeout=30_000)
    if state == "stopped":
        expect(page.get_by_role("region", name="Assistant A")).to_contain_text(
            "A whole answer.", timeout=30_000
        )
        assert "One" not in answers(page, "B")
    tie.focus()
    page.keyboard.press("2")
    expect(page.get_by_role("region", name="Result")).to_contain_text("tie")
    for name in ("Canary Alpha", "Canary Beta"):
        expect(page.get_by_role("main")).to_contain_text(name)
    assert any(CANARIES.search(seen) for seen in everything(page)), "so the test can fail"
    sent = {chat.json["model"]: chat.json["messages"] for chat in upstream.chats}
    question = [{"role": "user", "content": "Who is there?"}]
    assert sent == dict.fromkeys(("up-alpha", "up-beta"), question)
