"""Tests of the past of imported votes: the history has them at their own times."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from sqlalchemy import text

from parley.features.standings import history_backfill
from parley.features.standings.history_backfill import DAY, HOUR, POINTS, moments
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.runtime import StandingsRuntime
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, put, standings_of

FIRST = datetime(2024, 1, 1, 12, 30, tzinfo=UTC)


async def cast_over_a_year(
    database: Database, number: int, *, first: datetime = FIRST, origin: str = "import"
):
    box, apart = BallotBox(uncounted=0), timedelta(days=365) / number
    rows = [{**box.rows(1)[0], "origin": origin, "created_at": first + at * apart} for at in range(number)]
    await put(database, rows)


async def history(database: Database, standings: StandingsRuntime) -> list[tuple[datetime, int]]:
    """Return the times of all points with how many votes there were."""
    lines = standings.tables.snapshot.table("overall", "bradley-terry").lines
    points = await database.read(
        lambda it: [
            (point.at, point.votes)
            for point in StandingsRepository(it).points(
                "overall", "bradley-terry", [line.model for line in lines], None
            )
        ]
    )
    found: dict[datetime, int] = {}
    for at, votes in points:
        found[at] = found.get(at, 0) + votes
    return [(at, votes // 2) for at, votes in sorted(found.items())]


async def test_a_year_of_imported_votes_is_a_year_in_the_history(database: Database) -> None:
    standings = standings_of(database)
    await cast_over_a_year(database, 730)
    await standings.worker.run(True)
    *before, now = await history(database, standings)
    assert 40 <= len(before) <= POINTS
    assert before[0][0] <= FIRST + timedelta(days=9)
    assert before[-1][0] >= FIRST + timedelta(days=364)
    assert [votes for _, votes in before] == sorted(votes for _, votes in before)
    middle = next(votes for at, votes in before if at >= FIRST + timedelta(days=182))
    assert 345 <= middle <= 385, "half of the year's votes had been cast by then"
    assert (before[-1][1], now[1]) == (730, 730)
    await standings.close()


async def test_the_past_is_made_once_an_import_and_again_after_the_next(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    standings, made = standings_of(database), list[int]()
    points = history_backfill.points_of_past_votes

    def counted(votes: history_backfill.CrowdVotes, *more: object) -> list[history_backfill.PointRow]:
        made.append(len(votes.times))
        return points(votes, *more)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(history_backfill, "points_of_past_votes", counted)
    await cast_over_a_year(database, 100)
    await standings.worker.run(True)
    await cast_over_a_year(database, 20, origin="here")
    await standings.worker.run(True)
    assert made == [100]
    await cast_over_a_year(database, 50, first=FIRST - timedelta(days=365))
    await standings.worker.run(True)
    assert made == [100, 170]
    found = await history(database, standings)
    assert found[0][0] < FIRST - timedelta(days=325)
    assert [votes for _, votes in found] == sorted(votes for _, votes in found), "no older point is left"
    stored = await database.read(lambda it: it.execute(text("SELECT count(*) FROM worker_status")).scalar())
    assert stored == 3
    await standings.close()


@pytest.mark.parametrize("days", [0, 0.01, 0.5, 3, 47, 48, 365, 20_000])
def test_points_are_whole_hours_or_days_apart_and_bounded(days: float) -> None:
    first = 1_700_000_123
    last = first + int(days * DAY)
    found = moments(first, last)
    assert 1 <= len(found) <= POINTS + 1
    assert found[-1] <= last < found[-1] + (DAY if days > 47 else HOUR) or found[-1] >= last - HOUR
    assert last < found[-1] + HOUR
    assert found[0] + HOUR > first, "the first point has votes"
    apart = {later - earlier for earlier, later in pairwise(found)}
    assert len(apart) <= 1
    assert all(it % (HOUR if days < 47 else DAY) == 0 for it in apart)
