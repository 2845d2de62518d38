"""Kill -9 in mid-vote: every acknowledged vote must be stored exactly once."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Protocol

import asyncpg
import msgspec

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Installation, an_installation
from prove.ready_battles import make_battles, make_battles_on_server
from prove.server_copy import copy_to_file, until_alone
from prove.server_database import a_server_database
from prove.stored_counts import wrong_counts
from prove.stored_votes import stored_votes
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

VOTERS = 12
"""Connections that vote at once."""

MOST_ANSWERED = 24
"""How many votes are answered before a kill at most; by their number, since a loaded machine takes its time."""

EARLY = 0.2
"""The share of kills that come at any moment instead, also before the first answer."""

EARLIEST_S = 0.15
LATER_S = 0.01
"""How long after its answer a kill may come, and how long after the start of voting an early one."""

PER_TRIAL = 60
"""Battles laid out for a trial."""

WORKERS = 2
"""Data folders at a time: what one waits for, the other works in."""

BUSY_WAITS_S = (0.1, 0.5, 2.0, 5.0, 10.0)
"""On a machine that is busy with other work a vote may take longer than the server's limit."""

CHOICES = ("left", "tie", "both_bad", "right")


@dataclass
class Ballot:
    """A vote that was sent, and its response: complete, or none."""

    match_id: str
    choice: str
    answer: Any = None
    refused: str = ""

    @property
    def key(self) -> str:
        return f"vote-{self.match_id}"

    def became(self, vote_id: str, choice: str) -> bool:
        """Return whether a stored vote is the one that was acknowledged."""
        return choice == self.choice and self.answer["vote_id"] in (None, vote_id)

    async def send(self, wire: Wire) -> None:
        """Vote, again while the database is busy; if the connection breaks, it is unknown whether it was stored."""
        path, body = f"/api/battles/{self.match_id}/vote", {"vote": self.choice}
        waits_s = iter(BUSY_WAITS_S)
        while True:
            answer = await wire.ask("POST", path, body, Idempotency_Key=self.key)
            wait_s = next(waits_s, None) if answer.status == 503 else None
            if wait_s is None:
                break
            await asyncio.sleep(wait_s)
        if answer.status == 200:
            self.answer = answer.json
        else:
            self.refused = f"{answer.status} {answer.body[:200]!r}"


class Stores(Protocol):
    """The store of the installation's votes, as the campaign sees it."""

    async def lay_out(self, installation: Installation, count: int) -> list[str]:
        """Return the ids of this many battles that wait for their vote."""
        ...

    async def settle(self) -> None:
        """Wait, after a kill, until what the database was doing is over."""
        ...

    async def look(self, installation: Installation) -> Path:
        """Return a SQLite file that holds what is stored now."""
        ...


class OnSqlite:
    async def lay_out(self, installation: Installation, count: int) -> list[str]:
        return await make_battles(installation, count)

    async def settle(self) -> None:
        pass

    async def look(self, installation: Installation) -> Path:
        return installation.database


class OnServer:
    def __init__(self, database: asyncpg.Connection, url: str) -> None:
        self._database = database
        self._url = url

    async def lay_out(self, installation: Installation, count: int) -> list[str]:
        installation.variables["PARLEY_DATABASE_URL"] = self._url
        return await make_battles_on_server(installation, self._database, count)

    async def settle(self) -> None:
        await until_alone(self._database)

    async def look(self, installation: Installation) -> Path:
        copy = installation.folder / "copy.db"
        await copy_to_file(self._database, copy)
        return copy


@asynccontextmanager
async def _on_sqlite() -> AsyncGenerator[Stores]:
    yield OnSqlite()


@asynccontextmanager
async def _on_server() -> AsyncGenerator[Stores]:
    async with a_server_database() as place:
        yield OnServer(*place)


class KillVotes:
    def __init__(
        self, name: str, kind: str, trials: int, opened: Callable[[], AbstractAsyncContextManager[Stores]]
    ) -> None:
        self.name = name
        self.guarantee = f"Kill -9 at any moment loses no acknowledged vote and doubles none ({kind})."
        self.trials = trials
        self.batch = 50
        self.sample = 2
        self._opened = opened

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(self._attack(batch))

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=min(batch.count, 3))
        return asyncio.run(self._attack(few, "acknowledge-first"))

    def summary(self, tally: Tally) -> str:
        acknowledged, open_ = (tally.figures.get(name, []) for name in ("acknowledged", "unanswered"))
        return (
            f"{sum(acknowledged):,.0f} acknowledged votes, {sum(open_):,.0f} in flight at the kill; "
            f"ready again after {share(tally.figures.get('ready_s', []), 0.5):.2f} s (median)"
        )

    async def _attack(self, batch: Batch, planted: str | None = None) -> Tally:
        """Share the trials out among workers: while one waits for its server, another votes."""
        ranges = [
            range(batch.first + worker, batch.first + batch.count, WORKERS) for worker in range(WORKERS)
        ]
        tallies = await asyncio.gather(
            *(
                self._work(batch, trials, batch.folder / f"{trials.start}", planted)
                for trials in ranges
                if trials
            )
        )
        whole = Tally()
        for tally in tallies:
            whole.add(tally)
        return whole

    async def _work(self, batch: Batch, trials: range, folder: Path, planted: str | None) -> Tally:
        async with ScriptedUpstream() as upstream, self._opened() as stores:
            with an_installation(folder, upstream.url, ("ada", "bob")) as installation:
                matches = iter(await stores.lay_out(installation, len(trials) * PER_TRIAL))
                worker = _Worker(installation, stores, matches, planted)
                for trial in trials:
                    await worker.kill_once(batch.chance(trial))
                    batch.step()
                await worker.end()
        return worker.tally


