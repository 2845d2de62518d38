"""Sessions for every day: search in answers, tags, several at once."""

import re
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served, get, post, serve
from tests.browser.test_battle import ask
from tests.browser.test_growing_frame import chat
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley of this file's own, since its sessions are deleted."""
    with serve(tmp_path_factory.mktemp("sessions") / "data") as served:
        yield served


def talk(served: Served, *questions: str) -> None:
    """Let a demo model answer each of these in a session of its own."""
    for question in questions:
        post(
            served, "/api/sessions", {"prompt": question, "mode": "chat", "seats": {"assistant": "demo-ada"}}
        )


MARKED = """[...(CSS.highlights.get("found") ?? [])].map((range) => ({
    text: range.toString(), top: range.getBoundingClientRect().top }))"""
"""What is marked on the page as found."""


IN_SIGHT = f"""() => new Promise(async (settled) => {{
  const frame = () => new Promise(requestAnimationFrame);
  let place, since = 0;
  // In sight, and for a while: what is above it may still be laid out.
  for (let turn = 0; turn < 600 && since < 20; turn += 1) {{
    const now = {MARKED}.map(({{ top }}) => Math.round(top));
    const seen = now.some((top) => 80 <= top && top < 800);
    since = seen && String(now) === String(place) ? since + 1 : 0;
    place = now;
    await frame();
  }}
  settled(since === 20);
}})"""
"""What is marked is in the window, and stays where it is."""


def wait_for_marks(page: Page, *, none: bool = False) -> None:
    """Wait until something is marked, or nothing any more."""
    page.wait_for_function(f"none => ({MARKED}.length === 0) === none", arg=none)


def words_of_an_answer(page: Page) -> str:
    """Return three words in a row that the first answer of the open session says."""
    path = page.evaluate("location.pathname").replace("/s/", "/api/sessions/")
    view = page.request.get(f"{page.evaluate('location.origin')}{path}").json()
    text = view["matches"][0]["turns"][0]["replies"][0]["text"]
    found = re.search(r"[a-z]{4,} [a-z]{4,} [a-z]{3,}", text)
    assert found is not None, text
    return found[0]


def test_a_search_or_the_palette_finds_an_answer_and_opens_the_session_there(
    own: Served, new_page: NewPage
) -> None:
    page = new_page(own.url)
    chat(page, own.url, "Why is the sky blue?")
    said = words_of_an_answer(page)
    for question in ("And what about the moon?", "And the stars?", "And the sun?"):
        ask(page, question)
        expect(page.get_by_label("Metrics").nth(0)).to_be_visible(timeout=40_000)
        expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=40_000)
    sidebar = page.get_by_role("complementary", name="Sessions")
    page.get_by_label("Search sessions").fill(said)
    expect(sidebar.locator("mark").first).to_have_text(said)
    check_screen(page, "search")
    sidebar.get_by_role("link", name="Why is the sky blue?").first.click()
    page.wait_for_url(re.compile("#[0-9a-f]{32}$"))
    turn = page.evaluate("location.hash.slice(1)")
    expect(page.locator(f"[data-turn='{turn}']")).to_be_in_viewport()
    wait_for_marks(page)
    marked = page.evaluate(MARKED)
    assert {" ".join(each["text"].split()).lower() for each in marked} == {said}
    assert any(0 <= each["top"] < 900 for each in marked), marked
    page.reload()
    wait_for_marks(page)
    sidebar.get_by_role("link", name="Parley").click()
    wait_for_marks(page, none=True)
    page.get_by_label("Search sessions").fill("why is the sky")
    sidebar.get_by_role("link", name="Why is the sky blue?").first.click()
    wait_for_marks(page)
    assert {each["text"].lower() for each in page.evaluate(MARKED)} == {"why is the sky"}

    page.goto(own.url)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill(said)
    found = page.get_by_role("option", name="Why is the sky blue?")
    expect(found).to_be_visible()
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    found.click()
    page.wait_for_url(re.compile("#[0-9a-f]{32}$"))
    wait_for_marks(page)
    page.goto(own.url)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").press_sequentially("sky")
    expect(page.get_by_role("option").first).to_contain_text("Why is the sky blue?")
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    page.wait_for_url("**/s/**")


