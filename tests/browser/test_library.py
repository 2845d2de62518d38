"""The library in a real browser: two painters draw, one is preferred, and the picture is found again by a word."""

from playwright.sync_api import expect

from tests.browser.compare.comparing import compared, prefer, settled
from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, post


def test_a_preferred_picture_is_found_by_a_word_tagged_used_again_and_deleted_with_undo(
    demo: Served, new_page: NewPage
) -> None:
    seats = {"a": "demo-mira", "b": "demo-otto"}
    prompt = "A lighthouse at dusk, seen from the quay."
    begun = post(demo, "/api/sessions", {"mode": "compare", "prompt": prompt, "seats": seats})
    assert begun["status"] == "completed"
    page = new_page(f"{demo.url}/s/{begun['session_id']}")
    compared(page, name="Mira")
    prefer(page, 1, "Mira").click()
    settled(prefer(page, 1, "Mira"))

    page.goto(f"{demo.url}/library")
    page.get_by_role("searchbox", name="Search prompts and names").fill("lighthouse")
    tiles = page.locator("li > button[aria-pressed]", has_text="A lighthouse at dusk")
    expect(page).to_have_url(f"{demo.url}/library?search=lighthouse")
    expect(tiles).to_have_count(2)
    mine = tiles.filter(has=page.get_by_label("You voted for it"))
    expect(mine).to_contain_text("Mira")
    mine.click()
    panel = page.get_by_role("complementary", name="Asset")
    expect(panel.get_by_role("img", name="A lighthouse at dusk")).to_be_visible()
    expect(panel).to_contain_text(prompt)
    check_at_every_size(page, "library", page.get_by_role("button", name="Use these settings"))
    page.set_viewport_size({"width": 1440, "height": 900})

    panel.get_by_role("button", name="Tag", exact=True).click()
    panel.get_by_role("textbox", name="New tag").fill("Cover")
    panel.get_by_role("textbox", name="New tag").press("Enter")
    expect(panel.get_by_role("button", name="Remove the tag cover")).to_be_visible()

    panel.get_by_role("button", name="Delete").click()
    expect(tiles).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(tiles).to_have_count(2)

    mine.click()
    expect(panel).to_contain_text("Mira (demo)")
    panel.get_by_role("button", name="Use these settings").click()
    expect(page.get_by_role("textbox", name="Message")).to_have_value(prompt)
    expect(page.get_by_role("main")).to_contain_text("Mira")
