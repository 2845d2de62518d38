"""What the leaderboard says of sides: the scores that an uneven draw has moved, and where nothing can be told."""

import math
import random
from pathlib import Path

import msgspec
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served, import_votes, serve

STRENGTH = {"alpha-large": 0.5, "beta-mini": 0.0, "delta-8b": -0.5}
SIDE = 1.0
"""What the left side is worth to these people, in log-odds."""


def sided_file(votes: int, *, stronger_left: float) -> str:
    """Return votes in which the stronger model of a pair sits on the left that often."""
    chance = random.Random(3)
    lines: list[bytes] = []
    for number in range(votes):
        left, right = sorted(chance.sample(list(STRENGTH), 2), key=lambda it: -STRENGTH[it])
        if chance.random() > stronger_left:
            left, right = right, left
        won = chance.random() < 1.0 / (1.0 + math.exp(STRENGTH[right] - STRENGTH[left] - SIDE))
        row = {"model_a": left, "model_b": right, "winner": "model_a" if won else "model_b"}
        lines.append(
            msgspec.json.encode({**row, "judge": f"judge{number % 40}", "question_id": f"q{number}"})
        )
    return b"\n".join(lines).decode()


def open_board(page: Page, served: Served, file: str) -> None:
    import_votes(served, file, len(file.splitlines()))
    page.goto(f"{served.url}/leaderboard/overall")


def test_scores_that_uneven_sides_have_moved_are_named(tmp_path: Path, new_page: NewPage) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        open_board(page, served, sided_file(900, stronger_left=0.85))
        card = page.get_by_role("region", name="Left or right")
        expect(card).to_contain_text("changes these scores by more than chance", timeout=30_000)
        # Whoever sat on the left more often looks better than they are.
        expect(card.get_by_role("listitem").filter(has_text="alpha-large")).to_contain_text("−")
        expect(card.get_by_role("listitem").filter(has_text="delta-8b")).to_contain_text("+")
        check_screen(page, "sides")


def test_models_that_always_sat_on_the_same_side_leave_it_open(tmp_path: Path, new_page: NewPage) -> None:
    with serve(tmp_path / "data") as served:
        page = new_page(f"{served.url}/votes")
        file = sided_file(900, stronger_left=1.0)
        pairs = [line for line in file.splitlines() if '"model_b":"delta-8b"' in line and "alpha" in line]
        open_board(page, served, "\n".join(pairs))
        card = page.get_by_role("region", name="Left or right")
        expect(card).to_contain_text("a side can’t be told from the models", timeout=30_000)