def test_sessions_are_tagged_and_filtered_by_tag(own: Served, new_page: NewPage) -> None:
    page = new_page(own.url)
    talk(own, "Plan the garden", "Read the accounts")
    page.reload()
    sidebar = page.get_by_role("complementary", name="Sessions")
    sidebar.get_by_role("button", name="More actions for Plan the garden").click()
    page.get_by_role("menuitem", name="Edit tags").click()
    dialog = page.get_by_role("dialog", name="Tags")
    for tag in ("Home", "spring  work"):
        dialog.get_by_label("New tag").fill(tag)
        page.keyboard.press("Enter")
    expect(dialog.get_by_role("listitem")).to_have_text(["home", "spring work"])
    check_screen(page, "tags")
    dialog.get_by_role("button", name="Remove tag spring work").click()
    expect(dialog.get_by_role("listitem")).to_have_text(["home"])
    dialog.get_by_role("button", name="Done").click()
    sidebar.get_by_role("button", name="Filter sessions: all").click()
    page.get_by_role("menuitemradio", name="home").click()
    expect(sidebar.get_by_role("link", name="Plan the garden")).to_be_visible()
    expect(sidebar.get_by_role("link", name="Read the accounts")).to_have_count(0)
    sidebar.get_by_role("button", name="More actions for Plan the garden").click()
    page.get_by_role("menuitem", name="Archive").click()
    expect(page.get_by_text("“Plan the garden” archived")).to_be_visible()
    expect(sidebar.get_by_role("link", name="Plan the garden")).to_be_visible()
    sidebar.get_by_role("button", name="Filter sessions: home").click()
    page.get_by_role("menuitemradio", name="All tags").click()
    expect(sidebar.get_by_role("link", name="Read the accounts")).to_be_visible()
    expect(sidebar.get_by_role("link", name="Plan the garden")).to_have_count(0)


def test_several_sessions_are_tagged_archived_and_deleted_at_once(own: Served, new_page: NewPage) -> None:
    page = new_page(own.url)
    talk(own, "Together one", "Together two")
    page.reload()
    sidebar = page.get_by_role("complementary", name="Sessions")

    def select_both() -> None:
        sidebar.get_by_role("button", name="Filter sessions: all").click()
        page.get_by_role("menuitem", name="Select sessions").click()
        for number in ("one", "two"):
            sidebar.get_by_role("checkbox", name=f"Together {number}").check()
        expect(sidebar.get_by_text("2 selected")).to_be_visible()

    links = sidebar.get_by_role("link", name=re.compile("^Together"))
    select_both()
    check_screen(page, "selected")
    sidebar.get_by_role("button", name="Edit tags of selected sessions").click()
    page.get_by_label("New tag").fill("both")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Done").click()
    expect(sidebar.get_by_text("both", exact=True)).to_have_count(2)
    for action, said in (("Archive", "Archived 2 sessions."), ("Delete", "Deleted 2 sessions.")):
        select_both()
        sidebar.get_by_role("button", name=f"{action} selected sessions").click()
        expect(page.get_by_text(said)).to_be_visible()
        expect(links).to_have_count(0)
        page.get_by_role("button", name="Undo").last.click()
        expect(links).to_have_count(2)


def test_a_session_is_exported_as_a_web_page_and_its_json_imported_again(
    own: Served, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(own.url)
    chat(page, own.url, "Keep this one")
    sidebar = page.get_by_role("complementary", name="Sessions")

    def export(kind: str) -> Path:
        sidebar.get_by_role("button", name="More actions for Keep this one").click()
        page.get_by_role("menuitem", name="Export").click()
        dialog = page.get_by_role("dialog", name="Export 1 session")
        dialog.get_by_role("radio", name=kind).check()
        check_screen(page, "export")
        with page.expect_download() as download:
            dialog.get_by_role("button", name="Export", exact=True).click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    web = export("Web page")
    assert web.name == "keep-this-one.html"
    saved = export("JSON")
    alone = page.context.new_page()
    alone.context.set_offline(True)
    alone.goto(web.as_uri())
    expect(alone.get_by_role("heading", name="Keep this one")).to_be_visible()
    check_screen(alone, "web page")
    alone.context.set_offline(False)
    alone.close()
    page.goto(f"{own.url}/settings#data")
    page.locator("input[type=file]").set_input_files(saved)
    expect(page.get_by_text("Imported 0 sessions. 1 already here.")).to_be_visible()
    messages = [{"role": "user", "content": "Asked elsewhere"}, {"role": "assistant", "content": "Answered."}]
    other = tmp_path / "other.json"
    other.write_bytes(msgspec.json.encode([{"messages": messages}, {"title": "Odd"}]))
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_text("Imported 1 session. 1 skipped:")).to_be_visible()
    expect(page.get_by_text("Conversation 2 “Odd”: it is not a conversation")).to_be_visible()
    check_screen(page, "imported")
    sidebar.get_by_role("link", name="Asked elsewhere").click()
    expect(page.get_by_text("Answered.")).to_be_visible()
    ask(page, "Go on, please")
    expect(page.get_by_label("Metrics").last).to_be_visible(timeout=40_000)
    expect(page.get_by_text("Answered.")).to_be_visible()


