"""Was it worth it? A saved consortium or team beside its best member, by votes and cost."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from parley.features.standings.runtime import StandingsRuntime
from parley.storage.database import Database
from tests.api.test_leaderboard import settled
from tests.fakes.ballot_box import BallotBox, put
from tests.fakes.running import RunningParley, a_running_parley

SEATS = {
    "consortium": {"a": "ada", "b": "bob", "arbiter": "judge"},
    "team": {"a": "ada", "b": "bob", "c": "judge"},
}
COSTS = {"ada": 100, "bob": 50, "judge": 50, "outside": 10}
ENSEMBLE_COST = 510
METRICS = {"ttft_ms": 100, "duration_ms": 2000, "output_tokens": 50}

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=("ada", "bob", "judge", "outside")) as running:
        yield running


async def save(parley: RunningParley, mode: str) -> Any:
    asked = {"mode": mode, "name": "Board", "seats": SEATS[mode], "contestant": True}
    return (await parley.post("/api/presets", asked))["model_id"]


async def meet(parley: RunningParley, one: str, other: str, *, won: int, lost: int) -> None:
    """Cast counted votes between two models, each on the left in turn; a reply has the cost of its model."""
    box = BallotBox()
    rows = [_vote(box, *((one, other) if at % 2 else (other, one)), one) for at in range(won)]
    rows += [_vote(box, *((one, other) if at % 2 else (other, one)), other) for at in range(lost)]
    await put(parley.application[Database], rows)
    parley.application[StandingsRuntime].wake()
    await settled(parley)


def _vote(box: BallotBox, left: str, right: str, winner: str) -> dict[str, Any]:
    sides = {"left": left, "right": right}
    seats = {
        side: {"model_id": model, "metrics": {**METRICS, "cost_micros": COSTS.get(model, ENSEMBLE_COST)}}
        for side, model in sides.items()
    }
    given = {"left_model_id": left, "right_model_id": right, "seats": sides, "result": {"seats": seats}}
    given |= {"choice": "left" if winner == left else "right", "counted": True, "not_counted_reason": None}
    return box.rows(1, **given)[0]


async def worth_of(parley: RunningParley, model_id: str) -> Any:
    return (await parley.get(f"/api/models/{model_id}/stats"))["worth"]


@pytest.mark.parametrize("mode", SEATS)
async def test_an_ensemble_is_compared_with_the_member_that_the_votes_put_first(
    parley: RunningParley, mode: str
) -> None:
    board = await save(parley, mode)
    assert await worth_of(parley, board) == {"best": None, "decision": None, "cost_factor": None}
    await meet(parley, "outside", "ada", won=9, lost=1)
    await meet(parley, "ada", "bob", won=20, lost=10)
    await meet(parley, board, "ada", won=8, lost=6)
    worth = await worth_of(parley, board)
    assert worth["best"]["id"] == "ada", "the best member, not the best model"
    assert worth["cost_factor"] == 5.1
    decision = worth["decision"]
    assert (decision["model"], decision["other"], decision["decided"]) == (board, "ada", False)
    assert decision["lead_low"] < 0 < decision["lead"] < decision["lead_high"]
    assert decision["lead_high"] - decision["lead"] == pytest.approx(decision["lead"] - decision["lead_low"])
    assert decision["votes_needed"] > 0
    await meet(parley, board, "ada", won=300, lost=100)
    decided = (await worth_of(parley, board))["decision"]
    assert (decided["decided"], decided["votes_needed"]) == (True, 0)
    assert decided["lead_low"] > 0


async def test_each_version_is_compared_by_its_own_votes(parley: RunningParley) -> None:
    first = await save(parley, "team")
    await meet(parley, first, "ada", won=8, lost=6)
    preset = (await parley.get("/api/presets?mode=team"))["presets"][0]
    changed = await parley.client.request(
        "PATCH", f"/api/presets/{preset['id']}", json={"brief": {"rounds": 1}}
    )
    second = changed.json()["model_id"]
    assert (await worth_of(parley, second)) | {"best": None} == {
        "best": None,
        "decision": None,
        "cost_factor": None,
    }
    assert await worth_of(parley, first) is None, "its members are those of the next version"


async def test_a_single_model_has_no_members_to_be_compared_with(parley: RunningParley) -> None:
    assert await worth_of(parley, "ada") is None
