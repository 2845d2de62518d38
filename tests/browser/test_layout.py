"""How the page is laid out: nothing is cut, two widths, one composer that stays where it is, a pool that is told."""

import itertools
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served, import_votes, serve
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

LONG = ("Extraordinarily-Long-Winded-Reasoner-405B-Instruct-Preview", "Short", "Middle of the road 70B chat")
READ, PAGE = 768, 1344
"""The two widths of a page's column."""
CUT = """root => [...document.querySelectorAll(`${root} *`)]
  .filter(each => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).textOverflow === "ellipsis")
  .map(each => each.textContent)"""


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley with votes on models with long names; a newcomer won all of its few votes."""
    rows = ["model_a,model_b,winner,judge"]
    for number in range(60):
        one, other = LONG[number % 3], LONG[(number + 1) % 3]
        rows.append(f"{one},{other},{('model_a', 'model_b', 'model_a', 'tie')[number % 4]},judge{number % 7}")
    rows += [f"newcomer,{LONG[number % 3]},model_a,judge{number}" for number in range(6)]
    with serve(tmp_path_factory.mktemp("named") / "data") as served:
        import_votes(served, "\n".join(rows), 66)
        yield served


HEAD_TEXTS = """() => [...document.querySelectorAll("thead th")].flatMap(head => {
  const range = document.createRange()
  range.selectNodeContents(head.querySelector("button, span").firstChild)
  const box = range.getBoundingClientRect()
  return head.innerText.trim() && !head.querySelector(".sr-only") && box.width ? [[box.left, box.right]] : []
})"""
LEAST_GAP = 10
"""Pixels between the names of two columns."""


def test_names_are_never_cut_and_the_heads_of_the_table_stand_apart(named: Served, new_page: NewPage) -> None:
    page = new_page("about:blank")
    for view in ("table", "confidence", "win-rates", "history"):
        page.goto(f"{named.url}/leaderboard/overall?view={view}")
        for width in (390, 820, 1440, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            expect(page.get_by_text(LONG[0]).locator("visible=true").first).to_be_visible()
            # Rows of the table keep one height: there a long name ends in dots, and its whole is the tooltip.
            cut = page.evaluate(CUT, "main [data-scroller]")
            assert view == "table" or cut == [], view
            if view == "table" and width > 640:
                whole = page.locator("[data-row-link]").evaluate_all("names => names.map(name => name.title)")
                assert set(cut) <= set(whole) == {*LONG, "newcomer"}
            check_screen(page, f"{view} at {width}")
            if view == "history" and width > 640:
                assert "…" not in (page.get_by_role("img", name="Scores over time of").text_content() or "")
            if view == "table" and width > 640:
                places = sorted(page.evaluate(HEAD_TEXTS))
                assert len(places) > 5
                gaps = [after[0] - before[1] for before, after in itertools.pairwise(places)]
                assert min(gaps) >= LEAST_GAP, gaps


def test_groups_are_explained_only_where_a_model_of_another_group_is_shown(
    tmp_path: Path, new_page: NewPage
) -> None:
    rows = ["model_a,model_b,winner,judge"]
    pairs = ["one,other"] * 8 + ["apart,alone"] * 4
    rows += [
        f"{pair},{('model_a', 'model_b')[number % 2]},judge{number}" for number, pair in enumerate(pairs)
    ]
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        import_votes(served, "\n".join(rows), len(pairs))
        page.goto(f"{served.url}/leaderboard/overall")
        expect(page.locator("tbody tr")).to_have_count(2)
        expect(page.get_by_text("2 models with fewer than 5 votes are not shown.")).to_be_visible()
        expect(page.get_by_text("Separate group")).to_have_count(0)
        page.get_by_role("button", name="Show them").click()
        expect(page.locator("tbody tr")).to_have_count(4)
        expect(page.locator("tbody tr").filter(has_text="apart")).to_contain_text("Separate group")
        legend = page.get_by_text("Separate group").last
        expect(legend).to_be_visible()


def address(page: Page, model: str) -> str:
    """Return where a model's page is, as the leaderboard links it."""
    found = page.get_by_role("main").get_by_role("link", name=model, exact=True).get_attribute("href")
    assert found
    return found


def columns(page: Page) -> set[int]:
    found = page.locator("[data-column]").evaluate_all(
        "columns => columns.map(column => Math.round(column.getBoundingClientRect().width))"
    )
    return set(found)


