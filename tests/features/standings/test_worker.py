"""Tests of the worker: votes become counts and tables, once each, whatever happens in between."""

import asyncio
import random
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from parley.features.standings import replay, table_writes, voter_flags
from parley.features.standings import worker as working
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.recount import lock_standings, recount
from parley.features.standings.repository import REPLAY, StandingsRepository
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.tables import RatingPointRow
from parley.features.standings.voter_flags import VoterVotes
from parley.ratings import RatingOptions, rate_votes
from parley.ratings.integrity import Flag
from parley.storage.database import Database, Transaction
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow
from tests.fakes.ballot_box import BallotBox, counts_due, counts_stored, pending, standings_of, stats_of
from tests.fakes.databases import ON_EVERY_KIND

pytestmark = ON_EVERY_KIND

LMARENA = {"left": "model_a", "right": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}


async def votes_of_all(database: Database) -> list[VoteRow]:
    return list(await database.read(lambda transaction: transaction.select(VoteRow, select_rows(VoteRow))))


async def votes_of(database: Database, category: str = "overall") -> list[VoteRow]:
    def read(transaction: Transaction) -> list[VoteRow]:
        rows = transaction.select(VoteRow, select_rows(VoteRow).order_by(VoteRow.c.seq))
        return [row for row in rows if row.counted and not row.excluded_reason]

    return [
        vote for vote in await database.read(read) if category == "overall" or category in vote.categories
    ]


async def rating_points(database: Database) -> list[RatingPointRow]:
    return list(
        await database.read(
            lambda transaction: transaction.select(
                RatingPointRow, select_rows(RatingPointRow).order_by(RatingPointRow.c.at)
            )
        )
    )


async def settle(standings: StandingsRuntime) -> None:
    """Let the worker do all there is to do."""
    for _ in range(5):
        await standings.worker.run(True)


async def the_library_agrees(standings: StandingsRuntime, database: Database) -> None:
    """Hold the tables against what the ratings library makes of the votes."""
    for category in ("overall", "coding"):
        votes = await votes_of(database, category)
        columns = (
            [vote.left_model_id for vote in votes],
            [vote.right_model_id for vote in votes],
            [LMARENA[vote.choice] for vote in votes],
        )
        for method in ("bradley-terry", "elo"):
            interval = "anytime" if method == "bradley-terry" else "plain"
            expected = rate_votes(*columns, options=RatingOptions(method=method, interval=interval))
            table = await standings.tables.table(category, method)
            assert [
                (line.model, round(line.rating, 4), line.rank_ub, line.votes) for line in table.lines
            ] == [(line.model, line.rating, line.rank_ub, line.votes) for line in expected.standings]
            assert [(line.ci_lower, line.ci_upper) for line in table.lines] == [
                (line.ci_lower, line.ci_upper) for line in expected.standings
            ]


async def test_the_table_is_that_of_the_library_from_the_same_votes(database: Database) -> None:
    box, standings = BallotBox(), standings_of(database)
    for _ in range(4):
        await box.cast(database, 30)
        await settle(standings)
    await the_library_agrees(standings, database)


async def test_every_vote_is_in_the_counts_once(database: Database) -> None:
    box, standings = BallotBox(uncounted=0.3), standings_of(database)
    for number in (1, 50, 7):
        await box.cast(database, number)
        await standings.worker.run(False)
        assert await pending(database) == 0
        assert await counts_stored(database) == await counts_due(database)
    status = await standings.leaderboard.worker()
    assert (status.votes_processed, status.pending, status.status) == (58, 0, "idle")


async def test_open_votes_and_votes_without_two_models_are_in_no_table(database: Database) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    await box.cast(database, 3, kind="open", rated=False)
    await box.cast(database, 3, left_model_id=None)
    await box.cast(database, 3, left_model_id="ada", right_model_id="ada")
    await standings.worker.run(False)
    assert await counts_stored(database) == {}
    assert await pending(database) == 0
    await box.cast(database, 1)
    await standings.worker.run(False)
    assert sum(line.votes for line in (await standings.tables.table("overall", "bradley-terry")).lines) == 2


