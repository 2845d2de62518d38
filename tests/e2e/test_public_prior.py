"""The public prior in a real browser: the leaderboard says what it starts from, and whether it helps."""

from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import NewPage, serve
from tests.e2e.test_frame import check_screen
from tests.e2e.test_voters import MODELS, judged_file

COUNTS = "model_a,model_b,wins_a,wins_b,ties\n" + "".join(
    f"{one},{other},{60 + 10 * (second - first)},40,10\n"
    for first, one in enumerate(MODELS)
    for second, other in enumerate(MODELS)
    if first < second
)


def test_the_board_says_what_it_starts_from_and_whether_it_helps(tmp_path: Path, new_page: NewPage) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        headers = {"Accept": "application/json", "Origin": served.url}
        imported = page.request.post(
            f"{served.url}/api/votes/import?name=votes.jsonl",
            data=judged_file(300, 0),
            headers={**headers, "Content-Type": "application/x-ndjson"},
        )
        assert imported.json()["imported"] == 300
        put = page.request.put(
            f"{served.url}/api/leaderboard/prior?name=counts.csv&weight=90&source=The%20public%20arena",
            data=COUNTS,
            headers={**headers, "Content-Type": "text/csv"},
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
