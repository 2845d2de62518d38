"""Tests of flagged voters in the database: proposed by the worker, excluded and reinstated by an operator."""

from typing import Any

import pytest

from parley.features.accounts.service import AccountsService
from parley.features.standings.runtime import StandingsRuntime
from parley.kernel.errors import Conflict, NotFound
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, counts_due, counts_stored, put, standings_of
from tests.features.standings.test_worker import settle

PLANNER = "f" * 32
OWNER = AccountsService.owner("command")


async def test_a_voter_who_follows_a_plan_is_flagged_and_every_vote_still_counts(
    database: Database,
) -> None:
    box, standings = (
        BallotBox(models=[f"model-{number}" for number in range(6)], uncounted=0),
        standings_of(database),
    )
    await box.cast(database, 300)
    plan = planned(box)
    await put(database, plan)
    await settle(standings)
    assert standings.tables.snapshot.uncounted_in("overall") == {}
    assert standings.tables.snapshot.votes("overall") == 300 + len(plan)
    assert await counts_stored(database) == await counts_due(database)
    (flag,) = await standings.voters.voters()
    assert (flag.voter_id, flag.pattern, flag.model_id) == (PLANNER, "pushes", "model-0")
    assert (flag.votes, flag.prompts, flag.e_value > 100) == (len(plan), len(plan), True)
    await box.cast(database, 1, voter_id=PLANNER, prompt_sha256="f" * 64)
    await settle(standings)
    (again,) = await standings.voters.voters()
    assert (again.votes, again.flagged_at) == (len(plan) + 1, flag.flagged_at), "flagged once"
    assert again.examined_at > flag.examined_at
    assert (await check_audit(database)).exclusions == 0


async def test_an_operator_excludes_a_flagged_voter_and_reinstates_them_with_one_act(
    database: Database,
) -> None:
    standings = await flagged(database)
    before = standings.tables.snapshot.table("overall", "bradley-terry").lines
    excluded = await standings.voters.exclude(OWNER, PLANNER)
    assert (excluded.excluded_by, excluded.excluded_at is not None) == (str(OWNER), True)
    await settle(standings)
    assert standings.tables.snapshot.uncounted_in("overall") == {"excluded_voter": excluded.votes}
    assert standings.tables.snapshot.votes("overall") == 300
    assert await counts_stored(database) == await counts_due(database)
    report = await check_audit(database)
    assert (report.ok, report.exclusions) == (True, excluded.votes)
    assert (await standings.worker.rebuild()).corrected == 0
    (flag,) = await standings.voters.voters()
    assert flag == excluded, "nothing of theirs counts, and the evidence stays"
    reinstated = await standings.voters.reinstate(OWNER, PLANNER)
    assert (reinstated.excluded_at, reinstated.excluded_by) == (None, None)
    await settle(standings)
    assert standings.tables.snapshot.table("overall", "bradley-terry").lines == before
    report = await check_audit(database)
    assert (report.ok, report.exclusions) == (True, 0)
    assert await counts_stored(database) == await counts_due(database)


async def test_only_flagged_voters_are_excluded_and_only_excluded_ones_reinstated(database: Database) -> None:
    standings = await flagged(database)
    with pytest.raises(NotFound, match="not flagged"):
        await standings.voters.exclude(OWNER, "0" * 32)
    with pytest.raises(Conflict, match="not excluded"):
        await standings.voters.reinstate(OWNER, PLANNER)
    assert (await check_audit(database)).exclusions == 0


async def test_later_votes_of_an_excluded_voter_count_until_they_are_excluded_too(database: Database) -> None:
    standings = await flagged(database)
    first = await standings.voters.exclude(OWNER, PLANNER)
    await BallotBox(models=["model-0", "model-1"], uncounted=0).cast(database, 30, voter_id=PLANNER)
    await settle(standings)
    assert standings.tables.snapshot.votes("overall") == 330
    await standings.voters.exclude(OWNER, PLANNER)
    await settle(standings)
    assert standings.tables.snapshot.uncounted_in("overall") == {"excluded_voter": first.votes + 30}


async def flagged(database: Database) -> StandingsRuntime:
    """Return settled standings with one flagged voter, whose votes count."""
    box = BallotBox(models=[f"model-{number}" for number in range(6)], uncounted=0)
    standings = standings_of(database)
    await box.cast(database, 300)
    await put(database, planned(box))
    await settle(standings)
    return standings


def planned(box: BallotBox) -> list[dict[str, Any]]:
    """Return votes of somebody who always votes for model-0, each on a prompt of its own."""
    rows = [row for row in box.rows(400, voter_id=PLANNER) if "model-0" in row["seats"].values()]
    for number, row in enumerate(rows):
        row["prompt_sha256"] = f"{number:064d}"
        row["choice"] = "left" if row["left_model_id"] == "model-0" else "right"
    return rows
