"""Tables, tools and Auto in a real browser: a newcomer asks a file, and says who answers better."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.api.test_tables import ORDERS
from tests.browser.conftest import NewPage
from tests.browser.screens import check_at_every_size
from tests.browser.servers import Served, get, post

QUESTION = "Which region has the highest revenue?"


def attach(page: Page, folder: Path) -> None:
    """Attach a file with five orders."""
    file = folder / "orders.csv"
    file.write_text(ORDERS, encoding="utf-8")
    page.locator("form input[type=file]").set_input_files(file)
    expect(page.get_by_role("list", name="Attachments")).to_contain_text("orders.csv")


def message(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message")


def test_a_newcomer_has_an_answer_with_its_sql_and_chart_in_four_actions(
    demo: Served, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(demo.url)
    page.get_by_role("radio", name="Chat").click()
    attach(page, tmp_path)
    message(page).fill(QUESTION)
    message(page).press("Enter")

    answer = page.get_by_role("article", name=re.compile("’s answer$"))
    expect(answer).to_contain_text("North has the highest revenue: 764.4")
    expect(answer.locator("pre", has_text="SELECT")).to_be_visible()
    rows = answer.get_by_role("group", name="Rows")
    expect(rows.get_by_role("row", name="North 764.4")).to_be_visible()
    expect(answer.locator("figure")).to_contain_text("North")
    page.get_by_role("button", name="orders 5 rows, 5 columns").click()
    expect(page.get_by_text("2026-04-02 to 2026-09-12")).to_be_visible()
    check_at_every_size(page, "a table's answer", answer.get_by_role("button", name="Edit SQL"))

    page.set_viewport_size({"width": 1440, "height": 900})
    answer.get_by_role("button", name="Edit SQL").click()
    sql = answer.get_by_role("textbox", name="SQL")
    sql.fill("SELECT ordered_on, revenue FROM orders ORDER BY 1")
    sql.press("Control+Enter")
    expect(rows.get_by_role("row")).to_have_count(6)
    expect(answer.locator("figure polyline")).to_be_visible()
    with page.expect_download() as saving:
        answer.get_by_role("button", name="CSV").click()
    assert Path(saving.value.path()).read_bytes().startswith(b"ordered_on,revenue\r\n2026-04-02,412.5\r\n")
    sql.fill("DROP TABLE orders")
    answer.get_by_role("button", name="Run", exact=True).click()
    expect(answer.get_by_role("alert")).to_contain_text("no SELECT but DROP")


def test_auto_says_why_and_learns_from_another_choice(demo: Served, new_page: NewPage) -> None:
    turn = post(
        demo,
        "/api/sessions",
        {"prompt": "Tell me a joke", "mode": "chat", "seats": {"assistant": "auto"}},
    )
    page = new_page(f"{demo.url}/s/{turn['session_id']}")
    expect(page.get_by_text("Auto chose")).to_contain_text("models can")
    page.get_by_role("button", name="Use another").click()
    picker = page.get_by_role("dialog", name="Answer with another model")
    picker.get_by_role("option", name=re.compile("^Tilo")).click()
    expect(page.get_by_role("article", name="Tilo (demo)’s answer")).to_be_visible()
    receipts = get(demo, f"/api/sessions/{turn['session_id']}/auto")["turns"]
    assert [each["used"] for each in receipts] == ["demo-tilo"]

    page.goto(f"{demo.url}/settings#auto")
    learned = page.get_by_text("1 choice of yours. It takes three before they count.")
    expect(learned).to_be_visible()
    page.get_by_role("button", name="Replay questions").click()
    check_at_every_size(page, "settings of Auto", learned, widths=(1440, 390))
    page.get_by_role("button", name="Forget choices").click()
    expect(page.get_by_text("Nothing yet. Press “Use another”")).to_be_visible()


def test_a_battle_with_tools_hides_the_way_until_the_vote(
    demo: Served, new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page(demo.url)
    page.get_by_role("button", name="Tools", exact=True).click()
    expect(page.get_by_role("button", name="Tools", exact=True)).to_have_attribute("aria-pressed", "true")
    attach(page, tmp_path)
    message(page).fill(QUESTION)
    message(page).press("Enter")
    ballot = page.get_by_role("button", name="Tie")
    expect(ballot).to_be_enabled()
    main = page.get_by_role("main")
    for side in ("Assistant A", "Assistant B"):
        expect(main.get_by_role("region", name=side, exact=True)).to_contain_text("has the highest revenue")
    expect(main.locator("pre", has_text="SELECT")).to_have_count(0)
    expect(main.get_by_text("query", exact=True)).to_have_count(0)
    ballot.click()
    expect(main.get_by_text("query", exact=True)).to_have_count(2)
    check_at_every_size(page, "a battle with tools", main.get_by_text("query", exact=True).first)
