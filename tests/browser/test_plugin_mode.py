"""A mode that this page has no folder for, the example plugin's, in a real browser."""

import re
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import SETTINGS, check_screen
from tests.browser.servers import Served, serve
from tests.browser.test_battle import ask
from tests.fakes.example_plugin import write_birds

QUESTION = "Is tea better than coffee?"


@pytest.fixture
def plugins(tmp_path: Path) -> Path:
    """A folder in which the example plugin looks installed; its code is on the path of all tests.

    `tests/examples` builds and installs it in earnest.
    """
    info = tmp_path / "plugins" / "parley_plugin_panel-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: parley-plugin-panel\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[parley]\npanel = parley_plugin_panel\n")
    return info.parent


@contextmanager
def serve_with(plugins: Path, folder: Path) -> Generator[Served]:
    """Serve a Parley that finds the plugin, and its four models."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(plugins)
            served = stack.enter_context(serve(folder / "data", write_birds(folder / "models.yaml")))
        yield served


@pytest.fixture
def served(tmp_path: Path, plugins: Path) -> Generator[Served]:
    with serve_with(plugins, tmp_path) as running:
        yield running


def round_of(page: Page, turn: int, number: int) -> Locator:
    return page.get_by_role("region", name=f"Turn {turn}").get_by_role(
        "group", name=f"Round {number}", exact=True
    )


def settled(page: Page, turn: int) -> Locator:
    """Wait until a turn can be judged; return its ballot."""
    ballot = page.get_by_role("region", name=f"Turn {turn}").get_by_role(
        "group", name=re.compile("^(Vote|Your vote)$")
    )
    expect(ballot).to_be_visible(timeout=30_000)
    return ballot


def never_pausing(page: Page, rounds: int) -> None:
    page.get_by_role("button", name=SETTINGS).click()
    page.get_by_label("Rounds").fill(str(rounds))
    page.get_by_label("Pause").select_option("never")
    page.keyboard.press("Escape")


def test_a_panel_is_seated_paused_continued_and_judged_each_turn_at_every_width(
    served: Served, new_page: NewPage
) -> None:
    page = new_page(f"{served.url}/?mode=panel")
    page.get_by_role("button", name="Add a member").click()
    page.get_by_role("option", name=re.compile("Jago")).click()
    page.get_by_role("button", name="Member: Coco").click()
    page.get_by_role("radio", name="Settings").click()
    page.get_by_label("System prompt").fill("Be brief.")
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    first = settled(page, 1)
    expect(page.get_by_role("group", name="Coco, round 1")).to_contain_text("I keep in mind: Be brief.")
    expect(page.get_by_role("group", name="Polly, round 1")).not_to_contain_text("Be brief.")

    page.get_by_role("button", name="Continue", exact=True).click()
    second = settled(page, 2)
    expect(page.get_by_text("You continued")).to_be_visible()
    expect(round_of(page, 2, 2)).to_contain_text("Answer 2.")
    expect(round_of(page, 2, 2)).to_contain_text(re.compile(r"(\d) of \1 answered"))

    first.get_by_role("button", name="Coco").click()
    expect(first.get_by_role("button", name="Coco")).to_have_attribute("aria-pressed", "true")
    first.get_by_role("button", name="Rio").click()
    expect(first.get_by_role("button", name="Rio")).to_have_attribute("aria-pressed", "true")
    expect(first.get_by_role("button", name="Coco")).to_have_attribute("aria-pressed", "false")
    second.get_by_role("button", name="None").click()
    expect(second.get_by_role("button", name="None")).to_have_attribute("aria-pressed", "true")

    page.reload()
    expect(settled(page, 1).get_by_role("button", name="Rio")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("group", name="Rio, round 1")).to_contain_text("Your pick")
    expect(settled(page, 2).get_by_role("button", name="None")).to_have_attribute("aria-pressed", "true")
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        check_screen(page, f"panel at {width}")


def test_a_running_panel_hears_what_is_said_and_can_be_stopped(served: Served, new_page: NewPage) -> None:
    page = new_page(f"{served.url}/?mode=panel")
    never_pausing(page, 5)
    ask(page, "Which is better for the morning, tea or coffee? " * 6)
    said = page.get_by_role("button", name="Message type: Add a fact")
    expect(said).to_be_visible()
    ask(page, "It rains today.")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
    expect(
        page.get_by_role("region", name="Turn 1").get_by_text("It rains today.", exact=True)
    ).to_be_visible()
    expect(
        page.get_by_role("group", name=re.compile("^Polly, round [2-5]$"))
        .filter(has_text="It rains today.")
        .first
    ).to_be_visible(timeout=40_000)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Answers stopped.")).to_be_visible()
    page.get_by_role("button", name="Retry", exact=True).click()
    said.click()
    page.get_by_role("button", name="Conclude now").click()
    page.get_by_role("button", name="Conclude now", exact=True).last.click()
    settled(page, 1)
    expect(page.get_by_text("You asked for a conclusion")).to_be_visible()


def test_seats_join_and_leave_and_one_is_asked_again(served: Served, new_page: NewPage) -> None:
    page = new_page(f"{served.url}/?mode=panel")
    ask(page, QUESTION)
    settled(page, 1)
    page.get_by_role("button", name="Retry Rio").click()
    expect(page.get_by_role("button", name="Attempt 2")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Attempt 2").click()
    expect(page.get_by_role("dialog", name="Earlier answers of Rio")).to_contain_text("Answer 1.")
    page.keyboard.press("Escape")

    page.get_by_role("button", name="Member: Coco").click()
    page.get_by_role("button", name="Remove").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add a member").click()
    page.get_by_role("option", name=re.compile("Jago")).click()
    expect(page.get_by_role("button", name="Discard changes")).to_be_visible()
    ask(page, "And in the evening?")
    settled(page, 2)
    names = page.get_by_role("region", name="Turn 2").get_by_role("heading", level=2)
    expect(names).to_have_text(["You asked", "Polly", "Rio", "Jago"])
    expect(page.get_by_role("button", name="Discard changes")).to_be_hidden()
    expect(page.get_by_role("group", name="Polly, round 1").last).to_contain_text("Answer 2.")


def test_a_panel_is_saved_and_begun_again_as_it_was(served: Served, new_page: NewPage) -> None:
    page = new_page(f"{served.url}/?mode=panel")
    never_pausing(page, 2)
    page.get_by_role("button", name="Saved line-ups").click()
    page.get_by_label("Name", exact=True).fill("Morning panel")
    page.get_by_role("button", name="Save line-up").click()
    saved = page.get_by_role("button", name="Saved line-up: Morning panel", exact=True)
    expect(saved).to_be_visible()
    never_pausing(page, 3)
    expect(page.get_by_role("button", name="Saved line-up: Morning panel, changed")).to_be_visible()
    never_pausing(page, 2)
    expect(saved).to_be_visible()
    other = new_page(f"{served.url}/?mode=panel")
    other.evaluate("localStorage.removeItem('parley.composer')")
    other.goto(f"{served.url}/?mode=panel")
    other.get_by_role("region", name="Saved line-ups").get_by_role("button", name="Morning panel").click()
    ask(other, QUESTION)
    expect(round_of(other, 1, 2)).to_contain_text("Answer 2.", timeout=30_000)


def test_what_a_plugin_made_is_readable_without_it(plugins: Path, tmp_path: Path, new_page: NewPage) -> None:
    with serve_with(plugins, tmp_path) as served:
        page = new_page(f"{served.url}/?mode=panel")
        ask(page, QUESTION)
        settled(page, 1)
        path = page.url.removeprefix(served.url)
        page.goto("about:blank")
    with serve(tmp_path / "data") as without:
        page.goto(without.url + path)
        expect(page.get_by_role("group", name="Polly, round 1")).to_contain_text("Answer 1.")
        expect(page.get_by_text("This mode is no longer installed")).to_be_visible()
