"""A database that is locked, or whose disk is full, for a while: clients are asked to wait, and nothing is lost."""

import asyncio
import resource
import sqlite3
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from prove.campaign import Batch, Campaign, Skipped, Tally, share
from prove.disk import library
from prove.forks import Fork, Forker, Installation, an_installation, forker
from prove.ready_battles import make_battles
from prove.stored_votes import stored_votes
from prove.wires import BROKEN, Wire
from tests.fakes.running import Reader
from tests.fakes.upstream import ScriptedUpstream

AT_ONCE = 4
"""Trials at a time, each on a server of its own: they mostly wait."""

TURNS, BATTLES, VOTERS = 4, 300, 3
PIECES = tuple(f"Piece {number}, " for number in range(40))
TEXT = "".join(PIECES)
KINDS = ("full", "locked", "too-large")
LIMIT_BYTES = 60_000
"""How large files may become where the system forbids larger ones: larger than the log, smaller than the database."""

CONTROLS_MAX = 6

UNNAMED = "unnamed"
"""Stands for a vote that was acknowledged without its id."""

ANSWER_S = 5.0
"""The longest that a vote may wait for its answer, also where the database is locked."""


class LockedFull:
    name = "locked-full"
    guarantee = "A locked or full database gives 503 with Retry-After, loses nothing, and recovers by itself."
    trials = 60
    batch = 12
    sample = 1

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        """Try one by one until votes fell into the outage: on a slow machine all may have been cast before it."""
        every = Tally()
        for number in range(CONTROLS_MAX):
            one = msgspec.structs.replace(batch, first=batch.first + number, count=1)
            every.add(asyncio.run(_attack(one, "acknowledge-first")))
            if every.failures:
                break
        return every

    def summary(self, tally: Tally) -> str:
        total = {name: int(sum(values)) for name, values in tally.figures.items()}
        waits = tally.figures.get("answer_s", [])
        return (
            f"{total.get('votes', 0):,} votes, {total.get('refused', 0):,} answers with 503 and Retry-After, "
            f"the slowest answer after {share(waits, 1.0):.1f} s; {total.get('turns', 0):,} turns were streaming"
        )


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    try:
        shim: Forker | None = forker(LD_PRELOAD=str(library()))
    except Skipped:
        shim = None
    free = asyncio.Semaphore(AT_ONCE)

    async def trial(number: int) -> None:
        async with free:
            kind = KINDS[number % len(KINDS)]
            if (kind == "full" and shim is None) or (kind == "too-large" and sys.platform != "linux"):
                kind = "locked"
            attack = _Trial(batch.folder / f"{number}", kind, batch.chance(number), planted, tally)
            await attack.run(shim if kind == "full" else None)
            tally.trials += 1
            batch.step()

    await asyncio.gather(*(trial(number) for number in range(batch.first, batch.first + batch.count)))
    return tally