class _Worker:
    """One data folder, whose servers are killed one after the other."""

    def __init__(
        self, installation: Installation, stores: Stores, matches: Iterator[str], planted: str | None
    ) -> None:
        self.installation = installation
        self.stores = stores
        self.matches = matches
        self.planted = planted
        self.tally = Tally()
        self.before: list[Ballot] = []
        """What was sent to the server that was killed last."""

    async def kill_once(self, chance: Random) -> None:
        clock = asyncio.get_running_loop().time
        begun = clock()
        server = await self.installation.start(self.planted).ready()
        self.tally.note("ready_s", clock() - begun)
        self.tally.failures += await _check(self.installation, self.stores, self.before)
        sent = self.before = []
        voting = [
            asyncio.create_task(_vote(self.installation.port, self.matches, sent, chance.choice(CHOICES)))
            for _ in range(VOTERS)
        ]
        if chance.random() < EARLY:
            await asyncio.sleep(chance.uniform(0, EARLIEST_S))
        else:
            await _answered(sent, chance.randint(1, MOST_ANSWERED), voting)
            await asyncio.sleep(chance.uniform(0, LATER_S))
        server.kill()
        await asyncio.gather(*voting)
        await self.stores.settle()
        self.tally.note("acknowledged", sum(ballot.answer is not None for ballot in sent))
        self.tally.note("unanswered", sum(ballot.answer is None for ballot in sent))
        self.tally.trials += 1

    async def end(self) -> None:
        """Check the last kill, and then everything once more, thoroughly."""
        server = await self.installation.start(self.planted).ready()
        self.tally.failures += await _check(self.installation, self.stores, self.before)
        code, _ = await server.stop()
        if code != 0:
            self.tally.failures.append(f"the last server ended with {code}")
        self.tally.failures += stored_votes(await self.stores.look(self.installation)).wrong


async def _vote(port: int, matches: Iterator[str], ballots: list[Ballot], choice: str) -> None:
    """Vote on one battle after the other until the server is gone."""
    try:
        with await Wire.open(port) as wire:
            for match_id in matches:
                ballot = Ballot(match_id, choice)
                ballots.append(ballot)
                await ballot.send(wire)
    except BROKEN:
        pass


async def _answered(ballots: list[Ballot], count: int, voting: list[asyncio.Task[None]]) -> None:
    """Wait until this many votes were answered, or no more are coming."""

    def goes_on() -> bool:
        answered = sum(ballot.answer is not None for ballot in ballots)
        return answered < count and not all(it.done() for it in voting)

    while goes_on():  # noqa: ASYNC110
        await asyncio.sleep(0.001)


async def _check(installation: Installation, stores: Stores, ballots: list[Ballot]) -> list[str]:
    """Compare the responses with what is stored, then resend every open vote, and some others."""
    wrong = [f"a vote was refused: {ballot.refused}" for ballot in ballots if ballot.refused]
    path = await stores.look(installation)
    stored = stored_votes(path, quickly=True)
    wrong += stored.wrong + wrong_counts(path)[:3]
    for ballot in ballots:
        found = stored.votes.get(ballot.match_id, [])
        if len(found) > 1:
            wrong.append(f"{len(found)} votes on one battle")
        elif ballot.answer is not None and not found:
            wrong.append("an acknowledged vote is not there")
        elif ballot.answer is not None and not ballot.became(*found[0]):
            wrong.append(f"acknowledged {ballot.answer['vote_id']} for {ballot.choice}, stored {found[0]}")
    again = [ballot for ballot in ballots if ballot.answer is None][:VOTERS]
    again += [ballot for ballot in ballots if ballot.answer is not None][-3:]
    with await Wire.open(installation.port) as wire:
        for ballot in again:
            first = stored.votes.get(ballot.match_id, [(None, None)])[0][0]
            repeated = Ballot(ballot.match_id, ballot.choice)
            await repeated.send(wire)
            if repeated.answer is None:
                wrong.append(f"the same vote with the same key was refused: {repeated.refused}")
            elif first is not None and repeated.answer["vote_id"] not in (None, first):
                wrong.append("the same key made another vote")
    return wrong


CAMPAIGNS: list[Campaign] = [
    KillVotes("kill-votes", "SQLite", 5000, _on_sqlite),
    KillVotes("kill-votes-server", "PostgreSQL", 500, _on_server),
]
