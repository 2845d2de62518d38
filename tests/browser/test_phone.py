"""On a phone: what is read has the room, the winner comes first, and everything is large enough to touch."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import ON_DEMAND, NewPage
from tests.browser.holding import hold_back
from tests.browser.screens import check_screen
from tests.browser.servers import Served
from tests.browser.test_battle import ask

LEAST_TEXT = 0.6
"""The share of the height that is text after the vote."""
LEAST_TARGET = 44
"""CSS pixels of what is touched, either way."""
TOO_SMALL = f"""() => [...document.querySelectorAll("button, a[href], select, input, textarea, [role=menuitemradio]")]
  .filter(each => each.checkVisibility({{ opacityProperty: true, visibilityProperty: true }}))
  .filter(each => getComputedStyle(each).display !== "inline" && !each.closest(".sr-only, [href='#main']"))
  .map(each => [each.ariaLabel ?? each.textContent, (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([, box]) => box.right > 0 && box.bottom > 0 && box.left < innerWidth)
  .filter(([, box]) => box.height < {LEAST_TARGET} - 0.5 || box.width < {LEAST_TARGET} - 0.5)
  .map(([name, box]) => `${{name}}: ${{Math.round(box.width)}} x ${{Math.round(box.height)}}`)"""


AT_REST = """() => new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(() =>
  painted(document.getAnimations().every(each => each.playState !== "running")))))"""
"""The page has been painted since, and nothing on it moves."""


@pytest.fixture
def phone(browser: Browser) -> Generator[Page]:
    context = browser.new_context(
        service_workers="block",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    context.add_init_script(ON_DEMAND)
    yield context.new_page()
    context.close()


def too_small(page: Page) -> list[str]:
    """What can be touched and is too small, once the screen has settled."""
    page.wait_for_function(AT_REST)
    return page.evaluate(TOO_SMALL)


def judge(page: Page, side: str) -> None:
    """Ask two models of the demo, and prefer a side."""
    ask(page, "What is 19% of 2,340, step by step?")
    better = page.get_by_role("button", name=f"{side} is better")
    expect(better).to_be_visible(timeout=30_000)
    better.click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()


def test_after_the_vote_the_winner_comes_first_and_most_of_the_height_is_text(
    demo: Served, phone: Page
) -> None:
    phone.goto(demo.url)
    judge(phone, "B")
    for _ in range(2):
        text = phone.locator("[data-reading]").first.bounding_box()
        assert text
        assert text["height"] / 844 >= LEAST_TEXT, text
        winner = phone.get_by_role("region", name="Assistant B")
        expect(winner).to_be_in_viewport(ratio=0.9)
        box, other = winner.bounding_box(), phone.get_by_role("region", name="Assistant A").bounding_box()
        assert box
        assert other
        assert box["x"] < other["x"]
        check_screen(phone, "reveal on a phone")
        phone.reload()
        expect(phone.get_by_role("region", name="Result")).to_be_visible()


def test_what_is_touched_is_large_enough_and_an_answer_that_was_not_opened_yet_is_marked(
    demo: Served, phone: Page
) -> None:
    phone.goto(demo.url)
    message = phone.get_by_role("textbox", name="Message")
    expect(message).to_be_visible()
    found = {"new battle": too_small(phone)}
    ask(phone, "What is 18% of 2,340?")
    tie = phone.get_by_role("button", name="Tie")
    expect(tie).to_be_visible(timeout=30_000)
    tabs = phone.get_by_role("group", name="Shown panel")
    first, second = (
        tabs.get_by_role("button", name="Assistant A"),
        tabs.get_by_role("button", name="Assistant B"),
    )
    vote = phone.get_by_role("region", name="Your vote")
    expect(second).to_contain_text("Not read yet")
    expect(first).not_to_contain_text("Not read yet")
    expect(vote).to_contain_text("You haven’t opened Assistant B’s answer yet.")
    expect(tie).to_be_enabled()
    check_screen(phone, "an unread answer on a phone")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(tabs).not_to_contain_text("Not read yet")
    expect(vote).not_to_contain_text("haven’t")
    found["ballot"] = too_small(phone)
    phone.get_by_role("button", name="A is better").click()
    expect(phone.get_by_role("region", name="Result")).to_be_visible()
    found["reveal"] = too_small(phone)
    message.focus()
    found["composer"] = too_small(phone)
    for path in ("/?mode=consortium", "/leaderboard/overall?min_votes=1", "/models", "/votes"):
        phone.goto(f"{demo.url}{path}")
        expect(phone.get_by_role("main").get_by_role("button").nth(2)).to_be_visible()
        found[path] = too_small(phone)
    assert {screen: small for screen, small in found.items() if small} == {}


def test_the_mode_switch_fits_six_modes_at_every_width(demo: Served, new_page: NewPage) -> None:
    def six(route: Route) -> None:
        modes = route.fetch().json()["modes"]
        more = {**modes[0], "name": "auto", "title": "Auto", "summary": "Auto is to come."}
        route.fulfill(json={"modes": [*modes, more]})

    page = new_page("about:blank")
    page.route("**/api/modes", six)
    page.goto(demo.url)
    ask(page, "What is 19% of 1,340?")
    expect(page.get_by_role("button", name="Tie")).to_be_visible(timeout=30_000)
    header = page.locator("main > header")
    for width in (1920, 1440, 1024, 820, 640, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if width < 768:
            header.get_by_role("button", name="Mode: ").click()
            expect(page.get_by_role("menuitemradio")).to_have_count(6)
            page.get_by_role("menuitemradio", name="Team").click()
            expect(header.get_by_role("button", name="Mode: Team")).to_be_visible()
        else:
            expect(header.get_by_role("radio")).to_have_count(6)
        for each in header.locator("button:visible").all():
            box = each.bounding_box()
            assert box
            assert box["x"] + box["width"] <= width, each.inner_text()
        check_screen(page, f"six modes at {width}")
    page.goto(demo.url)
    cards = page.get_by_role("radiogroup", name="Mode").get_by_role("radio")
    for width in (1920, 1440, 1024, 820, 640, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(cards).to_have_count(6)
        check_screen(page, f"six cards at {width}")
    cards.last.click()
    expect(cards.last).to_be_checked()
    assert header.get_by_role("radio").count() == 0, "one control for the mode at a time"


def test_the_cards_do_not_move_once_they_are_there(demo: Served, new_page: NewPage) -> None:
    """What came above them between a press and its release made the click miss."""
    page = new_page("about:blank")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        let_through = hold_back(page, "**/api/about")
        page.goto(demo.url)
        card = page.get_by_role("radio", name="Compare")
        expect(page.get_by_role("textbox", name="Message")).to_be_visible()
        expect(card).to_have_count(0)
        let_through()
        expect(card).to_be_visible()
        first = card.bounding_box()
        expect(page.get_by_role("region", name="About the demo models")).to_be_visible()
        page.wait_for_function(AT_REST)
        assert card.bounding_box() == first