class _Trial:
    def __init__(self, folder: Path, kind: str, chance: Random, planted: str | None, tally: Tally) -> None:
        self.folder = folder
        self.kind = kind
        self.chance = chance
        self.planted = planted
        self.tally = tally
        self.over = asyncio.Event()
        self.voted: dict[str, str | None] = {}

    async def run(self, used: Forker | None) -> None:
        async with ScriptedUpstream() as upstream:
            upstream.reply("Well.")
            with an_installation(self.folder, upstream.url, ("ada", "bob"), used) as installation:
                self.matches = iter(await make_battles(installation, BATTLES))
                upstream.forget()
                upstream.reply(*PIECES, delay=0.02)
                disk = {"DISK_FILES": str(installation.database), "DISK_TRACE": "/dev/null"}
                full = self.folder / "full"
                server = await installation.start(self.planted, **disk, DISK_FULL=str(full)).ready()
                begun = [asyncio.Event() for _ in range(TURNS)]
                turns = [asyncio.create_task(self._talk(installation.port, each)) for each in begun]
                await asyncio.gather(*(each.wait() for each in begun))
                votes = [asyncio.create_task(self._vote(installation.port)) for _ in range(VOTERS)]
                await asyncio.sleep(self.chance.uniform(0.05, 0.4))
                async with self._outage(installation, server, full):
                    await asyncio.sleep(self._lasting())
                await asyncio.sleep(0.2)
                self.over.set()
                await asyncio.gather(*votes)
                completed = [turn_id for turn_id in await asyncio.gather(*turns) if turn_id]
                if self.planted:
                    await asyncio.sleep(0.2)
                self._judge(installation, completed)
                code, _ = await server.stop()
                if code != 0:
                    self._fail(f"the server ended with {code}")

    def _lasting(self) -> float:
        """Return how long the outage lasts; some locks outlast the database's own timeout."""
        if self.kind == "locked" and self.chance.random() < 0.5:
            return self.chance.uniform(5.5, 9.0)
        return self.chance.uniform(0.3, 2.5)

    @asynccontextmanager
    async def _outage(self, installation: Installation, server: Fork, full: Path) -> AsyncGenerator[None]:
        if self.kind == "locked":
            with closing(sqlite3.connect(installation.database, isolation_level=None, timeout=30)) as other:
                other.execute("begin immediate")
                yield
                other.execute("rollback")
        elif self.kind == "full":
            full.touch()  # noqa: ASYNC240
            yield
            full.unlink()  # noqa: ASYNC240
        else:
            before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (LIMIT_BYTES, before[1]))
            yield
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)

    async def _vote(self, port: int) -> None:
        """Vote on one battle after the other; while the database is away, wait as asked and retry."""
        choice = self.chance.choice(("left", "right", "tie", "both_bad"))
        for match_id in self.matches:
            if self.over.is_set():
                return
            self.voted[match_id] = None
            while self.voted[match_id] is None:
                answer = await self._ask(port, match_id, choice)
                if answer is None:
                    return
                await asyncio.sleep(0.05)
                if self.over.is_set() and answer.status != 200:
                    self._fail(f"after its recovery it still answers {answer.status}")
                    return

    async def _ask(self, port: int, match_id: str, choice: str) -> Any:
        begun = time.monotonic()
        try:
            with await Wire.open(port) as wire:
                async with asyncio.timeout(ANSWER_S):
                    path, key = f"/api/battles/{match_id}/vote", f"vote-{match_id}"
                    answer = await wire.ask("POST", path, {"vote": choice}, Idempotency_Key=key)
        except (TimeoutError, *BROKEN) as error:
            self._fail(f"a vote was not answered while the database was {self.kind}: {error!r}")
            return None
        self.tally.note("answer_s", time.monotonic() - begun)
        if answer.status == 200:
            self.voted[match_id] = answer.json["vote_id"] or UNNAMED
            self.tally.note("votes", 1)
        elif answer.status == 503 and answer.headers.get("retry-after", "").isdigit():
            self.tally.note("refused", 1)
            await asyncio.sleep(0.08)
        else:
            self._fail(f"while the database was {self.kind} the answer was {answer.status} {answer.headers}")
            return None
        return answer

    async def _talk(self, port: int, begun: asyncio.Event) -> str | None:
        """Play a turn and return its id; its stream continues whatever the database does."""
        body = {"prompt": "Say on.", "mode": "chat", "seats": {"assistant": "ada"}}
        wire, reader, turn_id = await Wire.open(port), Reader(), None
        try:
            async with asyncio.timeout(30):
                await wire.begin("POST", "/api/sessions", body, Accept="text/event-stream")
                async for event in wire.events():
                    reader.take(event)
                    turn_id = event["turn"]["id"] if event["kind"] == "turn.snapshot" else turn_id
                    begun.set()
        except (TimeoutError, *BROKEN) as error:
            self._fail(f"a stream did not come to its end: {error!r}")
        finally:
            begun.set()
            wire.cut()
        self.tally.note("turns", 1)
        if reader.end != "turn.completed" or list(reader.texts().values()) != [TEXT]:
            lengths = [len(text) for text in reader.texts().values()]
            self._fail(f"a stream ended with {reader.end} and {lengths} of {len(TEXT)} characters")
        return turn_id

    def _judge(self, installation: Installation, completed: list[str]) -> None:
        stored = stored_votes(installation.database)
        for wrong in stored.wrong:
            self._fail(wrong)
        for match_id, vote_id in self.voted.items():
            found = [stored_id for stored_id, _ in stored.votes.get(match_id, [])]
            if vote_id is not None and found != [vote_id] and (vote_id != UNNAMED or len(found) != 1):
                self._fail(f"an acknowledged vote is stored as {found}")
        with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as database:
            for turn_id in completed:
                query = (
                    "select t.status, r.text from turns t join replies r on r.turn_id = t.id where t.id = ?"
                )
                if database.execute(query, (turn_id,)).fetchall() != [("completed", TEXT)]:
                    self._fail("a turn that came to its end is not stored whole")

    def _fail(self, words: str) -> None:
        self.tally.failures.append(f"{self.kind}: {words}")


CAMPAIGNS: list[Campaign] = [LockedFull()]