@pytest.mark.slow
def test_what_was_found_is_marked_and_in_sight_however_long_the_answer_is(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    filler = "\n\n".join(
        f"Paragraph {number}. " + "Nothing of note is said here. " * 12 for number in range(40)
    )
    end = "Die **Straße** nach [İstanbul](https://city.example) is the *long* way.\n\n```python\nprint(total)\n```\n\n"
    for _ in range(4):
        upstream.reply(f"{filler}\n\n{end}{filler}")
    page = new_page("about:blank")
    sidebar = page.get_by_role("complementary", name="Sessions")
    for mode, *finds in (
        ("chat", ("strasse nach istanbul", "Straße nach İstanbul"), ("print(total)", "print(total)")),
        ("compare", ("the long way", "the long way")),
    ):
        page.goto(f"{connected.url}/?mode={mode}")
        ask(page, f"Which way to {mode}?")
        expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=40_000)
        ask(page, "And back?")
        expect(page.get_by_text("Straße").nth(1)).to_be_attached(timeout=40_000)
        expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=40_000)
        for search, marked in finds:
            page.goto(f"{connected.url}/leaderboard/overall")
            page.get_by_label("Search sessions").fill(search)
            expect(sidebar.locator("mark").first).to_have_text(marked)
            sidebar.get_by_role("link", name=f"Which way to {mode}?").click()
            wait_for_marks(page)
            page.wait_for_function(IN_SIGHT)
            found = page.evaluate(MARKED)
            assert {" ".join(each["text"].replace("\n", "").split()) for each in found} == {marked}


def test_the_keyboard_keeps_its_place_in_the_list(own: Served, new_page: NewPage) -> None:
    page = new_page(own.url)
    talk(own, "Kept one", "Kept two", "Kept three")
    page.goto(f"{own.url}/leaderboard/overall")
    sidebar = page.get_by_role("complementary", name="Sessions")
    expect(sidebar.get_by_role("link", name="Kept one")).to_be_visible()

    def choose(session: str, action: str) -> None:
        sidebar.get_by_role("button", name=f"More actions for {session}").focus()
        page.keyboard.press("Enter")
        page.get_by_role("menuitem", name=action, exact=True).focus()
        page.keyboard.press("Enter")

    choose("Kept three", "Archive")
    expect(sidebar.get_by_role("link", name="Kept two")).to_be_focused()
    choose("Kept two", "Select")
    expect(sidebar.get_by_role("checkbox", name="Kept two")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sidebar.get_by_role("link", name="Kept two")).to_be_focused()
    expect(sidebar.get_by_role("checkbox")).to_have_count(0)
    choose("Kept two", "Delete")
    expect(sidebar.get_by_role("link", name="Kept one")).to_be_focused()
    choose("Kept one", "Select")
    expect(sidebar.get_by_role("checkbox", name="Kept one")).to_be_checked()
    sidebar.get_by_role("button", name="Stop selecting").focus()
    page.keyboard.press("Enter")
    expect(sidebar.get_by_role("link").and_(page.locator(":focus"))).to_have_count(1)


def test_every_filter_can_be_reached_in_a_low_window(own: Served, new_page: NewPage) -> None:
    page = new_page(own.url)
    page.set_viewport_size({"width": 1200, "height": 420})
    talk(own, "Filtered")
    card = get(own, "/api/sessions?search=Filtered")["sessions"][0]
    post(own, f"/api/sessions/{card['id']}", {"tags": [f"tag {number}" for number in range(15)]}, "PATCH")
    page.reload()
    sidebar = page.get_by_role("complementary", name="Sessions")
    expect(sidebar.get_by_role("link", name="Filtered")).to_be_visible()
    sidebar.get_by_role("button", name="Filter sessions: all").click()
    last = page.get_by_role("menuitemradio").last
    expect(last).to_be_attached()
    box = page.get_by_role("menu").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 420
    last.hover()
    expect(last).to_be_in_viewport()
