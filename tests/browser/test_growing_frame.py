"""What the frame holds: views, pins, filter, excerpts, settings, running jobs, actions on each reply."""

import re
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.holding import hold_back
from tests.browser.screens import COLORS, check_screen
from tests.browser.servers import Served, serve
from tests.browser.test_battle import ask

QUESTION = "How many days are between 2024-01-01 and 2024-03-01?"
WIDTHS = (390, 820, 1440, 1920)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley of this file's own, since its sessions are deleted."""
    with serve(tmp_path_factory.mktemp("frame") / "data") as served:
        yield served


def chat(page: Page, url: str, question: str) -> None:
    page.goto(f"{url}/?mode=chat")
    ask(page, question)
    expect(page.get_by_label("Metrics").first).to_be_visible(timeout=40_000)


def test_a_session_is_pinned_filtered_by_mode_and_found_with_its_words(
    own: Served, new_page: NewPage
) -> None:
    page = new_page(own.url)
    ask(page, "What is 14% of 2,340, step by step?")
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=40_000)
    battle_url = page.url
    chat(page, own.url, QUESTION)
    sidebar = page.get_by_role("complementary", name="Sessions")
    battle = sidebar.get_by_role("link", name="What is 14%")
    expect(sidebar.get_by_role("link", name=re.compile("What is 14%.*not voted yet"))).to_be_visible()
    sidebar.get_by_role("button", name="More actions for What is 14%").click()
    page.get_by_role("menuitem", name="Pin").click()
    expect(sidebar.get_by_role("group", name="Pinned").get_by_role("link")).to_have_count(1)
    page.reload()
    expect(sidebar.get_by_role("group", name="Pinned").get_by_role("link")).to_have_count(1)
    sidebar.get_by_role("button", name="Filter sessions: all").click()
    page.get_by_role("menuitemradio", name="Chat").click()
    expect(battle).to_have_count(0)
    expect(sidebar.get_by_role("link", name="How many days")).to_be_visible()
    sidebar.get_by_role("button", name="Filter sessions: Chat").click()
    page.get_by_role("menuitemradio", name="All modes").click()
    ask(page, "And how many of those were Sundays in Lisbon?")
    page.get_by_label("Search sessions").fill("lisbon")
    expect(sidebar.locator("mark")).to_have_text("Lisbon")
    page.get_by_label("Search sessions").fill("")
    sidebar.get_by_role("button", name="More actions for What is 14%").click()
    page.get_by_role("menuitem", name="Unpin").click()
    expect(sidebar.get_by_role("group", name="Pinned")).to_have_count(0)
    # An answer that ends renews the list, and what stands in it may move.
    expect(page.get_by_label("Metrics")).to_have_count(2, timeout=40_000)
    expect(battle).to_be_visible()
    battle.click()
    page.wait_for_url(battle_url)
    page.get_by_role("button", name="Tie").click()
    expect(sidebar.get_by_text("not voted yet")).to_have_count(0)


def test_the_collapsed_sidebar_is_a_rail_of_views_and_the_account_menu_has_theme_keys_and_version(
    own: Served, new_page: NewPage
) -> None:
    page = new_page(own.url)
    page.get_by_role("button", name="Close sidebar").click()
    rail = page.get_by_role("complementary", name="Sidebar")
    rail.get_by_role("link", name="Leaderboard").click()
    page.wait_for_url("**/leaderboard/overall")
    expect(rail.get_by_role("link", name="Leaderboard")).to_have_attribute("aria-current", "page")
    rail.get_by_role("button", name="Account: You").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.wait_for_url("**/settings")
    check_screen(page, "rail")
    rail.get_by_role("button", name="Open sidebar").click()
    expect(page.get_by_role("complementary", name="Sessions")).to_be_visible()

    account = page.get_by_role("button", name="Account: You")
    account.click()
    page.get_by_role("menuitemradio", name="Light").click()
    expect(page.locator("html")).to_have_class(re.compile("light"))
    account.click()
    page.get_by_role("menuitem", name="Keyboard shortcuts").click()
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    account.click()
    page.get_by_role("menuitem", name="About Parley").click()
    page.wait_for_url("**/settings#about")
    expect(page.get_by_text(re.compile(r"Version \d"))).to_be_visible()


def test_a_long_line_up_folds_into_one_chip(own: Served, new_page: NewPage) -> None:
    page = new_page(f"{own.url}/?mode=consortium")
    add = page.get_by_role("button", name="Add a member")
    fold = page.get_by_role("button", name="Line-up:")
    names = [model["name"] for model in page.request.get(f"{own.url}/api/models").json()["models"]]
    members = page.get_by_role("button", name=re.compile("^Member:"))
    expect(members.first).to_be_visible()
    taken = " ".join(members.all_inner_texts())
    for name in [name for name in names if name not in taken][: 5 - members.count()]:
        add.click()
        page.get_by_role("option", name=name).first.click()
        expect(page.get_by_role("dialog")).to_have_count(0)
    expect(fold).to_have_text("5 models")
    fold.click()
    expect(page.get_by_role("button", name=re.compile("^Member:"))).to_have_count(5)


