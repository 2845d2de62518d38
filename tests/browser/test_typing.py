"""What is typed is text: it reaches the composer and triggers no command, in a real browser."""

import re
import time

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

SENTENCE = "3 examples please, no longer"


def message(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def undecided(page: Page) -> None:
    """Expect the ballot to be open: nothing was voted."""
    expect(page.get_by_role("button", name="Both are bad")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("region", name="Result")).to_have_count(0)


def test_what_is_typed_after_sending_is_the_next_draft(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    for model in ("up-alpha", "up-beta"):
        upstream.reply("One two three four five six. ", "Seven.", model=model, hold_after=1)
    page = new_page(connected.url)
    message(page).click()
    page.keyboard.type("Which is it?")
    page.keyboard.press("Enter")
    # At once, while the answers stream, and once the ballot is open.
    page.keyboard.type("3 examples ")
    expect(page.get_by_role("region", name="Assistant A")).to_contain_text("One")
    page.keyboard.type("please, ")
    upstream.release()
    undecided(page)
    page.keyboard.type("no longer")
    undecided(page)
    expect(message(page)).to_have_value(SENTENCE)
    expect(message(page)).to_be_focused()
    assert "/s/" in page.url
    assert [chat.json["messages"][-1]["content"] for chat in upstream.chats] == ["Which is it?"] * 2


def test_after_a_click_on_send_the_cursor_is_in_the_composer(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    for model in ("up-alpha", "up-beta"):
        upstream.reply("One two three four five six. ", "Seven.", model=model, hold_after=1)
    page = new_page(connected.url)
    message(page).fill("Which is it?")
    # Two clicks are one: where Send was, there is Stop a moment later.
    page.get_by_role("button", name="Send", exact=True).dblclick()
    expect(page.get_by_role("region", name="Assistant A")).to_contain_text("One")
    page.keyboard.type(SENTENCE)
    expect(message(page)).to_have_value(SENTENCE)
    upstream.release()
    undecided(page)


def test_what_is_typed_where_the_focus_was_lost_reaches_the_composer(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    ask(page, "What is 5 + 6?")
    undecided(page)
    message(page).click()
    page.keyboard.type("a ")
    message(page).blur()
    page.keyboard.type("nil? / 3")
    expect(message(page)).to_have_value("a nil? / 3")
    page.get_by_role("group", name="Assistant A’s answer").click()
    page.keyboard.type("3 more")
    expect(message(page)).to_have_value("a nil? / 33 more")
    # Nor is a number a vote that begins a text where nothing was clicked that takes it.
    page.locator("body").click(position={"x": 900, "y": 60})
    page.keyboard.type("4 of")
    expect(message(page)).to_have_value("a nil? / 33 more4 of")
    undecided(page)


def test_tabs_keep_each_others_drafts(demo: Served, new_page: NewPage) -> None:
    first = new_page(f"{demo.url}/?mode=chat")
    ask(first, "What is 5 + 6?")
    expect(first.get_by_label("Metrics")).to_contain_text("First word", timeout=30_000)
    second = new_page(f"{demo.url}/?mode=chat")
    third = new_page(f"{demo.url}/?mode=chat")
    message(first).fill("Of the session")
    message(second).fill("Of the second tab")
    message(third).fill("Of the third tab")
    # Tabs are processes: one may write over what another stored a moment ago, which then stores it again.
    first.wait_for_function("() => JSON.stringify(localStorage).includes('Of the session')")
    for page, text in ((first, "session"), (second, "second tab"), (third, "third tab")):
        page.reload()
        expect(message(page)).to_have_value(f"Of the {text}")
    # The same session in another tab has the same draft, until it is sent.
    second.goto(first.url)
    expect(message(second)).to_have_value("Of the session")
    message(second).press("Enter")
    expect(message(first)).to_have_value("")
    third.reload()
    expect(message(third)).to_have_value("Of the third tab")


def session_of(address: str) -> str:
    """Return where the page asks for the session of its address."""
    return f"**/api/sessions/{address.rsplit('/', 1)[1]}"


def test_a_session_that_comes_late_leaves_what_is_in_use_alone(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    ask(page, "What is 8 + 8?")
    undecided(page)
    sidebar = page.get_by_role("complementary", name="Sessions")
    let_through = hold_back(page, session_of(page.url))
    page.reload()
    sidebar.get_by_role("button", name="Filter sessions: all").click()
    expect(page.get_by_role("menuitemradio", name="Chat")).to_be_visible()
    let_through()
    undecided(page)
    page.get_by_role("menuitemradio", name="Chat").click()
    expect(sidebar.get_by_role("button", name="Filter sessions: Chat")).to_be_visible()
    let_through = hold_back(page, session_of(page.url))
    page.reload()
    search = page.get_by_label("Search sessions")
    search.press_sequentially("what")
    let_through()
    undecided(page)
    expect(search).to_be_focused()
    page.keyboard.type(" is")
    expect(search).to_have_value("what is")
    expect(message(page)).to_have_value("")


def test_letters_typed_before_the_session_is_there_or_while_it_cannot_be_had_reach_its_composer(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    ask(page, "What is 7 + 8?")
    undecided(page)
    address = page.url
    page.goto(demo.url)
    let_through = hold_back(page, session_of(address))
    page.get_by_role("complementary").get_by_role("link", name="What is 7 + 8?").first.click()
    expect(page.get_by_text("Loading session")).to_be_attached()
    page.keyboard.type("3 shorter ones")
    let_through()
    expect(message(page)).to_have_value("3 shorter ones")
    expect(message(page)).to_be_focused()
    page.keyboard.type(", please")
    expect(message(page)).to_have_value("3 shorter ones, please")
    undecided(page)
    message(page).fill("")
    place = f"**/api/sessions/{address.rsplit('/', 1)[1]}"
    problem = {"title": "The database can't be used right now.", "status": 503, "code": "database_busy"}
    page.unroute_all()
    page.route(place, lambda route: route.fulfill(status=503, json=problem))
    page.reload()
    again = page.get_by_role("main").get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    page.keyboard.type("3 longer ones")
    page.unroute(place)
    again.click()
    expect(message(page)).to_have_value("3 longer ones")
    undecided(page)


def test_keys_act_as_shortcuts_once_something_else_was_used_and_none_is_lost(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    message(page).click()
    page.keyboard.type("l")
    expect(message(page)).to_have_value("l")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("l")
    page.wait_for_url("**/leaderboard/overall")
    page.goto(demo.url)
    message(page).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("l")
    page.wait_for_url("**/leaderboard/overall")
    page.goto(f"{demo.url}/?mode=chat")
    message(page).fill("")
    # No character is lost where the field goes before it arrives.
    expect(message(page)).to_be_focused()
    keyboard = page.context.new_cdp_session(page)
    key = {"key": "1", "code": "Digit1", "windowsVirtualKeyCode": 49}
    # A browser tells of a key first and then of its character; meanwhile the page may change.
    keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **key})
    page.evaluate("document.activeElement.blur()")
    keyboard.send("Input.dispatchKeyEvent", {"type": "char", "text": "1", **key})
    keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
    page.keyboard.type(". why?")
    expect(message(page)).to_have_value("1. why?")


def test_what_the_server_does_not_take_comes_back_before_what_was_typed_since(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    held: list[Route] = []
    page.route(
        "**/api/sessions", lambda route: held.append(route) if route.request.method == "POST" else None
    )
    message(page).click()
    page.keyboard.type("First question")
    page.keyboard.press("Enter")
    page.keyboard.type("and a second")
    expect(message(page)).to_have_value("and a second")
    held[0].fulfill(
        status=503,
        content_type="application/problem+json",
        body='{"title": "Busy.", "code": "busy", "status": 503}',
    )
    expect(message(page)).to_have_value("First question\nand a second")
    expect(page.get_by_role("alert")).to_contain_text("Busy.")
    page.reload()
    expect(message(page)).to_have_value("First question\nand a second")


def test_whoever_leaves_while_a_message_is_sent_is_not_fetched_back(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Yes.")
    page = new_page(connected.url)
    ask(page, "Is water wet?")
    undecided(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/turns", hold)
    with page.expect_request("**/turns"):
        ask(page, "And ice?")
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Leaderboard").click()
    expect(page).to_have_url(re.compile("/leaderboard/"))
    with page.expect_response("**/turns"):
        held[0].continue_()
    wait_for_chats(page, upstream, 4)
    page.evaluate("() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted)))")
    expect(page).to_have_url(re.compile("/leaderboard/"))
    assert upstream.chats[-1].body.count(b"And ice?") == 1


def wait_for_chats(page: Page, upstream: ScriptedUpstream, number: int) -> None:
    """Wait until models were asked so often, while the page goes on."""
    deadline = time.monotonic() + 20
    while len(upstream.chats) < number:
        assert time.monotonic() < deadline, len(upstream.chats)
        page.evaluate("() => new Promise(requestAnimationFrame)")


def test_a_question_that_is_sent_before_the_models_are_known_goes_once_they_are(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page("about:blank")
    held: list[Route] = []
    page.route("**/api/models", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.goto(f"{demo.url}/?mode=chat")
    message(page).fill("What is a p-value?")
    page.keyboard.press("Enter")
    expect(message(page)).to_have_value("What is a p-value?")
    for route in held:
        route.continue_()
    expect(page).to_have_url(re.compile("/s/"))
    expect(message(page)).to_have_value("")


# WebKit tells of a key that an input method took after the composition has ended, and only by its key code.
TAKEN_KEY = """(field, [key, composing]) => field.dispatchEvent(new KeyboardEvent("keydown",
    {key, code: key, bubbles: true, cancelable: true, isComposing: composing, keyCode: 229}))"""


def take(field: Locator, key: str) -> None:
    """Press a key that an input method takes, in both orders of events that browsers have."""
    for composing in (True, False):
        field.evaluate(TAKEN_KEY, [key, composing])


def test_a_key_that_an_input_method_takes_reaches_only_its_field(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/?mode=chat")
    message(page).fill("日本")
    take(message(page), "Enter")
    expect(message(page)).to_have_value("日本")
    message(page).press("Enter")
    expect(page.get_by_label("Metrics")).to_contain_text("First word", timeout=30_000)
    page.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    question = page.get_by_role("textbox", name="Question")
    question.fill("")
    expect(question).to_have_value("")
    question.fill("会議は")
    for key in ("Enter", "Escape"):
        take(question, key)
    expect(question).to_have_value("会議は")
    page.goto(f"{demo.url}/models")
    page.get_by_role("button", name="Add provider").first.click()
    search = page.get_by_role("searchbox", name="Choose a provider")
    for key in ("Enter", "Escape"):
        take(search, key)
    expect(page.get_by_role("dialog", name="Add provider")).to_be_visible()
    search.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_question_that_is_edited_beyond_the_limit_becomes_a_file(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/?mode=chat")
    message(page).fill("What is 5 + 6?")
    message(page).press("Enter")
    expect(page.get_by_label("Metrics")).to_contain_text("First word", timeout=30_000)
    page.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    form = page.get_by_role("form", name="Edit question")
    form.get_by_role("textbox").fill("word " * 8_000)
    expect(form.get_by_text("10,000 characters over the limit of 30,000")).to_be_visible()
    expect(form.get_by_role("button", name="Ask")).to_be_disabled()
    let_through = hold_back(page, "**/api/attachments?*")
    form.get_by_role("button", name="Attach as file").click()
    # What is typed while it is uploaded stays.
    form.get_by_role("textbox").press("Control+End")
    form.get_by_role("textbox").press_sequentially("Sum it up.")
    let_through()
    expect(form.get_by_text("Pasted text.txt")).to_be_visible()
    expect(form.get_by_role("textbox")).to_have_value("Sum it up.")
    form.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Pasted text.txt")).to_be_visible()
    expect(form).to_have_count(0)
