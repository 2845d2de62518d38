"""Tests of verification: whatever is kept of votes and is not what they come to is found, and put right."""

from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import Connection, text

from parley.features.standings.recount import confirm_elo
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.verification import verify_standings
from parley.kernel.caller import inside
from parley.kernel.errors import Conflict
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, counts_due, counts_stored, standings_of, stats_of
from tests.features.standings.test_worker import settle


@pytest.fixture
async def standings(database: Database) -> AsyncGenerator[StandingsRuntime]:
    """Standings with eighty votes that are counted, and their Elo."""
    await BallotBox().cast(database, 80)
    made = standings_of(database)
    await settle(made)
    await confirm_elo(database)
    yield made
    await made.close()


async def execute(database: Database, *statements: str) -> None:
    def run(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    await database.administer(run)


async def test_what_nobody_touched_is_in_order(standings: StandingsRuntime, database: Database) -> None:
    report = await verify_standings(database)
    assert (report.ok, report.votes, report.waiting, report.unseen) == (True, 80, 0, []), report.wrong
    await BallotBox(seed=2).cast(database, 3)
    await confirm_elo(database)
    report = await verify_standings(database)
    assert (report.ok, report.waiting) == (True, 3), report.wrong
    await settle(standings)
    assert (await verify_standings(database)).ok


TAMPERED = {
    "counts": "UPDATE pair_counts SET win = win + 1 WHERE category = 'overall' AND counted AND win > 0",
    "a category of counts": "UPDATE pair_counts SET category = 'kidding' WHERE category = 'coding'",
    "uncounted": "UPDATE uncounted_counts SET votes = votes + 1 WHERE category = 'overall'",
    "elo": "UPDATE elo SET rating = rating + 1 WHERE model_id = 'ada'",
    "votes of elo": "UPDATE elo SET votes = votes + 1 WHERE model_id = 'ada'",
    "a model of elo": "UPDATE elo SET model_id = 'eve' WHERE model_id = 'ada'",
    "a rating": "UPDATE model_stats SET rating = rating + 0.01 WHERE method = 'bradley-terry' AND model_id = 'ada'",
    "a bound": "UPDATE model_stats SET ci_upper = ci_upper + 9 WHERE model_id = 'ada'",
    "a rank": "UPDATE model_stats SET rank_ub = 7 WHERE method = 'elo' AND model_id = 'ada'",
    "a styled rating": "UPDATE model_stats SET rating = rating + 1 WHERE method = 'style-control'",
    "a line": "DELETE FROM model_stats WHERE model_id = 'ada' AND category = 'overall'",
    "a vote that waits": "UPDATE votes SET processing_status = 4 WHERE seq = 5",
    "a vote of no status": "UPDATE votes SET processing_status = 'gone' WHERE seq = 5",
    "a vote beyond": "UPDATE votes SET seq = 900 WHERE seq = 80",
}


@pytest.mark.parametrize("what", TAMPERED)
async def test_what_is_not_what_the_votes_come_to_is_found(
    standings: StandingsRuntime, database: Database, what: str
) -> None:
    assert standings.tables.snapshot.votes("overall")
    await execute(database, TAMPERED[what])
    report = await verify_standings(database)
    assert not report.ok
    assert report.wrong


async def test_a_rebuild_puts_back_what_the_audit_log_does_not_say(
    standings: StandingsRuntime, database: Database
) -> None:
    before = await stats_of(database)
    await execute(
        database,
        "UPDATE votes SET excluded_reason = 'flagged_voter' WHERE seq % 2 = 0",
        "UPDATE votes SET categories = '[]' WHERE seq % 3 = 0",
        "UPDATE elo SET rating = 2000 WHERE model_id = 'ada'",
        "UPDATE pair_counts SET win = 0",
    )
    assert (await check_audit(database)).broken is not None
    rebuilt = await standings.rebuild(inside("owner"))
    assert rebuilt.restored >= 40
    assert rebuilt.corrected
    assert (await check_audit(database)).ok
    assert (await verify_standings(database)).ok
    assert await counts_stored(database) == await counts_due(database)
    assert await stats_of(database) == before
    assert (await standings.rebuild(inside("owner"))).corrected == 0


async def test_a_rebuild_counts_nothing_that_the_audit_log_does_not_confirm(
    standings: StandingsRuntime, database: Database
) -> None:
    before = await counts_stored(database)
    await execute(database, "UPDATE votes SET choice = 'left' WHERE choice = 'right'")
    with pytest.raises(Conflict) as refused:
        await standings.rebuild(inside("owner"))
    assert refused.value.problem.code == "audit_broken"
    assert await counts_stored(database) == before