def test_the_settings_are_a_page_from_which_everything_is_exported_and_deleted(
    own: Served, new_page: NewPage
) -> None:
    page = new_page(own.url)
    chat(page, own.url, QUESTION)
    page.goto(f"{own.url}/settings")
    main = page.get_by_role("main")
    expect(main).to_contain_text(str(own.data_dir))
    expect(main).to_contain_text("PARLEY_DATA_DIR")
    expect(main).to_contain_text("PARLEY_BATTLE_SAMPLING")
    for theme in ("light", "dark"):
        main.get_by_role("radio", name=theme.title()).click()
        expect(page.locator("html.light")).to_have_count(1 if theme == "light" else 0)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            check_screen(page, f"settings at {width}", () if theme == "dark" else COLORS)
    with page.expect_download() as download:
        page.get_by_role("button", name="Export sessions").click()
    lines = [msgspec.json.decode(line) for line in Path(download.value.path()).read_bytes().splitlines()]
    sessions = [line["session"]["session"] for line in lines if line["kind"] == "session"]
    assert QUESTION in [session["title"] for session in sessions]
    page.get_by_role("button", name="Delete everything", exact=True).click()
    dialog = page.get_by_role("dialog", name="Delete everything?")
    delete = dialog.get_by_role("button", name="Delete everything")
    expect(delete).to_be_disabled()
    dialog.get_by_label("to confirm").fill("delete")
    check_screen(page, "delete everything")
    delete.click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("complementary", name="Sessions")).to_contain_text("No sessions yet")


def test_a_running_job_is_shown_on_every_page_and_can_be_canceled(own: Served, new_page: NewPage) -> None:
    page = new_page(f"{own.url}/settings")
    let_through = hold_back(page, "**/api/leaderboard/rebuild")
    page.get_by_role("button", name="Rebuild").click()
    tray = page.get_by_role("region", name="Running jobs")
    expect(tray.get_by_role("progressbar", name="Rebuilding the leaderboard")).to_be_visible()
    page.get_by_role("link", name="Models", exact=True).click()
    expect(tray).to_be_visible()
    check_screen(page, "a running job")
    let_through()
    expect(page.get_by_text(re.compile("^Recounted "))).to_be_visible()
    expect(tray).to_have_count(0)
    hold_back(page, "**/api/imports?**")
    page.goto(f"{own.url}/votes?import=true")
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(
        {"name": "votes.csv", "mimeType": "text/csv", "buffer": b"model_a,model_b,winner\n"}
    )
    page.get_by_role("button", name="Run in background").click()
    page.get_by_role("link", name="Models", exact=True).click()
    tray.get_by_role("button", name="Cancel: Importing votes.csv").click()
    expect(tray).to_have_count(0)


def test_every_reply_and_question_has_its_actions(own: Served, new_page: NewPage) -> None:
    page = new_page(own.url)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat(page, own.url, QUESTION)
    session = page.url

    def act(menu: str, item: str) -> None:
        page.get_by_role("button", name=re.compile(menu)).first.click()
        page.get_by_role("menuitem", name=item).click()

    def copied() -> str:
        return str(page.evaluate("navigator.clipboard.readText()"))

    act("^More actions for .* answer", "Copy with question as Markdown")
    expect(page.get_by_text("Question and answer copied.")).to_be_visible()
    assert copied().startswith(f"> {QUESTION}\n\n**")
    act("^More actions for your question", "Copy link to this turn")
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = copied()
    assert link == f"{session}#{page.get_by_role('region', name='Turn 1').get_attribute('data-turn')}"
    with page.expect_download() as download:
        act("^More actions for .* answer", "Export session as Markdown")
    saved = Path(download.value.path()).read_text(encoding="utf-8")
    assert saved.startswith(f"# {QUESTION}\n\n## 1. Question\n\n> {QUESTION}\n\n### ")
    with page.expect_request("**/retry"):
        act("^More actions for .* answer", "Regenerate")
    expect(page.get_by_role("button", name="Attempt 2")).to_be_visible(timeout=40_000)
    expect(page.get_by_label("Metrics").first).to_be_visible(timeout=40_000)
    expect(page.get_by_role("region", name="Turn 2")).to_have_count(0)
    act("^More actions for your question", "Edit and ask again")
    question = page.get_by_role("textbox", name="Question")
    expect(question).to_be_focused()
    expect(question).to_have_value(QUESTION)
    question.fill("And between 2025-01-01 and 2025-03-01?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("group", name="Branches")).to_contain_text("2 of 2")
    expect(page.get_by_label("Metrics")).to_have_count(1, timeout=40_000)
    page.set_viewport_size({"width": 820, "height": 400})
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("region", name="Turn 1").get_by_text(QUESTION)).to_be_in_viewport()
    check_screen(page, "a chat with its actions")
