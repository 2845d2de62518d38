"""Tests of vote health: what it says of voters and of what they move, against sums written without the product."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from parley.features.accounts.service import AccountsService
from parley.features.standings.health_schemas import VoteHealth, VoterQuery
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.voter_repository import FAST_MS
from parley.ratings.scale import POINTS
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, put, standings_of
from tests.features.standings.test_voter_exclusions import PLANNER, planned
from tests.features.standings.test_worker import settle

OWNER = AccountsService.owner("command")
MODELS = [f"model-{number}" for number in range(6)]
NOBODY = "no-judge"


async def crowd(database: Database) -> tuple[StandingsRuntime, list[dict[str, Any]]]:
    """Return settled standings and their votes: a crowd, one who pushes model-0, and votes without a voter."""
    box = BallotBox(models=MODELS, uncounted=0)
    rows = [*box.rows(300), *planned(box), *box.rows(20)]
    for row in rows[-20:]:
        row["voter_id"] = row["id"]
    for number, row in enumerate(rows):
        row["read_ms"] = None if number % 4 == 0 else 100 * number
    rows += box.rows(7, voter_id="0" * 32, counted=False, not_counted_reason="duplicate_prompt")
    await put(database, rows)
    standings = standings_of(database)
    await settle(standings)
    return standings, rows


def points(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the strengths of the models by plain maximum likelihood, a tie being half a win."""
    place = {model: number for number, model in enumerate(MODELS)}
    share = {"left": 1.0, "right": 0.0}
    left = np.array([place[row["left_model_id"]] for row in rows])
    right = np.array([place[row["right_model_id"]] for row in rows])
    won = np.array([share.get(row["choice"], 0.5) for row in rows])

    def loss(theta: Any) -> float:
        lead = theta[left] - theta[right]
        return float(np.logaddexp(0.0, lead).sum() - won @ lead + 1e-9 * theta @ theta)

    theta = minimize(loss, np.zeros(len(MODELS)), method="BFGS", options={"gtol": 1e-7}).x
    theta -= theta.mean()
    return {model: POINTS * float(value) for model, value in zip(MODELS, theta, strict=True)}


