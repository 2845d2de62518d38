"""How the page is laid out: nothing is cut, two widths, one composer that stays where it is, a pool that is told."""

import itertools
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served, import_votes, serve
from tests.browser.test_battle import ask

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
            assert page.evaluate(CUT, "main [data-scroller]") == [], view
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
        expect(page.locator("tbody tr")).to_have_count(2, timeout=15_000)
        expect(page.get_by_text("2 models with fewer than 5 votes are not shown.")).to_be_visible()
        expect(page.get_by_text("Group:")).to_have_count(0)
        page.get_by_role("button", name="Show them").click()
        expect(page.locator("tbody tr")).to_have_count(4)
        expect(page.locator("tbody tr").filter(has_text="apart")).to_contain_text("group 2")
        expect(page.get_by_text("Group:")).to_be_visible()


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
    expect(last).to_contain_text("provisional")
    expect(last.locator("td").nth(1)).to_have_text("4")
    decision = page.get_by_role("region", name="Is the result clear?")
    expect(decision).to_contain_text("is better than")
    expect(decision).not_to_contain_text("newcomer")
    # Each organisation has a colour and letters of its own.
    marks = page.locator("tbody [data-mark]")
    expect(marks).to_have_count(4)
    colors = marks.evaluate_all("marks => marks.map(mark => getComputedStyle(mark).backgroundColor)")
    assert len(set(colors)) == 4
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
    expect(figures.filter(has_text="Elo")).to_contain_text("updated per vote, starts at 1500")


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


def test_the_pool_is_named_the_composer_stays_and_the_reveal_leads_to_the_models_line(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(demo.url)
    page.get_by_role("button", name="Pool: ").click()
    pool = page.get_by_role("dialog", name="Pool")
    expect(pool).to_contain_text("Every pair is equally likely")
    names = page.request.get(f"{demo.url}/api/models").json()["models"]
    expect(pool.get_by_role("listitem")).to_have_count(len(names))
    check_screen(page, "pool")
    page.keyboard.press("Escape")
    expect(pool).to_have_count(0)
    form = page.get_by_role("form", name="Composer")

    def place() -> tuple[int, int, int]:
        box = form.bounding_box()
        assert box
        return round(box["x"]), round(box["width"]), round(box["y"] + box["height"])

    expect(form).to_be_visible()
    first = place()
    for mode in ("Chat", "Consortium", "Battle"):
        page.get_by_role("radio", name=mode).click()
        expect(page.get_by_role("radio", name=mode)).to_be_checked()
        assert place() == first, mode
    ask(page, "What is 17% of 3,120, step by step?")
    better = page.get_by_role("button", name="A is better")
    expect(better).to_be_visible(timeout=30_000)
    assert place() == first, "ballot"
    better.click()
    side = page.get_by_role("region", name="Assistant A")
    expect(side).to_contain_text("updated per vote")
    assert place() == first, "verdict"
    name = side.get_by_role("heading").first.get_by_role("link").inner_text()
    side.get_by_role("link", name="On the leaderboard").click()
    row = page.locator("tr[aria-current]")
    expect(row).to_contain_text(name)
    expect(row).to_be_in_viewport()
