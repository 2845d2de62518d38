"""A newcomer's way: two hidden painters draw, one is preferred, and the picture is found again by a word."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size, violations
from tests.browser.servers import Served

LABELS = ("label-content-name-mismatch", "landmark-unique")
"""What is read aloud is what is written, and no two landmarks have one name."""


class Newcomer:
    """Counts what a person does: clicks and typed texts; a key ends the text that was typed."""

    def __init__(self) -> None:
        self.actions = 0

    def click(self, what: Locator) -> None:
        self.actions += 1
        what.click()

    def type(self, where: Locator, text: str, *, enter: bool = False) -> None:
        self.actions += 1
        where.fill(text)
        if enter:
            where.press("Enter")

    def at_most(self, number: int, doing: str) -> None:
        assert self.actions <= number, f"{doing} took {self.actions} actions"
        self.actions = 0


def named_well(page: Page) -> None:
    found = violations(page, LABELS)
    assert not found, [(item["id"], [node["html"] for node in item["nodes"]][:3]) for item in found]


def test_a_newcomer_draws_votes_and_finds_the_picture_again_in_three_actions_each(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(f"{demo.url}/?mode=battle")
    person = Newcomer()
    person.click(page.get_by_role("button", name="Pictures"))
    person.type(page.get_by_role("textbox", name="Message"), "A heron in the reeds.", enter=True)
    person.at_most(3, "drawing")

    ballot = page.get_by_role("region", name="Your vote")
    pictures = page.get_by_role("main").locator("figure img, a img")
    expect(pictures).to_have_count(2, timeout=60_000)
    assert not page.get_by_text("Mira").or_(page.get_by_text("Otto")).count(), (
        "nobody is named before the vote"
    )
    for picture in pictures.all():
        expect(picture).not_to_have_js_property("naturalWidth", 0)
    sizes = pictures.evaluate_all("all => all.map(each => [each.naturalWidth, each.naturalHeight])")
    assert sizes[0] == sizes[1]
    named_well(page)
    check_at_every_size(page, "picture battle", ballot, (1440, 390))
    page.set_viewport_size({"width": 1440, "height": 900})
    person.click(ballot.get_by_role("button", name="A is better"))
    result = page.get_by_role("region", name="Result")
    expect(result).to_contain_text("You voted for")
    person.at_most(3, "voting")
    winner = "Mira" if "Mira" in (result.text_content() or "").split("You voted for")[1][:40] else "Otto"

    person.click(page.get_by_role("link", name="Library"))
    person.type(page.get_by_role("searchbox", name="Search prompts and names"), "heron")
    tiles = page.locator("li > button[aria-pressed]", has_text="A heron in the reeds")
    expect(tiles).to_have_count(2)
    person.click(tiles.filter(has=page.get_by_label("You voted for it")))
    panel = page.get_by_role("complementary", name="Asset")
    expect(panel.get_by_role("img", name="A heron in the reeds")).to_be_visible()
    person.at_most(3, "finding it again")
    expect(panel).to_contain_text(winner)
    expect(panel).to_contain_text("$0.0")
    named_well(page)