async def test_it_counts_voters_duplicates_speed_and_sides(database: Database) -> None:
    standings, rows = await crowd(database)
    counted = [row for row in rows if row["counted"]]
    each = Counter(row["voter_id"] for row in counted)
    timed = sorted(row["read_ms"] for row in counted if row["read_ms"] is not None)
    health = await standings.health.read()
    assert (health.votes, health.voters, health.unknown, health.duplicates) == (len(counted), 6, 20, 7)
    kish = len(counted) ** 2 / sum(votes**2 for votes in each.values())
    assert health.effective_voters == pytest.approx(kish, abs=0.05)
    assert health.top_share == pytest.approx(max(each.values()) / len(counted), abs=1e-4)
    sides = Counter(row["choice"] for row in counted)
    assert (health.left_wins, health.right_wins) == (sides["left"], sides["right"])
    speed = health.speed
    fast = sum(ms < FAST_MS for ms in timed)
    assert (speed.timed, speed.fast, speed.p50) == (len(timed), fast, timed[len(timed) // 2])
    page = await standings.health.voters(VoterQuery(limit=3))
    assert page.total == 6
    assert [line.votes for line in page.voters] == [votes for _, votes in each.most_common(3)]
    (zero,) = [it for it in (await standings.health.voters(VoterQuery())).voters if it.voter_id == "0" * 32]
    times = sorted(
        row["read_ms"] for row in counted if row["voter_id"] == "0" * 32 and row["read_ms"] is not None
    )
    assert (zero.duplicates, zero.timed, zero.read_ms_p50) == (7, len(times), times[len(times) // 2])


async def test_pages_follow_each_other_in_every_order(database: Database) -> None:
    standings, _ = await crowd(database)
    for sort_by in ("votes", "evidence", "prompts", "duplicates", "fast", "last_vote"):
        whole = await standings.health.voters(VoterQuery(sort_by=sort_by))
        parts = [
            (await standings.health.voters(VoterQuery(sort_by=sort_by, limit=4, offset=start))).voters
            for start in (0, 4)
        ]
        assert [*parts[0], *parts[1]] == whole.voters
        assert len({line.voter_id for line in whole.voters}) == 6
    by_evidence = await standings.health.voters(VoterQuery(sort_by="evidence"))
    assert by_evidence.voters[0].voter_id == PLANNER
    rising = await standings.health.voters(VoterQuery(sort_by="duplicates", order="asc"))
    assert rising.voters[-1].duplicates == 7


async def test_evidence_rises_as_a_plan_goes_on_and_ends_at_that_of_the_flag(database: Database) -> None:
    standings, _ = await crowd(database)
    line = (await standings.health.voters(VoterQuery(sort_by="evidence"))).voters[0]
    assert line.flag is not None
    assert line.evidence == pytest.approx(np.log10(line.flag.e_value), abs=0.01)
    assert line.course[-1].votes == line.votes == line.flag.votes
    found = [point.evidence for point in line.course if point.evidence is not None]
    assert len(found) > 10
    assert found == sorted(found)
    assert [point.at for point in line.course] == sorted(point.at for point in line.course)
    assert [point.votes for point in line.course if point.evidence is None] == [
        point.votes for point in line.course if point.votes < 10
    ], "ten distinct prompts are needed"


async def test_an_exclusion_moves_the_table_by_what_fits_with_and_without_the_voter_say(
    database: Database,
) -> None:
    standings, rows = await crowd(database)
    counted = [row for row in rows if row["counted"]]
    with_them = points(counted)
    without = points([row for row in counted if row["voter_id"] != PLANNER])
    await expect_effect(await standings.health.read(), with_them, without, excluded=False)
    await standings.voters.exclude(OWNER, PLANNER)
    await settle(standings)
    excluded = await standings.health.read()
    await expect_effect(excluded, with_them, without, excluded=True)
    line = (await standings.health.voters(VoterQuery(sort_by="evidence"))).voters[0]
    planned_votes = sum(row["voter_id"] == PLANNER for row in rows)
    assert (line.votes, line.excluded, line.prompts) == (0, planned_votes, planned_votes)
    assert line.evidence is not None
    assert line.evidence > 2, "what was excluded still shows the plan"
    assert {card.id for card in excluded.models} >= {move.model for move in excluded.exclusions[0].moves}


async def expect_effect(
    health: VoteHealth, with_them: dict[str, float], without: dict[str, float], *, excluded: bool
) -> None:
    (effect,) = health.exclusions
    assert (effect.voter_id, effect.excluded) == (PLANNER, excluded)
    assert effect.moves[0].model == "model-0"
    for move in effect.moves:
        assert move.rating_with is not None
        assert move.rating_without is not None
        change = with_them[move.model] - without[move.model]
        assert move.rating_with - move.rating_without == pytest.approx(change, abs=0.01)


async def test_the_top_is_tried_without_each_voter(database: Database) -> None:
    standings, rows = await crowd(database)
    counted = [row for row in rows if row["counted"]]
    table = points(counted)
    top, second = sorted(table, key=lambda model: -table[model])[:2]
    found = (await standings.health.read()).top
    assert found is not None
    assert (found.top, found.second, found.tried) == (top, second, 6)
    assert found.lead == pytest.approx(table[top] - table[second], abs=0.01)
    leads: dict[str, float] = {}
    for voter in {row["voter_id"] for row in counted if row["voter_id"] != row["id"]}:
        left = points([row for row in counted if row["voter_id"] != voter])
        leads[voter] = left[top] - max(value for model, value in left.items() if model != top)
    assert {it.voter_id: it.lead for it in found.voters} == pytest.approx(leads, abs=0.01)
    assert [it.voter_id for it in found.voters] == sorted(leads, key=lambda voter: leads[voter])
    assert found.changing == sum(lead < 0 for lead in leads.values())


async def test_it_says_whose_removal_changes_the_first_place(database: Database) -> None:
    box = BallotBox(models=MODELS, uncounted=0)
    rows = box.rows(300)
    pusher = [row for row in box.rows(240, voter_id=PLANNER) if "model-5" in row["seats"].values()]
    for row in pusher:
        row["choice"] = "left" if row["left_model_id"] == "model-5" else "right"
    await put(database, [*rows, *pusher])
    standings = standings_of(database)
    await settle(standings)
    found = (await standings.health.read()).top
    assert found is not None
    table = points(rows)
    first = max(table, key=lambda model: table[model])
    assert (found.top, found.changing) == ("model-5", 1)
    worst = found.voters[0]
    assert (worst.voter_id, worst.first, worst.votes) == (PLANNER, first, len(pusher))
    assert worst.lead == pytest.approx(table["model-5"] - table[first], abs=0.01)


async def test_nothing_is_read_again_until_the_standings_change(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.features.standings.vote_health.REST", 0.0)
    standings, _ = await crowd(database)
    first = await standings.health.read()
    assert (await standings.health.read()).exclusions is first.exclusions
    await BallotBox(models=MODELS, uncounted=0, seed=9).cast(database, 1)
    await settle(standings)
    later = await standings.health.read()
    assert (later.votes, later.version > first.version) == (first.votes + 1, True)


async def test_evidence_that_takes_long_comes_with_the_next_requests(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    standings, _ = await crowd(database)
    monkeypatch.setattr("parley.features.standings.vote_health.WITHIN_S", 0.0)
    page = await standings.health.voters(VoterQuery())
    assert (page.pending, [line.pending for line in page.voters]) == (6, [True] * 6)
    assert [line.course for line in page.voters] == [[]] * 6
    assert all(line.votes for line in page.voters), "what is known already is there"
    monkeypatch.setattr("parley.features.standings.vote_health.WITHIN_S", 60.0)
    assert (await standings.health.voters(VoterQuery())).pending == 0
    monkeypatch.setattr("parley.features.standings.vote_health.WITHIN_S", 0.0)
    assert (await standings.health.voters(VoterQuery())).pending == 0, "it is known now"


async def test_without_votes_there_is_nothing_to_say(database: Database) -> None:
    standings = standings_of(database)
    health = await standings.health.read()
    assert (health.votes, health.effective_voters, health.top, health.exclusions) == (0, 0.0, None, [])
    assert (await standings.health.voters(VoterQuery())).voters == []
