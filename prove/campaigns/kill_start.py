"""Kill -9 in mid-start, also in the very first one, which makes the tables: the next start works."""

import asyncio
import sqlite3
from contextlib import closing

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Fork, Installation, an_installation
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

LATEST_S = 0.5
"""The latest moment of a kill, after the process began."""

MOST_KILLS = 3
"""How many starts of one data folder are killed in a row."""


class KillStart:
    name = "kill-start"
    guarantee = (
        "Kill -9 in mid-start, also while the tables are made, leaves a data folder that "
        "the next start can use."
    )
    trials = 150
    batch = 50
    sample = 3

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, "torn-migration"))

    def summary(self, tally: Tally) -> str:
        ready = tally.figures.get("ready_s", [])
        kills = len(tally.figures.get("killed", []))
        return f"{kills:,} starts were killed; the one after them took {share(ready, 0.5):.2f} s (median)"


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    clock = asyncio.get_running_loop().time
    async with ScriptedUpstream() as upstream:
        for trial in range(batch.first, batch.first + batch.count):
            chance = batch.chance(trial)
            with an_installation(batch.folder / f"{trial}", upstream.url, ("ada", "bob")) as installation:
                for _ in range(chance.randint(1, MOST_KILLS)):
                    server = installation.start(planted)
                    if planted:
                        await _until_it_has_a_database(installation, server)
                    await asyncio.sleep(chance.uniform(0, LATEST_S))
                    server.kill()
                    tally.note("killed", 1)
                begun = clock()
                try:
                    await installation.start(planted).ready()
                    tally.note("ready_s", clock() - begun)
                    tally.failures += await _use(installation)
                except RuntimeError as error:
                    last = str(error).splitlines()[-1]
                    tally.failures.append(f"after a kill in mid-start no server starts: {last}")
            tally.trials += 1
            batch.step()
    return tally


async def _until_it_has_a_database(installation: Installation, server: Fork) -> None:
    """The control is slow enough to be hit in mid-migration, wherever it runs."""
    while not installation.database.exists() and server.poll() is None:  # noqa: ASYNC110
        await asyncio.sleep(0.005)


async def _use(installation: Installation) -> list[str]:
    """Play a battle and vote once."""
    try:
        with await Wire.open(installation.port) as wire:
            battle = await wire.ask("POST", "/api/sessions", {"prompt": "Which is better?"})
            path = f"/api/battles/{battle.json.get('match_id')}/vote"
            vote = await wire.ask("POST", path, {"vote": "left"})
    except BROKEN as error:
        return [f"the server did not answer: {error!r}"]
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as database:
        checked = database.execute("pragma integrity_check").fetchall()
    wrong = [] if checked == [("ok",)] else [f"the integrity check says {checked[:3]}"]
    return (
        wrong
        if vote.status == 200
        else [*wrong, f"the vote was answered with {vote.status} {vote.body[:200]!r}"]
    )


CAMPAIGNS: list[Campaign] = [KillStart()]
