"""The leaderboard and the pages around it, in a real browser, over votes that came from a file or a battle."""

import random
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen, set_theme
from tests.browser.servers import Served, import_votes, serve
from tests.browser.test_battle import ask
from tests.browser.test_late_answers import TYPE
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("alpha-large", "beta-mini", "gamma", "delta-70b", "epsilon", "zeta")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley whose leaderboard stands on 300 votes of six models, half of them about code."""
    with serve(tmp_path_factory.mktemp("board") / "data") as served:
        import_votes(served, votes_file(300), 300)
        yield served


def votes_file(votes: int) -> str:
    """Return votes in LMArena's columns; the earlier a model stands in the list, the more it wins."""
    chance = random.Random(5)
    lines = ["model_a,model_b,winner,judge,tstamp,parley_categories"]
    for number in range(votes):
        a, b = chance.sample(range(len(MODELS)), 2)
        first = chance.random() < 0.5 + 0.08 * (b - a)
        winner = "model_a" if first else chance.choice(["model_b", "model_b", "tie", "tie (bothbad)"])
        category = "[]" if number % 2 else '"[""coding""]"'
        lines.append(
            f"{MODELS[a]},{MODELS[b]},{winner},judge{number % 17},{1_760_000_000 + number * 900},{category}"
        )
    return "\n".join(lines)


def names(page: Page) -> list[str]:
    """Return the models of the table, from above, once it is there."""
    expect(page.locator("tbody tr").first).to_be_visible()
    return [text.strip() for text in page.locator("tbody th").get_by_role("link").all_inner_texts()]


def test_the_view_stands_in_the_address_win_rates_are_a_grid_and_history_has_a_table(
    board: Served, new_page: NewPage
) -> None:
    page = new_page(f"{board.url}/leaderboard")
    views = {"Intervals": "confidence", "Win rates": "win-rates", "History": "history"}
    for view, name in views.items():
        page.get_by_role("radio", name=view).click()
        page.wait_for_url(f"**/leaderboard/overall?view={name}")
    page.reload()
    expect(page.get_by_role("radio", name="History")).to_be_checked()
    page.goto(f"{board.url}/leaderboard?view=win-rates")
    expect(page.get_by_role("radio", name="Win rates")).to_be_checked()
    page.get_by_role("radio", name="Table", exact=True).click()
    page.wait_for_url("**/leaderboard/overall")
    page.goto(f"{board.url}/leaderboard/overall?view=win-rates")
    grid = page.get_by_role("grid")
    grid.locator("td[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("region", name="Win rates")).to_contain_text(re.compile(r"won \d+% of \d+ votes"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/head-to-head/**")
    page.goto(f"{board.url}/leaderboard/overall?view=history")
    expect(page.get_by_role("img", name=re.compile("Scores over time of"))).to_be_visible()
    page.get_by_role("button", name="Show as table").click()
    expect(page.get_by_role("columnheader", name="alpha-large")).to_be_visible()


def test_a_vote_in_one_tab_moves_the_table_in_another(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage
) -> None:
    upstream.reply("Yes.")  # so short that no vote on it is too fast to count
    table = new_page(f"{connected.url}/leaderboard/overall?min_votes=1")
    expect(table.get_by_text("live", exact=True)).to_be_visible()
    voter = new_page(connected.url)
    ask(voter, "Is water wet?")
    voter.get_by_role("button", name="Tie").click(timeout=30_000)
    expect(table.locator("main > header")).to_contain_text("1 vote ·")
    expect(table.locator("tbody tr")).to_have_count(2)

    expect(voter.get_by_role("region", name="Result")).to_be_visible()
    link = voter.get_by_role("link", name="View on leaderboard")
    expect(link).to_have_attribute("href", re.compile("/leaderboard/"))
    voter.get_by_role("link", name="Head-to-head").click()
    expect(voter.get_by_role("region", name="Result", exact=True)).to_contain_text("Tie")


