"""The Prompt Lab in a real browser, with the demo models: from an empty lab to a compared run."""

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served


def test_a_newcomer_runs_an_example_and_looks_at_every_tab(demo: Served, new_page: NewPage) -> None:
    page = new_page(f"{demo.url}/lab")
    page.get_by_role("button", name="Start with an example").click()
    start = page.get_by_role("button", name="Start run")
    expect(page.get_by_text("15 calls")).to_be_visible()
    start.click()
    expect(page.get_by_text("15 of 15 calls")).to_be_visible(timeout=40_000)
    expect(page.get_by_role("region", name="Result")).to_contain_text("95%")
    page.get_by_role("button", name="Row 2, v1").first.click()
    cell = page.get_by_role("complementary", name="Cell")
    expect(cell).to_contain_text("At most 60 words")
    cell.get_by_role("radio", name="Prompt sent").click()
    expect(cell).to_contain_text("How many kilometres")
    cell.get_by_role("radio", name="Diff").click()
    expect(cell.get_by_role("group", name="Difference of the answers")).to_be_visible()
    for number, grade in ((2, "Good"), (4, "Bad")):
        page.get_by_role("button", name=f"Row {number}, v1").first.click()
        expect(cell.get_by_role("heading", name=f"Row {number}")).to_be_visible()
        cell.get_by_role("radio", name="Answer").click()
        button = cell.get_by_role("button", name=grade, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    proposed = page.get_by_role("region", name="Proposed checks")
    expect(proposed).to_contain_text("from 1 good and 1 bad answers", timeout=20_000)
    expect(proposed).to_contain_text("catches 1 of 1 bad, 0 false alarms in 1 good")
    check_at_every_size(page, "a run", page.get_by_text("15 of 15 calls"))
    page.set_viewport_size({"width": 1440, "height": 900})
    proposed.get_by_role("button", name="Add check").first.click()
    expect(page.get_by_role("tab", name="Checks 3")).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    for tab, sign in [
        ("Versions", page.get_by_role("group", name="Difference")),
        ("Data", page.get_by_role("table", name="Five questions")),
        ("Checks", page.get_by_role("button", name="Add check")),
        ("Editor", page.get_by_role("textbox", name="Text of message 1")),
    ]:
        page.get_by_role("tab", name=tab).click()
        expect(sign).to_be_visible()
        check_at_every_size(page, tab, sign)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("tab", name="Versions").click()
    page.get_by_role("button", name="Add to battles").click()
    page.get_by_role("dialog").get_by_role("button", name="Add to battles").click()
    expect(page.get_by_role("list", name="Versions")).to_contain_text("in battles")
    page.get_by_role("tab", name="Editor").click()
    page.get_by_role("button", name="Next row").click()
    page.get_by_role("button", name="Try", exact=True).click()
    expect(page.get_by_role("heading", name="Answer")).to_be_visible(timeout=20_000)
