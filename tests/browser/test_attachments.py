"""Pictures and files of questions in a real browser: chosen, dropped, pasted, taken back, sent and opened."""

import base64
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.api.test_attachments import a_picture
from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
from tests.browser.screens import check_accessible
from tests.browser.servers import Served, serve
from tests.browser.test_battle import ask
from tests.fakes.running import ModelSpec, write_models
from tests.fakes.upstream import ScriptedUpstream, delta

SEES = ("text", "vision")
MODELS = (ModelSpec("ada", capabilities=SEES), ModelSpec("bob", capabilities=SEES), ModelSpec("cleo"))

THROW = """([kind, name, type, base64]) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], name, { type }));
    const given = { bubbles: true, cancelable: true };
    const target = document.querySelector("[data-composer]");
    target.dispatchEvent(kind === "paste"
        ? new ClipboardEvent("paste", { ...given, clipboardData: data })
        : new DragEvent(kind, { ...given, dataTransfer: data }));
}"""


@pytest.fixture
def studio(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A server with two models that can see, and one that cannot."""
    listed = write_models(tmp_path / "models.yaml", upstream.url, MODELS)
    with serve(tmp_path / "data", listed, attachment_max_mb=1) as served:
        yield served


def message(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def choose(page: Page, name: str, content: bytes) -> None:
    file: Any = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("form input[type=file]").set_input_files(file)


def throw(page: Page, kind: str, name: str, content: bytes) -> None:
    page.evaluate(THROW, [kind, name, "image/png", base64.b64encode(content).decode()])


def files(page: Page) -> Locator:
    return page.get_by_role("form", name="Composer").get_by_role("list", name="Attachments")


def test_a_picture_and_a_file_are_attached_sent_and_shown(
    studio: Served, new_page: NewPage, upstream: ScriptedUpstream
) -> None:
    page = new_page(f"{studio.url}/?mode=chat")
    expect(page.get_by_role("button", name="Attach files")).to_be_visible()
    throw(page, "dragover", "cat.png", b"")
    expect(page.get_by_text("Drop files to attach them")).to_be_visible()
    throw(page, "drop", "cat.png", a_picture((300, 200)))
    expect(page.get_by_text("Drop files to attach them")).to_have_count(0)
    expect(files(page)).to_contain_text("cat.png")
    choose(page, "prices.csv", b"item,price\n" * 40)
    expect(files(page)).to_contain_text(
        re.compile(r"cat\.png.*about 80 tokens.*prices\.csv.*about 110 tokens")
    )
    throw(page, "paste", "image.png", a_picture((30, 30)))
    expect(files(page).get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Remove image.png").press("Enter")
    expect(files(page).get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    check_accessible(page)
    page.reload()
    expect(files(page).get_by_role("listitem")).to_have_count(2)
    ask(page, "What is this?")
    turn = page.get_by_role("region", name="Turn 1")
    expect(turn.get_by_role("link", name="Download prices.csv")).to_be_visible()
    expect(files(page)).to_have_count(0)
    # The turn is shown before its model is asked.
    expect(turn.get_by_label("Metrics")).to_be_visible()
    parts = [part["type"] for part in upstream.chats[0].json["messages"][0]["content"]]
    assert parts == ["image_url", "text", "text"]
    with page.expect_download() as saved:
        turn.get_by_role("link", name="Download prices.csv").click()
    assert saved.value.suggested_filename == "prices.csv"
    with page.expect_popup() as opened:
        turn.get_by_role("link", name="Open picture cat.png").click()
    assert re.search(r"/api/attachments/[0-9a-f]{64}$", opened.value.url)
    opened.value.close()
    check_accessible(page)
    turn.get_by_role("button", name="More actions for your question").click()
    page.get_by_role("menuitem", name="Edit and ask again").click()
    # What is sent again with the question stays in sight while it is edited.
    editor = turn.get_by_role("form", name="Edit question")
    expect(editor.get_by_role("link", name="Open picture cat.png")).to_be_visible()
    upstream.reply("No picture.")
    editor.get_by_role("button", name="Remove cat.png").click()
    expect(editor.get_by_role("link", name="Open picture cat.png")).to_have_count(0)
    editor.get_by_role("button", name="Ask").click()
    expect(turn.get_by_text("No picture.")).to_be_visible()
    expect(turn.get_by_role("link", name="Open picture cat.png")).to_have_count(0)


def test_a_picture_that_a_model_makes_stands_in_its_place_and_the_text_after_it_does_not_jump(
    studio: Served, new_page: NewPage, upstream: ScriptedUpstream
) -> None:
    url = f"data:image/png;base64,{base64.b64encode(a_picture((300, 200))).decode()}"
    picture = delta(images=[{"type": "image_url", "image_url": {"url": url}}])
    upstream.stream(delta("Look:"), picture, delta("A cat."), delta(finish="stop"), "[DONE]")
    page = new_page(f"{studio.url}/?mode=chat")
    page.route("**/api/attachments/*", lambda _: None)  # it never arrives
    ask(page, "Draw a cat.")
    turn = page.get_by_role("region", name="Turn 1")
    shown = turn.get_by_role("list", name="Pictures and files").get_by_role("img")
    expect(turn.get_by_text("A cat.", exact=True)).to_be_visible()
    expect(shown).to_be_visible()

    def places() -> list[float]:
        boxes = [
            each.bounding_box()
            for each in (turn.get_by_text("Look:"), shown, turn.get_by_text("A cat.", exact=True))
        ]
        return [box["y"] + box["height"] for box in boxes if box]

    before = places()
    assert before == sorted(before)
    page.unroute("**/api/attachments/*")
    page.reload()
    expect(shown).to_have_js_property("naturalWidth", 300)
    expect(turn.get_by_text("Look:")).to_be_visible()
    expect(turn.get_by_text("A cat.", exact=True)).to_be_visible()
    after = places()
    assert [round(place - before[0]) for place in before] == [round(place - after[0]) for place in after]
    check_accessible(page)


def test_a_model_that_cannot_see_is_marked_before_anything_is_sent_or_asked_again(
    studio: Served, new_page: NewPage
) -> None:
    page = new_page(f"{studio.url}/?mode=compare")
    page.get_by_role("textbox", name="Message").fill("What is this?")
    choose(page, "cat.png", a_picture())
    expect(page.get_by_text("Cleo can’t read pictures. Remove the picture")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    expect(page.get_by_label("can’t read pictures", exact=True)).to_have_count(1)
    page.get_by_role("button", name="Remove cat.png").click()
    expect(page.get_by_role("button", name="Send")).to_be_enabled()

    page.goto(f"{studio.url}/?mode=chat")
    choose(page, "cat.png", a_picture())
    expect(files(page)).to_contain_text("about 1 token")
    ask(page, "What is this?")
    expect(page.get_by_label("Metrics")).to_be_visible()
    page.get_by_role("article").get_by_role("button", name=re.compile("^More actions")).click()
    page.get_by_role("menuitem", name="Answer with another model…").click()
    cleo = page.get_by_role("option", name=re.compile("Cleo"))
    expect(cleo).to_contain_text("Can’t read pictures")
    expect(cleo).to_be_disabled()
    expect(page.get_by_role("option", name=re.compile("Bob"))).to_be_enabled()


def test_files_that_are_longer_than_a_model_can_read_are_marked_but_can_be_sent(
    upstream: ScriptedUpstream, tmp_path: Path, new_page: NewPage
) -> None:
    specs = (ModelSpec("ada", context_window=200_000), ModelSpec("bob", context_window=8_000))
    listed = write_models(tmp_path / "models.yaml", upstream.url, specs)
    with serve(tmp_path / "data", listed) as served:
        page = new_page(f"{served.url}/?mode=compare")
        page.get_by_role("textbox", name="Message").fill("Sum it up.")
        choose(page, "long.txt", b"one word after another " * 5000)
        warning = page.get_by_text("The files may be too long: Bob reads at most 8k tokens.")
        expect(warning).to_be_visible()
        expect(page.get_by_role("button", name="Send")).to_be_enabled()
        page.get_by_role("button", name="Remove long.txt").click()
        expect(warning).to_have_count(0)


def test_what_cannot_be_attached_says_why_and_the_text_stays(studio: Served, new_page: NewPage) -> None:
    page = new_page(f"{studio.url}/?mode=chat")
    page.get_by_role("textbox", name="Message").fill("Read this")
    choose(page, "report.pdf", b"PK\x03\x04 this is a zip")
    expect(
        page.get_by_role("alert").filter(has_text="is a ZIP archive or an Office document that can")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_role("button", name="Remove report.pdf").click()
    choose(page, "long.txt", b"x" * (2 << 20))
    expect(page.get_by_text("long.txt has 2.1 MB. The limit is 1 MB.")).to_be_visible()
    page.get_by_role("button", name="Remove long.txt").click()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("Read this")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()


def test_an_upload_that_failed_is_retried_and_after_a_reload_to_be_attached_again(
    studio: Served, new_page: NewPage
) -> None:
    page = new_page(f"{studio.url}/?mode=chat")
    page.route("**/api/attachments?*", lambda route: route.abort())
    choose(page, "notes.txt", b"Some notes.")
    expect(page.get_by_role("alert").filter(has_text="Can’t reach Parley’s server.")).to_be_visible()
    page.unroute("**/api/attachments?*")
    page.get_by_role("button", name="Retry", exact=True).click()
    expect(page.get_by_text("Type a question to send with the files")).to_be_visible()
    choose(page, "copy.txt", b"Some notes.")
    expect(page.get_by_text("copy.txt has the same content as notes.txt")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill("Read this")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    page.get_by_role("button", name="Remove notes.txt").click()

    page.route("**/api/attachments?*", lambda route: route.abort())
    choose(page, "later.txt", b"Some more notes.")
    choose(page, "large.txt", b"x" * 2_000_000)
    expect(page.get_by_role("alert").filter(has_text="Can’t reach Parley’s server.")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="the limit is 1 MB")).to_be_visible()
    page.reload()
    gone = page.get_by_role("alert").filter(
        has_text="later.txt was not uploaded before the page was reloaded."
    )
    expect(gone).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="the limit is 1 MB")).to_be_visible()
    page.get_by_role("button", name="Remove later.txt").click()
    expect(gone).to_have_count(0)


def test_a_battle_about_a_picture_is_between_models_that_see_and_drawn_again_with_it(
    studio: Served, new_page: NewPage, upstream: ScriptedUpstream
) -> None:
    page = new_page(f"{studio.url}/?mode=battle")
    expect(page.get_by_role("button", name="Pool: 3 models")).to_be_visible()
    choose(page, "cat.png", a_picture())
    expect(page.get_by_role("button", name="Remove cat.png")).to_be_visible()
    page.get_by_role("button", name="Pool: 2 models").click()
    expect(page.get_by_text("It can’t read pictures, and the question has one.")).to_be_visible()
    page.keyboard.press("Escape")
    upstream.fail(400, model="ada")
    ask(page, "What is this?")
    expect(page.get_by_role("link", name="Open picture cat.png")).to_have_count(2)


def test_files_are_not_left_behind_in_a_mode_without_them(studio: Served, new_page: NewPage) -> None:
    page = new_page(f"{studio.url}/?mode=chat")
    choose(page, "notes.txt", b"Some notes.")
    expect(page.get_by_text("Type a question to send with the files")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill("Read this")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    page.goto(f"{studio.url}/?mode=consortium")
    alert = page.get_by_role("alert").filter(has_text="Consortium doesn’t take files")
    expect(alert).to_contain_text("Remove them, or choose another mode.")
    expect(page.get_by_role("button", name="Send")).to_be_disabled()
    page.get_by_role("button", name="Remove notes.txt").click()
    expect(alert).to_have_count(0)
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    expect(page.get_by_role("button", name="Attach files")).to_have_count(0)


def test_many_files_leave_space_for_the_question_in_a_low_window(studio: Served, new_page: NewPage) -> None:
    page = new_page(f"{studio.url}/?mode=chat")
    for number in range(10):
        choose(page, f"notes-{number}.txt", f"Some notes of day {number}.".encode())
        expect(page.get_by_role("button", name=f"Remove notes-{number}.txt")).to_be_attached()
    page.get_by_role("textbox", name="Message").fill("Read this\n" * 30)
    for width, height in ((390, 500), (1200, 420)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_role("button", name="Send")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("textbox", name="Message")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Remove notes-9.txt").click()
    expect(files(page).get_by_role("listitem")).to_have_count(9)


def test_an_older_text_says_its_encoding_and_is_read_in_another_one(
    studio: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Read.")
    page = new_page(f"{studio.url}/?mode=chat")
    rows = ["name;town", *(f"{name};München" for name in ("Jörg", "Käthe", "Müller")), "Zoë;Århus"]
    choose(page, "people.csv", "\r\n".join(rows * 4).encode("cp1252"))
    menu = page.get_by_role("button", name=re.compile("Encoding of people.csv"))
    expect(menu).to_contain_text("Read as")
    menu.click()
    page.get_by_role("menuitemradio").filter(has_text="DOS 850").click()
    expect(menu).to_contain_text("DOS 850")
    menu.click()
    page.get_by_role("menuitemradio").filter(has_text="München").first.click()
    message(page).fill("Who lives where?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Read.")).to_be_visible()
    assert "Käthe;München" in str(upstream.chats[-1].json["messages"])


def test_a_message_over_the_limit_becomes_a_file_and_the_question_is_sent_with_it(
    studio: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Read.")
    page = new_page(f"{studio.url}/?mode=chat")
    message(page).fill("word " * 7_000)
    page.get_by_role("button", name="Attach as file").click()
    expect(message(page)).to_have_value("")
    expect(page.get_by_role("button", name=re.compile(r"Keep as text"))).to_be_visible()
    message(page).fill("Sum this up")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Read.")).to_be_visible()
    sent = str(upstream.chats[-1].json["messages"])
    assert sent.count("word ") >= 6_999
    assert "Sum this up" in sent


def test_a_question_that_is_sent_at_once_waits_for_its_file(
    studio: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    # Its part of the page, what the server says of the mode, and the upload each come late; none is waited for in vain.
    for late in (re.compile(r"/assets/attachments-[^/]*\.js"), "**/api/about", "**/api/attachments?*"):
        upstream.reply("Read.")
        page = new_page("about:blank")
        let_through = hold_back(page, late)
        page.goto(f"{studio.url}/?mode=chat", wait_until="commit")
        choose(page, "notes.txt", b"Some notes.")
        message(page).fill("Read this")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Uploading…").first).to_be_visible()
        assert len(upstream.chats) == 0 or "Some notes." in str(upstream.chats[-1].json["messages"])
        let_through()
        expect(page.get_by_text("Read.")).to_be_visible()
        assert "Some notes." in str(upstream.chats[-1].json["messages"])
        page.close()
    assert len(upstream.chats) == 3