def test_categories_methods_sorting_search_and_filters_stand_in_the_address(
    board: Served, new_page: NewPage
) -> None:
    page = new_page(f"{board.url}/leaderboard")
    expect(page.get_by_role("table")).to_be_visible()
    page.wait_for_url("**/leaderboard/overall")
    ranked = names(page)
    assert ranked[0] == "alpha-large"
    head = page.get_by_role("columnheader", name="Model")
    assert head.get_attribute("aria-sort") is None
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert names(page) == sorted(MODELS)
    head.get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"sort_by=name&order=desc"))
    page.reload()
    expect(head).to_have_attribute("aria-sort", "descending")
    assert names(page) == sorted(MODELS, reverse=True)

    page.keyboard.press("/")
    page.keyboard.type("eta")
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page).to_have_url(re.compile("search=eta"))
    assert names(page) == ["zeta", "beta-mini"]
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Min votes").select_option("1000")
    expect(page).to_have_url(re.compile("min_votes=1000"))
    expect(page.get_by_text("6 models with fewer than 1,000 votes are not shown.")).to_be_visible()

    page.goto(f"{board.url}/leaderboard/overall")
    page.get_by_role("button", name="Category Overall").click()
    page.get_by_role("menuitem", name="Coding").click()
    expect(page.locator("main > header")).to_contain_text("150 votes")
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Score").select_option("Elo")
    expect(page).to_have_url(re.compile("method=elo"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="is first by Elo")).to_be_visible()
    expect(page.get_by_role("region", name="Votes not counted")).to_be_visible()


def test_long_names_leave_every_row_as_high_and_marks_say_their_words(
    tmp_path: Path, new_page: NewPage
) -> None:
    long = "hf.co/somebody/Some-Model-With-A-Very-Long-Name-Instruct-2507-GGUF:Q4_K_M"
    with serve(tmp_path / "data") as served:
        import_votes(served, votes_file(300).replace("gamma", long).replace("judge3", "judge1"), 300)
        page = new_page(f"{served.url}/leaderboard/overall")
        expect(page.get_by_role("heading", name=re.compile("leads|share first place"))).to_be_visible()
        mark = page.locator("tbody [data-tooltip]").first
        mark.focus()
        expect(page.get_by_role("tooltip")).to_contain_text("of what the votes say about this model")
        for width in (640, 820, 1440, 1920):
            page.set_viewport_size({"width": width, "height": 900})
            heights = page.locator("tbody tr").evaluate_all(
                "rows => rows.map(row => Math.round(row.offsetHeight))"
            )
            assert max(heights) - min(heights) <= 1, (width, heights)
            widths = page.locator("thead th").evaluate_all("cells => cells.map(cell => cell.offsetWidth)")
            assert widths.index(max(widths)) == 2, (width, widths)
        page.set_viewport_size({"width": 390, "height": 900})
        rows = page.get_by_role("list", name="Leaderboard").get_by_role("listitem")
        heights = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
        assert max(heights) - min(heights) <= 1, heights
        page.get_by_role("button", name="Filters").click()
        sheet = page.get_by_role("dialog", name="Filters")
        sheet.get_by_label("Sort by").select_option("name asc")
        expect(page).to_have_url(re.compile("sort_by=name"))


def test_a_young_table_shows_every_model_that_has_a_vote(tmp_path: Path, new_page: NewPage) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        import_votes(served, votes_file(12), 12)
        page.goto(f"{served.url}/leaderboard/overall")
        # One model has five votes, and a table of one line is none.
        expect(page.locator("main > header")).to_contain_text("12 votes")
        expect(page.locator("tbody tr")).to_have_count(len(MODELS))
        expect(page.get_by_text("with fewer than 5 votes are included")).to_be_visible()


def test_the_keyboard_walks_the_table_and_two_ticked_models_meet(board: Served, new_page: NewPage) -> None:
    page = new_page(f"{board.url}/leaderboard/overall")
    first, second = names(page)[:2]
    page.get_by_role("checkbox", name=f"Select {first}").focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(page.get_by_role("region", name="Head-to-head")).to_contain_text(f"{first} vs. {second}")
    page.keyboard.press("c")
    page.wait_for_url("**/head-to-head/**")
    expect(page.get_by_role("region", name="Result", exact=True)).to_contain_text(first)
    expect(page.get_by_role("region", name="Is the result clear?")).to_contain_text("is better than")
    page.get_by_role("region", name="Result", exact=True).get_by_role("link", name=second).click()
    expect(page.get_by_role("heading", name=second, level=1)).to_be_visible()
    expect(page.get_by_role("region", name="By opponent")).to_contain_text(first)
    page.go_back()
    page.go_back()
    page.get_by_role("link", name=second).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=first, level=1)).to_be_visible()