def test_a_table_sets_a_newcomer_apart_and_every_view_says_what_its_figures_are(
    named: Served, new_page: NewPage
) -> None:
    page = new_page(f"{named.url}/leaderboard/overall")
    expect(page.locator("tbody tr")).to_have_count(4)
    last = page.locator("tbody tr").last
    expect(last).to_contain_text("newcomer")
    expect(last).to_contain_text("Provisional")
    expect(last.locator("td").nth(1)).to_have_text("4")
    decision = page.get_by_role("region", name="Is the result clear?")
    expect(decision).to_contain_text("is better than")
    expect(decision).not_to_contain_text("newcomer")
    marks = page.locator("tbody [data-mark]")
    expect(marks).to_have_count(4)
    assert all(text.strip() for text in marks.all_text_contents())

    page.get_by_role("radio", name="Win rates").click()
    expect(page.get_by_role("gridcell").filter(has_text="20").first).to_be_visible()
    # The first days go by votes.
    page.get_by_role("radio", name="History").click()
    expect(page.get_by_role("img", name="Scores over time of")).to_contain_text("votes per model")

    page.get_by_role("radio", name="Table", exact=True).click()
    page.get_by_role("main").get_by_role("link", name="Short", exact=True).click()
    figures = page.locator("dl > div")
    expect(figures.filter(has_text="Score")).to_contain_text("from all votes, mean 1000")
    expect(figures.filter(has_text="Elo")).to_have_count(0)  # one scale


def test_pages_have_two_widths(named: Served, new_page: NewPage) -> None:
    page = new_page("about:blank")
    page.set_viewport_size({"width": 1920, "height": 1000})
    page.goto(f"{named.url}/leaderboard/overall")
    short, newcomer = address(page, "Short"), address(page, "newcomer")
    pair = "/".join(["/head-to-head", short.rsplit("/", 1)[1], newcomer.rsplit("/", 1)[1]])
    for path in ("/", "/leaderboard/overall", "/leaderboard/method", short, "/votes", "/models", pair):
        page.goto(f"{named.url}{path}")
        expect(page.locator("[data-column]").first).to_be_visible()
        assert columns(page) <= {READ, PAGE}, path


def test_the_pool_is_named_and_the_reveal_leads_to_the_models_line(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    page.get_by_role("button", name="Pool: ").click()
    pool = page.get_by_role("dialog", name="Pool")
    expect(pool).to_contain_text("Every pair is equally likely")
    names = page.request.get(f"{demo.url}/api/models").json()["models"]
    expect(pool.get_by_role("listitem")).to_have_count(
        len([each for each in names if "text" in each["capabilities"]])
    )
    page.keyboard.press("Escape")
    expect(pool).to_have_count(0)
    ask(page, "What is 17% of 3,120, step by step?")
    better = page.get_by_role("button", name="A is better")
    expect(better).to_be_visible(timeout=30_000)
    better.click()
    side = page.get_by_role("region", name="Assistant A")
    expect(side).to_contain_text("Whole answer")
    name = side.get_by_role("heading").first.get_by_role("link").inner_text()
    side.get_by_role("link", name="on the leaderboard").click()
    row = page.locator("tr[aria-current]")
    expect(row).to_contain_text(name)
    expect(row).to_be_in_viewport()


WHITE = """() => {
  const box = selector => document.querySelector(selector).getBoundingClientRect()
  const [main, form, turn] = [box("main"), box("form"), box("[data-turn]")]
  const header = box("main > header")
  return [Math.round(turn.top - header.bottom), Math.round(main.bottom - form.bottom)]
}"""
"""The pixels above a battle's question, and those under its composer."""


def boxes(places: list[Locator]) -> list[FloatRect]:
    return [box for place in places if (box := place.bounding_box())]


def test_short_answers_stand_in_the_middle_and_long_ones_fill_the_window(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    for model in ("up-alpha", "up-beta"):
        upstream.reply("So it is. " * 900, model=model).reply("Yes.", model=model)
    page = new_page(connected.url)
    panels = [page.get_by_role("region", name=f"Assistant {side}") for side in "AB"]
    tie = page.get_by_role("button", name="Tie")
    for question, short in (("Why is it?", False), ("Is water wet?", True)):
        page.goto(connected.url)
        ask(page, question)
        expect(tie).to_be_visible(timeout=30_000)
        above, under = page.evaluate(WHITE)
        heights = [box["height"] for box in boxes(panels)]
        assert heights[0] == heights[1]
        assert (heights[0] < 200) == short, heights
        assert abs(above - under) < 40, (above, under)
        assert (above > 100) == short, (above, under)
        left, right = (page.get_by_role("button", name=f"{side} is better").bounding_box() for side in "AB")
        assert left
        assert right
        # Both sides of a vote weigh the same.
        assert (left["width"], left["height"]) == (right["width"], right["height"])
        before = [box["x"] for box in boxes(panels)]
        page.get_by_role("button", name="B is better").click()
        expect(page.get_by_role("list", name="What others picked")).to_be_visible()
        assert [box["x"] for box in boxes(panels)] == before
