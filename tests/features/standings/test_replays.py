"""Tests of what needs every vote: there soon after an import, and still there after a rebuild."""

from typing import Any

import pytest

from parley.features.standings import replay
from parley.features.standings.runtime import StandingsRuntime
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, standings_of


def styled(standings: StandingsRuntime) -> int:
    """Return how many votes are in the table with style control."""
    return standings.tables.snapshot.table("overall", "style-control").votes


async def test_after_an_import_style_control_does_not_wait_for_the_hourly_run(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "FEW_VOTES", 50)
    monkeypatch.setattr(replay, "REST", 0.0)
    box, standings = BallotBox(uncounted=0), standings_of(database)
    await box.cast(database, 300)
    await standings.worker.run(False)
    assert styled(standings) == 300
    await box.cast(database, 10)
    await standings.worker.run(False)
    assert styled(standings) == 300, "a few more of many wait for the hourly run"
    await box.cast(database, 60)
    await standings.worker.run(False)
    assert styled(standings) == 370


async def test_effects_of_style_and_of_the_side_are_there_after_a_rebuild_and_a_restart(
    database: Database,
) -> None:
    box, standings = BallotBox(uncounted=0, voters=30), standings_of(database)
    await box.cast(database, 300, choice="left")
    await box.cast(database, 300)
    await standings.worker.run(False)
    position = standings.tables.snapshot.positions["overall"]
    assert position.worth is not None
    assert position.worth.ci_lower > 50, "half of all votes are for the left side"
    effects = standings.tables.snapshot.table("overall", "style-control").style
    assert [effect.feature for effect in effects][-1] == "left"
    await standings.worker.rebuild()
    assert standings.tables.snapshot.table("overall", "style-control").style == effects
    assert standings.tables.snapshot.positions["overall"] == position
    again = standings_of(database)
    await again.worker.run(False)
    assert again.tables.snapshot.table("overall", "style-control").style == effects
    assert again.tables.snapshot.positions["overall"] == position
    await again.close()


async def test_unequal_draws_are_weighted_and_equal_ones_say_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "REST", 0.0)
    box, standings = BallotBox(uncounted=0, voters=30), standings_of(database)
    await box.cast(database, 100)
    await box.cast(database, 200, propensity=0.2)
    await standings.worker.run(False)
    assert not standings.tables.snapshot.weighted
    await box.cast(database, 100, propensity=0.05)
    await standings.worker.run(False)
    weighted = standings.tables.snapshot.weighted["overall"]
    assert weighted.votes == 300, "votes whose draw is not known are left out"
    # 200 votes of weight 1 and 100 of weight 4: 600² / 1800.
    assert weighted.effective_votes == 200.0
    assert len(weighted.shifts) == len(box.models)
    await standings.worker.rebuild()
    assert standings.tables.snapshot.weighted["overall"] == weighted


async def test_after_an_import_tables_are_not_called_settled_before_its_voters_are_examined(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "FEW_VOTES", 50)
    box, standings = BallotBox(uncounted=0, voters=40), standings_of(database)
    seen: list[str] = []

    async def look() -> None:
        seen.append((await standings.leaderboard.worker()).status)

    run = standings.worker._replay._replay

    async def looked_at(*given: Any) -> Any:
        await look()
        return await run(*given)

    monkeypatch.setattr(standings.worker._replay, "_replay", looked_at)
    await standings.worker.run(False)
    await box.cast(database, 300)
    await standings.worker.run(False)
    await look()
    assert seen == ["running", "idle"]
    table = standings.tables.snapshot.table("overall", "bradley-terry")
    assert all(line.top_voter is not None for line in table.lines)
    again = standings_of(database)
    await again.tables.load()
    await again.worker.run(False)
    assert (await again.leaderboard.worker()).status == "idle"
    await again.close()
