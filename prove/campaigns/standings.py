"""Kill -9 of the standings' worker: every vote is counted, and none twice."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from parley.application import built_in_tables
from parley.features.standings.schemas import Rebuilt
from parley.storage import schema
from parley.storage.database import Database
from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Installation, an_installation, forker
from prove.stored_counts import wrong_counts
from tests.fakes.ballot_box import BallotBox, pending, standings_of, stats_of

LONGEST_S = 0.3
"""The latest moment of a kill, after the server was ready, or after its first transaction was seen."""

NUMBERS = (1, 40, 2_100, 4_100)
"""How many votes wait at a start; the last is more than one transaction takes."""

WITHIN_S = 60.0

MODELS = tuple(f"model-{number}" for number in range(12))


class KillStandings:
    name = "kill-standings"
    guarantee = (
        "Kill -9 of the standings' worker at any moment leaves no vote uncounted and counts none twice."
    )
    trials = 200
    batch = 10
    sample = 2

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=4)
        return asyncio.run(_attack(few, "count-then-mark"))

    def summary(self, tally: Tally) -> str:
        cast, amid = (sum(tally.figures.get(name, [])) for name in ("votes", "amid"))
        return (
            f"{cast:,.0f} votes; {amid:,.0f} kills came while some were counted and some were not; a rebuild "
            f"changed nothing; median time until all were counted {share(tally.figures['s'], 0.5):.1f} s"
        )


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    # The worker's mathematics is loaded before the fork, so that kills come while it counts.
    loaded = forker(
        ALSO_IMPORT="parley.features.standings.refit parley.ratings.integrity parley.ratings.left_out"
    )
    with an_installation(batch.folder, "http://127.0.0.1:9/v1", ("ada", "bob"), loaded) as installation:
        installation.data.mkdir(parents=True, exist_ok=True)
        await _in_database(installation, lambda database: schema.migrate(database, built_in_tables()))
        box = BallotBox(models=MODELS, voters=200, seed=batch.seed + batch.first)
        for trial in range(batch.first, batch.first + batch.count):
            chance = batch.chance(trial)
            number = chance.choice(NUMBERS)
            await _in_database(installation, lambda database, number=number: box.cast(database, number))
            waiting, version = await _in_database(installation, pending), _version(installation)
            server = await installation.start(planted).ready()
            if chance.random() < 0.7:
                await _moved(installation, version)
            await asyncio.sleep(chance.uniform(0, LONGEST_S))
            server.kill()
            tally.failures += wrong_counts(installation.database)[:3]
            left = await _in_database(installation, pending)
            tally.note("votes", number)
            tally.note("amid", 0 < left < waiting)
            tally.trials += 1
            batch.step()
        tally.failures += await _end(installation, tally, planted)
    return tally


def _version(installation: Installation) -> int:
    """Return the version of the standings."""
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as database:
        query = "select version from worker_status where worker_name = 'standings'"
        return next((number for (number,) in database.execute(query)), 0)


async def _moved(installation: Installation, version: int) -> None:
    """Wait until the standings move, but no more than a few seconds."""
    for _ in range(400):
        if _version(installation) != version:
            return
        await asyncio.sleep(0.01)


async def _end(installation: Installation, tally: Tally, planted: str | None) -> list[str]:
    """Have a last server count the rest; then nothing waits, and a recount changes nothing."""
    clock = asyncio.get_running_loop().time
    begun = clock()
    server = await installation.start(planted).ready()
    for _ in range(int(WITHIN_S / 0.05)):
        if not await _in_database(installation, pending):
            break
        await asyncio.sleep(0.05)
    tally.note("s", clock() - begun)
    code, _ = await server.stop()
    wrong = wrong_counts(installation.database)[:3]
    if code != 0:
        wrong.append(f"the last server ended with {code}")
    if await _in_database(installation, pending):
        wrong.append("votes are left that nobody counts")
    rebuilt, before, after = await _in_database(installation, _rebuild)
    if rebuilt.corrected:
        wrong.append(f"counting anew put {rebuilt.corrected} counts right")
    if after != before:
        wrong.append(f"counting anew made {len(set(before.items()) ^ set(after.items()))} other lines")
    return wrong


async def _rebuild(database: Database) -> tuple[Rebuilt, Any, Any]:
    standings = standings_of(database)
    # What the last server had no time for, before it was asked to stop.
    await standings.worker.run(True)
    before = await stats_of(database)
    return await standings.worker.rebuild(), before, await stats_of(database)


async def _in_database(installation: Installation, work: Any) -> Any:
    """Run work on the database, alone or beside a server."""
    path: Path = installation.database
    database = Database(f"sqlite:///{path}")
    try:
        return await work(database)
    finally:
        await database.close()


CAMPAIGNS: list[Campaign] = [KillStandings()]