async def test_more_votes_than_one_transaction_takes_are_counted_part_by_part(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, votes in (("BATCH", 20), ("BULK", 60), ("BULK_PAGE", 20)):
        monkeypatch.setattr(working, name, votes)
    box, standings = BallotBox(), standings_of(database)
    await box.cast(database, 130)
    await settle(standings)
    assert await counts_stored(database) == await counts_due(database)
    assert (await standings.tables.table("overall", "elo")).votes == len(await votes_of(database))
    fresh = standings_of(database)
    await fresh.tables.load()
    assert not fresh.tables.snapshot.stale
    assert not fresh.tables.snapshot.replay_due


async def test_a_restart_goes_on_where_the_last_one_ended(database: Database) -> None:
    box = BallotBox()
    await box.cast(database, 40)
    await settle(standings_of(database))
    await box.cast(database, 40)
    standings = standings_of(database)
    await settle(standings)
    once = await stats_of(database)
    assert await counts_stored(database) == await counts_due(database)
    rebuilt = await standings.worker.rebuild()
    assert (rebuilt.votes, rebuilt.corrected) == (80, 0)
    assert await stats_of(database) == once


async def test_changes_after_counting_leave_the_same_as_counting_anew(database: Database) -> None:
    """Votes are cast, excluded and given other categories in a random order; then all is counted anew."""
    box, standings, chance = BallotBox(voters=3), standings_of(database), random.Random(5)
    for _ in range(12):
        await box.cast(database, chance.randint(1, 15))
        if chance.random() < 0.7:
            await standings.worker.run(False)
        await database.write(lambda transaction: change_some(transaction, chance))
        assert await counts_stored(database) == await counts_due(database)
    await settle(standings)
    before = await stats_of(database)
    assert before
    rebuilt = await standings.worker.rebuild()
    assert rebuilt.corrected == 0
    assert await stats_of(database) == before


def change_some(transaction: Transaction, chance: random.Random) -> None:
    lock_standings(transaction)
    votes = transaction.select(VoteRow, select_rows(VoteRow).order_by(VoteRow.c.seq))
    for vote in chance.sample(list(votes), min(3, len(votes))):
        was = rated_vote(vote)
        if chance.random() < 0.5:
            vote.excluded_reason = None if vote.excluded_reason else "flagged_voter"
        else:
            vote.categories, vote.categories_by = [chance.choice(("coding", "maths", "own"))], "person"
        transaction.update(vote)
        recount(transaction, (was, rated_vote(vote)))


@pytest.mark.parametrize("how", ["worker", "rebuild"])
async def test_a_category_without_votes_keeps_no_table_of_any_method(how: str, database: Database) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    await box.cast(database, 40, categories=["coding"])
    await settle(standings)
    assert {method for category, method, _ in await stats_of(database) if category == "coding"} == {
        "bradley-terry",
        "elo",
        "style-control",
    }

    def move(transaction: Transaction) -> None:
        lock_standings(transaction)
        for vote in transaction.select(VoteRow, select_rows(VoteRow).order_by(VoteRow.c.seq)):
            was = rated_vote(vote)
            vote.categories = ["maths"]
            transaction.update(vote)
            recount(transaction, (was, rated_vote(vote)))

    await database.write(move)
    if how == "rebuild":
        await standings.worker.rebuild()
    await settle(standings)
    assert {category for category, _, _ in await stats_of(database)} == {"overall", "maths"}
    for method in ("bradley-terry", "elo", "style-control"):
        assert (await standings.tables.table("coding", method)).lines == ()


def spoil(transaction: Transaction) -> None:
    """Make three stored counts wrong."""
    repository = StandingsRepository(transaction)
    stored = repository.counts()
    wrong = type(stored)()
    wrong.pairs = {
        ("overall", True): {("ada", "bob"): [3, 0, 0, 0]},
        ("gone", True): {("ada", "bob"): [0, 1, 0, 0]},
    }
    wrong.latency = {("ada", 300): 5}
    repository.add(wrong.rows())


async def test_a_rebuild_puts_wrong_counts_right_and_says_how_many(database: Database) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    await box.cast(database, 60)
    await settle(standings)
    right = await stats_of(database)

    await database.write(spoil)
    progress: list[tuple[int, int]] = []
    standings = standings_of(database)
    rebuilt = await standings.worker.rebuild(lambda done, total: progress.append((done, total)))
    assert rebuilt.corrected == 3
    assert progress[-1] == (60, 60)
    assert await counts_stored(database) == await counts_due(database)
    assert await stats_of(database) == right


async def test_a_rebuild_ends_also_while_votes_keep_changing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, standings, chance = BallotBox(), standings_of(database), random.Random(2)
    await box.cast(database, 30)
    await settle(standings)
    await database.write(spoil)
    read = replay.read_votes

    async def read_and_change(*given: Any, **more: Any) -> AsyncGenerator[Any]:
        async for rows in read(*given, **more):
            yield rows
        await database.write(lambda transaction: change_some(transaction, chance))

    monkeypatch.setattr("parley.features.standings.recount.read_votes", read_and_change)
    rebuilt = await standings.worker.rebuild()
    assert rebuilt.corrected == 3
    assert await counts_stored(database) == await counts_due(database)
    monkeypatch.undo()
    await settle(standings)
    shown = await stats_of(database)
    assert (await standings.worker.rebuild()).corrected == 0
    assert await stats_of(database) == shown


async def test_two_workers_at_once_count_nothing_twice(database: Database) -> None:
    box = BallotBox()
    both = [standings_of(database), standings_of(database)]

    async def work(standings: StandingsRuntime) -> None:
        for _ in range(12):
            await standings.worker.run(False)

    async def cast() -> None:
        for _ in range(12):
            await box.cast(database, 9)

    await asyncio.gather(cast(), *(work(standings) for standings in both))
    await settle(both[0])
    assert await pending(database) == 0
    assert await counts_stored(database) == await counts_due(database)
    rebuilt = await both[0].worker.rebuild()
    assert rebuilt.corrected == 0


async def test_history_has_a_point_per_hour_in_which_something_changed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    now = datetime(2026, 5, 1, 10, 20, tzinfo=UTC)
    monkeypatch.setattr(standings.tables, "now", lambda: now)
    for minutes, votes in ((0, 20), (15, 5), (60, 5), (90, 0)):
        now = datetime(2026, 5, 1, 10, 20, tzinfo=UTC) + timedelta(minutes=minutes)
        if votes:
            await box.cast(database, votes)
        await standings.worker.run(False)
    points = await rating_points(database)
    mine = [
        it for it in points if (it.category, it.method, it.model_id) == ("overall", "bradley-terry", "ada")
    ]
    assert [point.at.hour for point in mine] == [10, 11]
    assert [point.votes for point in mine][-1] == (await stats_of(database))[
        "overall", "bradley-terry", "ada"
    ][5]


async def test_history_since_a_day_begins_with_what_was_before(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    standings = standings_of(database)
    now = datetime(2026, 5, 1, 10, tzinfo=UTC)
    monkeypatch.setattr(standings.tables, "now", lambda: now)
    await BallotBox(uncounted=0).cast(database, 30)
    await standings.worker.run(False)
    now += timedelta(days=1)
    await BallotBox(models=("ada", "bob"), uncounted=0).cast(database, 30)
    await standings.worker.run(False)
    now += timedelta(days=4)

    async def hours(days: int | None) -> dict[str, list[int]]:
        models = ["ada", "bob", "cleo", "dora"]
        asked = await standings.leaderboard.history("overall", "bradley-terry", models, limit=10, days=days)
        ages = {it.model.id: [now - datetime.fromisoformat(at.at) for at in it.points] for it in asked.models}
        return {model: [age.days for age in its] for model, its in ages.items()}

    whole = await hours(None)
    assert whole["ada"] == [5, 4]
    assert await hours(1) == {model: its[-1:] for model, its in whole.items()}, "nobody has moved since"
    assert await hours(4) == whole
    assert await hours(30) == whole


async def test_old_hours_become_days(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    now = datetime(2026, 5, 1, 8, tzinfo=UTC)
    monkeypatch.setattr(standings.tables, "now", lambda: now)
    for hour in (8, 9, 20):
        now = datetime(2026, 5, 1, hour, tzinfo=UTC)
        await box.cast(database, 10)
        await standings.worker.run(False)
    now = datetime(2026, 7, 1, 8, tzinfo=UTC)
    await standings.worker.run(True)
    points = await rating_points(database)
    kept = {point.at.hour for point in points if point.method == "elo" and point.category == "overall"}
    assert kept == {20}


async def test_a_failure_is_noted_and_the_next_run_makes_it_good(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, standings = BallotBox(), standings_of(database)
    await box.cast(database, 10)

    def broken(*_: object) -> None:
        raise ArithmeticError("Newton's method did not come to rest")

    with monkeypatch.context() as patched:
        patched.setattr("parley.features.standings.refit.refit_tables", broken)
        with pytest.raises(ArithmeticError):
            await standings.worker.run(False)
        status = await standings.leaderboard.worker()
        assert (status.status, status.pending) == ("failed", 10)
        assert "come to rest" in (status.error or "")
    await standings.worker.run(False)
    status = await standings.leaderboard.worker()
    assert (status.status, status.pending, status.error) == ("idle", 0, None)
    assert await counts_stored(database) == await counts_due(database)


async def test_votes_without_a_judge_or_a_known_prompt_are_nobody_to_be_examined(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[str] = []

    def look(_: Transaction, voter: str) -> VoterVotes:
        examined.append(voter)
        return VoterVotes(voter, (), ())

    monkeypatch.setattr(voter_flags, "_votes_of", look)
    monkeypatch.setattr(voter_flags, "_crowd", lambda _: [])
    box, standings, known = BallotBox(voters=25), standings_of(database), "a" * 64
    rows = [
        *({**it, "id": it["voter_id"]} for it in BallotBox(voters=10**30).rows(40, prompt_sha256=known)),
        *BallotBox(voters=10**30, seed=2).rows(40),
    ]
    await database.write(lambda transaction: transaction.execute(insert(VoteRow.table), rows))
    await box.cast(database, 100, prompt_sha256=known)
    await standings.worker.run(False)
    assert examined == [], "nobody has twenty votes"
    await settle(standings)
    assert len(set(examined)) == len(examined), "each once"
    assert set(examined) == {vote.voter_id for vote in await votes_of_all(database)} - {
        row["voter_id"] for row in rows
    }


async def test_the_busiest_voters_are_examined_again_once_when_others_are_flagged_than_before(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    examined: list[str] = []
    votes_of = voter_flags._votes_of

    def look(transaction: Transaction, voter: str) -> VoterVotes:
        examined.append(voter)
        return votes_of(transaction, voter)

    monkeypatch.setattr(voter_flags, "_votes_of", look)
    monkeypatch.setattr(voter_flags, "_crowd", lambda _: [])
    box, standings = BallotBox(uncounted=0), standings_of(database)
    await box.cast(database, 100)
    await settle(standings)
    examined.clear()
    await settle(standings)
    assert examined == [], "nobody has voted since"
    flag = Flag(1e6, "pushes", "ada", 40, 40)
    voters = {vote.voter_id for vote in await votes_of_all(database)}
    now, somebody = datetime(2026, 5, 1, tzinfo=UTC), "f" * 32
    await database.write(
        lambda transaction: StandingsRepository(transaction).put_flags([somebody], {somebody: flag}, now)
    )
    await settle(standings)
    assert voters < set(examined)
    assert [examined.count(voter) for voter in voters] == [2] * len(voters), "as it came, and as it went"


async def style_is_current(database: Database) -> bool:
    def read(transaction: Transaction) -> bool:
        repository = StandingsRepository(transaction)
        counted, replayed = repository.status(), repository.status(REPLAY)
        return bool(counted and replayed and counted.version == replayed.version)

    return await database.read(read)


async def test_votes_are_counted_while_a_long_replay_goes_on(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, standings = BallotBox(uncounted=0), standings_of(database)
    monkeypatch.setattr(replay, "PAGE", 5)
    monkeypatch.setattr(replay, "COUNT_EVERY_S", 0.0)
    await box.cast(database, 30)
    await standings.worker.run(True)
    waiting: list[int] = []

    async def cast_between(*_: object) -> None:
        if len(waiting) < 4:
            await box.cast(database, 2)
            await standings.worker._count_all()
            waiting.append(await pending(database))

    monkeypatch.setattr(standings.worker._replay, "_count", cast_between)
    standings.tables.snapshot.replay_due = True
    await standings.worker.run(True)
    assert waiting == [0, 0, 0, 0]
    assert not standings.tables.snapshot.replay_due
    await the_library_agrees(standings, database)
    # Style control knows that it is behind, and catches up without another vote.
    assert not await style_is_current(database)
    await standings.worker.run(True)
    assert await style_is_current(database)
    styled, plain = [
        await standings.tables.table("overall", method) for method in ("style-control", "bradley-terry")
    ]
    assert sum(line.votes for line in styled.lines) == sum(line.votes for line in plain.lines) == 2 * 38


async def test_lines_that_are_stored_after_the_counts_are_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_writes, "LINES_WITH_COUNTS", 0)
    box, standings = BallotBox(), standings_of(database)
    for _ in range(3):
        await box.cast(database, 20)
        await standings.worker.run(False)
        assert await counts_stored(database) == await counts_due(database)
    await the_library_agrees(standings, database)
    again = standings_of(database)
    await settle(again)
    await the_library_agrees(again, database)