def test_a_file_of_votes_is_seen_before_it_is_imported_and_can_be_removed(
    demo: Served, new_page: NewPage
) -> None:
    page = new_page(f"{demo.url}/votes?import=true")
    rows = ["model_a,model_b,winner", "one,two,model_a", "one,two,perhaps", "two,one,tie"]
    file = FilePayload(name="votes.csv", mimeType="text/csv", buffer="\n".join(rows).encode())
    dialog = page.get_by_role("dialog", name="Import votes")
    dialog.locator("input[type=file]").set_input_files(file)
    expect(dialog.get_by_role("row", name=re.compile("^3"))).to_contain_text("winner")
    expect(dialog).to_contain_text("2 votes in 3 rows, between 2 models.")
    dialog.get_by_role("button", name="Import 2 votes").click()
    expect(dialog).to_contain_text("2 votes imported from votes.csv")
    dialog.get_by_role("button", name="Choose another file").click()
    dialog.get_by_role("button", name="Remove votes.csv", exact=True).click()
    dialog.get_by_role("button", name="Remove votes.csv with all its votes").click()
    expect(dialog.get_by_role("region", name="Imports")).to_have_count(0)


def test_a_vote_is_found_corrected_and_replayed(demo: Served, new_page: NewPage) -> None:
    page = new_page(demo.url)
    ask(page, "What is 17% of 4,180, step by step?")
    better = page.get_by_role("button", name="B is better")
    expect(better).to_be_visible(timeout=30_000)
    better.click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()

    page.goto(f"{demo.url}/votes")
    page.get_by_label("Search prompts and reasons").fill("4,180")
    page.wait_for_url(re.compile(r"search="))
    row = page.get_by_role("main").get_by_role("listitem").filter(has_text="What is 17% of 4,180")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Maths")
    row.get_by_role("button", name="Edit categories").click()
    page.get_by_role("checkbox", name="Maths").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(row).not_to_contain_text("Maths")

    row.get_by_role("link", name="Replay").click()
    side = page.get_by_role("region", name="Assistant A")
    expect(side.get_by_role("heading", name="Assistant A")).to_be_visible()
    page.get_by_role("radio", name="8×").click()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("main")).to_contain_text("You voted for")
    expect(side).to_contain_text("(demo)")
    page.get_by_label("Replay position").fill("0")
    expect(side.get_by_role("heading", name="Assistant A")).to_be_visible()


@pytest.mark.slow
def test_the_pages_of_the_standings_are_accessible_and_fit(board: Served, new_page: NewPage) -> None:
    page = new_page("about:blank")
    page.goto(f"{board.url}/leaderboard/overall")
    links = page.get_by_role("main").get_by_role("link", name="alpha-large")
    model = links.first.get_attribute("href")
    other = page.get_by_role("main").get_by_role("link", name="gamma").first.get_attribute("href")
    assert model
    assert other
    pair = f"/head-to-head/{model.rsplit('/', 1)[1]}/{other.rsplit('/', 1)[1]}"
    for path, seen in {
        "/leaderboard/overall": "alpha-large",
        "/leaderboard/overall?view=confidence": "alpha-large",
        "/leaderboard/overall?view=win-rates": "alpha-large",
        "/leaderboard/overall?view=history": "alpha-large",
        "/leaderboard/maths": "No votes",
        model: "By opponent",
        pair: "By side",
        "/votes": "No votes yet",
        "/votes?import=true": "Drop a file here",
        "/leaderboard/method": "From votes to scores",
        "/leaderboard/voters": "All voters",
    }.items():
        page.goto(f"{board.url}{path}")
        expect(page.get_by_text(seen).locator("visible=true").first).to_be_visible()
        set_theme(page, "dark")
        check_screen(page, path)
        page.set_viewport_size({"width": 390, "height": 900})
        set_theme(page, "light")
        expect(page.get_by_text(seen).locator("visible=true").first).to_be_visible()
        check_screen(page, f"{path} on a phone")
        page.set_viewport_size({"width": 1440, "height": 900})


def test_letters_of_a_search_that_come_faster_than_the_board_is_drawn_are_kept(
    board: Served, new_page: NewPage
) -> None:
    page = new_page(f"{board.url}/leaderboard")
    expect(page.locator("tbody tr")).to_have_count(len(MODELS))
    field = page.get_by_role("searchbox", name="Search models")
    field.evaluate(TYPE, list("gamma"))
    expect(field).to_have_value("gamma")
    expect(page.locator("tbody tr")).to_have_count(1)
    page.wait_for_url("**/leaderboard/overall?search=gamma")
    page.reload()
    expect(field).to_have_value("gamma")
