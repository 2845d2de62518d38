"""The public prior in a real browser: the leaderboard says what it starts from, and whether it helps."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import import_votes, serve
from tests.browser.test_voters import MODELS, judged_file

COUNTS = "model_a,model_b,wins_a,wins_b,ties\n" + "".join(
    f"{one},{other},{60 + 10 * (second - first)},40,10\n"
    for first, one in enumerate(MODELS)
    for second, other in enumerate(MODELS)
    if first < second
)


def test_the_board_says_what_it_starts_from_and_whether_it_helps(tmp_path: Path, new_page: NewPage) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        import_votes(served, judged_file(300, 0), 300)
        put = page.request.put(
            f"{served.url}/api/leaderboard/prior?name=counts.csv&weight=90&source=The%20public%20arena",
            data=COUNTS,
            headers={"Accept": "application/json", "Origin": served.url, "Content-Type": "text/csv"},
        )
        assert put.ok, put.text()
        page.goto(f"{served.url}/leaderboard/overall")
        card = page.get_by_role("region", name="Public prior")
        expect(card).to_contain_text(
            "Starts from The public arena: counts as 90 votes (own votes: 300).", timeout=30_000
        )
        expect(card).to_contain_text("held out", timeout=30_000)
        check_screen(page, "public prior")
        page.get_by_role("link", name="How the prior counts").click()
        expect(page.get_by_role("heading", name="Public prior")).to_be_visible()
        page.goto(f"{served.url}/leaderboard/coding")
        expect(
            page.get_by_role("region", name="Is the result clear?").or_(page.get_by_text("No votes")).first
        ).to_be_visible()
        expect(card).to_have_count(0)


def test_whoever_runs_the_server_sets_a_prior_on_the_page(tmp_path: Path, new_page: NewPage) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text(COUNTS.replace(f"{MODELS[0]},", "A public name,"), encoding="utf-8")
    empty = tmp_path / "empty.csv"
    empty.write_text("model_a,model_b,wins_a,wins_b,ties\n", encoding="utf-8")
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/leaderboard/overall")
        card = page.get_by_role("region", name="Public prior")
        page.route("**/api/leaderboard/prior", lambda route: route.abort())
        card.get_by_role("button", name="Set prior").click()
        dialog = page.get_by_role("dialog", name="Public prior")
        expect(dialog.get_by_role("alert")).to_be_visible()
        import_votes(served, judged_file(300, 0), 300)
        board = page.get_by_role("table", name="Leaderboard", include_hidden=True)
        expect(board).to_have_count(1, timeout=30_000)
        expect(dialog).to_be_visible()
        page.unroute("**/api/leaderboard/prior")
        page.keyboard.press("Escape")
        card.get_by_role("button", name="Set prior").click()
        dialog.get_by_label("File of results").set_input_files(empty)
        dialog.get_by_role("button", name="Set prior").click()
        expect(dialog.get_by_role("alert")).to_contain_text("no results between two of your models")
        dialog.get_by_label("File of results").set_input_files(counts)
        dialog.get_by_label("Weight, in votes").fill("90")
        dialog.get_by_label("Source").fill("The public arena")
        dialog.get_by_role("button", name="Set prior").click()
        expect(dialog.get_by_role("status")).to_contain_text("none of your models: 1.")
        check_screen(page, "setting a prior")
        name = dialog.get_by_label("Model for A public name")
        dialog.get_by_label("File of results").set_input_files(empty)
        expect(name).to_have_count(0)
        dialog.get_by_label("File of results").set_input_files(counts)
        dialog.get_by_role("button", name="Save").click()
        name.select_option(label=MODELS[0])
        dialog.get_by_role("button", name="Save").click()
        expect(dialog).to_have_count(0)
        expect(card).to_contain_text("Starts from The public arena: counts as 90 votes", timeout=30_000)
        prior = page.request.get(f"{served.url}/api/leaderboard/prior").json()["prior"]
        assert (prior["unmatched_names"], prior["usable"]) == (0, prior["published"])
        page.reload()
        card.get_by_role("button", name="Change").click()
        expect(dialog.get_by_label("Weight, in votes")).to_have_value("90")
        dialog.get_by_role("button", name="Remove prior").click()
        dialog.get_by_role("button", name="Confirm removal").click()
        expect(dialog).to_have_count(0)
        expect(card.get_by_role("button", name="Set prior")).to_be_visible(timeout=30_000)
        assert page.request.get(f"{served.url}/api/leaderboard/prior").json() == {"prior": None}
