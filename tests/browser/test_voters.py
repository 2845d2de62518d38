"""The voters' page in a real browser: evidence, what excluding moves, and excluding in place."""

import random
import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import import_votes, serve

MODELS = ("alpha-large", "beta-mini", "gamma", "delta-70b", "epsilon", "zeta")


def judged_file(votes: int, pushed: int) -> str:
    """Return votes with their conversations: those of a crowd, and of one who always prefers the last model."""
    chance = random.Random(7)
    lines: list[str] = []

    def add(a: int, b: int, winner: str, judge: str, prompt: str) -> None:
        talks = {
            side: [
                {"role": "user", "content": prompt},
                {"role": "assistant", "content": f"{chance.random()} is the answer to this"},
            ]
            for side in ("conversation_a", "conversation_b")
        }
        row = {"model_a": MODELS[a], "model_b": MODELS[b], "winner": winner, "judge": judge, **talks}
        lines.append(msgspec.json.encode({**row, "tstamp": 1_760_000_000 + 900 * len(lines)}).decode())

    for number in range(votes):
        a, b = chance.sample(range(len(MODELS)), 2)
        winner = "model_a" if chance.random() < 0.5 + 0.08 * (b - a) else "model_b"
        add(a, b, winner, f"judge{number % 29}", f"Question {number}")
    for number in range(pushed):
        a, b = chance.sample((len(MODELS) - 1, chance.randrange(len(MODELS) - 1)), 2)
        add(a, b, "model_a" if a > b else "model_b", "pusher", f"Push {number}")
    return "\n".join(lines)


@pytest.mark.slow
def test_the_voters_page_shows_who_pushes_a_model_and_excludes_them_in_place(
    tmp_path: Path, new_page: NewPage
) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        import_votes(served, judged_file(400, 60), 460)
        page.goto(f"{served.url}/leaderboard/overall")
        expect(page.get_by_role("region", name="Voters to check")).to_be_visible(timeout=30_000)
        page.get_by_role("link", name="All voters").click()
        page.wait_for_url("**/leaderboard/voters")
        expect(page.get_by_label("Figures")).to_contain_text("Effective voters")
        table = page.get_by_role("table", name="All voters")
        expect(table.locator("tbody tr")).to_have_count(25)
        head = table.get_by_role("columnheader", name="Evidence")
        head.get_by_role("button").focus()
        page.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", "descending")
        expect(page).to_have_url(re.compile("by=evidence"))
        first = table.locator("tbody tr").first
        expect(first).to_contain_text("Flagged")
        expect(first.get_by_role("img", name=re.compile("^Evidence over 60 votes"))).to_be_visible()
        moves = page.get_by_role("region", name="Scores without flagged voters")
        expect(moves.get_by_role("row", name=re.compile("zeta"))).to_contain_text("−")
        check_screen(page, "voters")
        first.get_by_role("button", name=re.compile("^Exclude votes of")).click()
        expect(first).to_contain_text("60 excluded")
        expect(first.get_by_role("button", name=re.compile("^Reinstate"))).to_be_visible()
        expect(page.get_by_label("Figures")).to_contain_text("400")
        page.get_by_role("button", name="Next").click()
        expect(table.locator("tbody tr")).to_have_count(5)
        page.reload()
        expect(page.get_by_text("26–30 of 30")).to_be_visible()
