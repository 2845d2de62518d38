"""The page's tooltip: one at a time, by pointer and by keyboard, and gone with what it belongs to."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.servers import Served


def tooltip(page: Page) -> Locator:
    return page.get_by_role("tooltip")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name)


def test_pointing_or_the_keyboard_shows_one_tooltip_and_escape_leaving_or_a_click_hides_it(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page("about:blank")
    page.clock.install()
    page.goto(demo.url)
    # A pointer that came before the page listens must move once more.
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    button(page, "Attach files").hover()
    expect(tooltip(page)).to_contain_text("You can also drop or paste them.")
    expect(button(page, "Attach files")).to_have_accessible_description(re.compile("drop or paste"))
    button(page, "Close sidebar").hover()
    expect(tooltip(page)).to_have_text("Close sidebar")
    expect(button(page, "Attach files")).to_have_accessible_description("")
    # It may itself be pointed at, to be read.
    tooltip(page).hover()
    page.clock.run_for(1000)
    expect(tooltip(page)).to_have_text("Close sidebar")
    page.keyboard.press("Escape")
    expect(tooltip(page)).to_have_count(0)
    button(page, "Filter sessions").hover()
    expect(tooltip(page)).to_contain_text("Filter sessions")
    page.get_by_role("heading", level=1).hover()
    expect(tooltip(page)).to_have_count(0)
    page.reload()
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    page.get_by_label("Search sessions").focus()
    page.keyboard.press("Tab")
    expect(tooltip(page)).to_contain_text("Filter sessions")
    page.keyboard.press("Tab")
    expect(tooltip(page)).to_have_count(0)
    button(page, "Filter sessions").click()
    expect(page.get_by_role("menu")).to_be_visible()
    page.clock.run_for(1000)
    expect(tooltip(page)).to_have_count(0)


def test_it_stands_beside_its_element_has_its_words_and_leaves_with_it(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    page.set_viewport_size({"width": 700, "height": 400})
    for name in ("Dismiss", "Open sidebar", "Attach files"):
        button(page, name).hover()
        expect(tooltip(page)).to_contain_text(name.split()[0])
        page.evaluate("() => new Promise(requestAnimationFrame)")  # it is placed before the next frame
        left, top, right, bottom = edges(tooltip(page))
        assert (left >= 0, top >= 0, right <= 700, bottom <= 400) == (True,) * 4, name
        west, north, east, south = edges(button(page, name))
        assert left >= east or right <= west or top >= south or bottom <= north, "it covers its element"
    page.set_viewport_size({"width": 1440, "height": 900})
    button(page, "Close sidebar").hover()
    expect(tooltip(page)).to_have_text("Close sidebar")
    page.evaluate("document.querySelector('[data-tooltip=\"Close sidebar\"]').dataset.tooltip = 'Another'")
    expect(tooltip(page)).to_have_text("Another")
    button(page, "Attach files").hover()
    expect(tooltip(page)).to_contain_text("Attach")
    page.evaluate("document.querySelector('[data-tooltip^=Attach]').remove()")
    # What stood beside it may be under the pointer now.
    expect(tooltip(page).filter(has_text="Attach")).to_be_hidden()


def edges(place: Locator) -> tuple[float, float, float, float]:
    """Return its left, top, right and bottom in the window, in pixels."""
    box = place.bounding_box()
    assert box
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
