"""Three servers on one PostgreSQL and one Redis, behind a plain proxy: one is killed every five seconds."""

import asyncio
import base64
import contextlib
import shutil
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from prove.campaign import Batch, Campaign, Skipped, Tally, share
from prove.forks import Fork, Installation, an_installation
from prove.round_robin import a_proxy
from prove.server_database import a_server_database
from prove.wires import BROKEN, Wire
from tests.fakes.ports import free_port
from tests.fakes.running import ModelSpec, Reader
from tests.fakes.upstream import ScriptedUpstream

MODELS = ("quagga", "okapi")
"""Their names stand nowhere but in the catalog: a blind stream that has one tells a side."""

PIECES = tuple(f"word {number}, " for number in range(40))
PAUSE_S = 0.1
WHOLE = "".join(PIECES)
SERVERS = 3
CLIENTS = 6
EVERY_S = 5.0
REDIS_EVERY = 6
"""In one of so many trials Redis is away for as long, and no server is killed."""

GOES_ON_S = 3.0
PATIENCE_S = 40.0
PROGRESS = frozenset({"reply.started", "reply.delta", "reply.completed", "ballot.opened", "turn.completed"})


class Replicas:
    name = "replicas"
    guarantee = (
        "Of three servers on one PostgreSQL and one Redis, behind a plain proxy, one is killed every five seconds, or "
        "Redis is away for as long: no turn and no vote is lost, cut streams go on within 3 s (the median; a busy "
        "machine takes longer), no stored reply of a chat is paid for twice, and no blind stream names a model."
    )
    trials = 60
    batch = 12
    sample = 2

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_Attack(batch).run())

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=1)
        return asyncio.run(_Attack(few, "forget-take-over", patience_s=12.0).run())

    def judge(self, tally: Tally) -> list[str]:
        late = share(tally.figures.get("gap", []), 0.5)
        return [f"half of the cut streams went on only after {late:.1f} s"] if late > GOES_ON_S else []

    def summary(self, tally: Tally) -> str:
        total = {name: int(sum(values)) for name, values in tally.figures.items()}
        gaps, away = tally.figures.get("gap", []), tally.figures.get("gap away", [])
        return (
            f"{total.get('turns', 0):,} turns, {len(gaps) + len(away):,} streams cut, {total.get('votes', 0):,} votes; "
            f"a cut stream went on after {share(gaps, 0.5):.1f} s (median), {share(gaps, 0.9):.1f} s (9 of 10), "
            f"{max(gaps, default=0):.1f} s at most, without Redis {max(away, default=0):.1f} s"
        )


@dataclass
class _Asked:
    """A turn that a client started, and all that it received of it over any number of connections."""

    prompt: str
    mode: str
    reader: Reader = field(default_factory=Reader)
    turn_id: str = ""
    match_id: str = ""
    is_cut: bool = False
    moved_at: float = field(default_factory=time.monotonic)
    known_harm: float = field(default_factory=time.monotonic)
    """When the last harm was done after which this stream is known to go on."""

    @property
    def body(self) -> dict[str, Any]:
        seats = {} if self.mode == "battle" else {"seats": {"assistant": MODELS[0]}}
        return {"prompt": self.prompt, "mode": self.mode, **seats}


class _Attack:
    def __init__(self, batch: Batch, planted: str | None = None, patience_s: float = PATIENCE_S) -> None:
        self.batch = batch
        self.planted = planted
        self.patience_s = patience_s
        self.tally = Tally()
        self.votes: dict[str, str] = {}
        """The ids of acknowledged votes by match."""
        self.port = 0
        self.ending = False
        self.harmed_at = 0.0
        self.without_redis = False

    async def run(self) -> Tally:
        async with AsyncExitStack() as stack:
            upstream = await stack.enter_async_context(ScriptedUpstream())
            for model in MODELS:
                upstream.reply(*PIECES, delay=PAUSE_S, model=model)
            database, url = await stack.enter_async_context(a_server_database())
            redis = await stack.enter_async_context(_a_redis(self.batch.folder))
            listed = [ModelSpec(model, tags=("battle",)) for model in MODELS]
            places = [
                stack.enter_context(an_installation(self.batch.folder / str(number), upstream.url, listed))
                for number in range(SERVERS)
            ]
            for place in places:
                place.variables |= {
                    "PARLEY_DATABASE_URL": url,
                    "PARLEY_REDIS_URL": redis.url,
                    "PARLEY_SECRET_KEY": base64.b64encode(bytes(32)).decode(),
                    "PARLEY_FILES_URL": f"file://{self.batch.folder / 'files'}",
                    "PARLEY_DISCOVER_AT": "none",
                }
            servers = [await self._start(place) for place in places]
            self.port = await stack.enter_async_context(a_proxy([place.port for place in places]))
            clients = [asyncio.create_task(self._ask_on(number)) for number in range(CLIENTS)]
            for trial in range(self.batch.first, self.batch.first + self.batch.count):
                await self._harm(trial, places, servers, redis)
                self.tally.trials += 1
                self.batch.step()
            self.ending = True
            for outcome in await asyncio.gather(*clients, return_exceptions=True):
                if isinstance(outcome, BaseException):
                    self._fail(f"a client ended: {outcome!r}")
            await self._judge(database)
        return self.tally

    async def _start(self, place: Installation) -> Fork:
        return await place.start(self.planted).ready()

    async def _harm(
        self, trial: int, places: list[Installation], servers: list[Fork], redis: "_Redis"
    ) -> None:
        """Kill one server and start it again, or stop Redis for a while."""
        begun = time.monotonic()
        await asyncio.sleep(self.batch.chance(trial).uniform(0.5, 1.5))
        if trial % REDIS_EVERY == REDIS_EVERY - 1:
            self.harmed_at, self.without_redis = time.monotonic(), True
            await redis.stop()
            await asyncio.sleep(EVERY_S - 1)
            await redis.start()
            return
        number = trial % SERVERS
        servers[number].kill()
        self.harmed_at, self.without_redis = time.monotonic(), False
        await asyncio.sleep(max(0.0, EVERY_S / 2 - (time.monotonic() - begun)))
        servers[number] = await self._start(places[number])
        await asyncio.sleep(max(0.0, EVERY_S - (time.monotonic() - begun)))

    # ── clients ──────────────────────────────────────────────────────────────────────────────────

    async def _ask_on(self, client: int) -> None:
        number = 0
        while not self.ending:
            number += 1
            asked = _Asked(f"Question {client}-{number}?", ("chat", "battle")[number % 2])
            await self._see_through(asked)
            if asked.mode == "battle" and asked.reader.end == "turn.completed":
                await self._vote(asked)

    async def _see_through(self, asked: _Asked) -> None:
        """Follow a turn to its end, over as many connections as that takes."""
        until = time.monotonic() + self.patience_s + len(PIECES) * PAUSE_S
        while asked.reader.end is None:
            if time.monotonic() > until:
                self._fail(f"the {asked.mode} {asked.prompt} did not end")
                return
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await self._follow(asked)
            except (TimeoutError, *BROKEN):
                asked.is_cut = True
            except AssertionError as wrong:
                self._fail(f"a stream did not fit: {wrong}")
            await asyncio.sleep(0.05)
        if asked.reader.end != "turn.completed":
            self._fail(f"a {asked.mode} ended with {asked.reader.end}")
        elif any(text != WHOLE for text in asked.reader.texts().values()):
            self._fail(f"a {asked.mode} was shown otherwise than it was said")
        self.tally.note("turns", 1)

    async def _follow(self, asked: _Asked) -> None:
        with await Wire.open(self.port) as wire:
            if asked.turn_id:
                status, _ = await wire.begin("GET", f"/api/turns/{asked.turn_id}/events")
            else:
                key = {"Idempotency_Key": asked.prompt, "Accept": "text/event-stream"}
                status, _ = await wire.begin("POST", "/api/sessions", asked.body, **key)
            if status == 404:
                self._fail("a turn that was told of is not there")
            if status != 200:
                raise ConnectionResetError(f"status {status}")
            async for event in wire.events():
                self._take(asked, event)
        asked.is_cut = asked.reader.end is None

    def _take(self, asked: _Asked, event: dict[str, Any]) -> None:
        asked.reader.take(event)
        now = time.monotonic()
        if event["kind"] == "turn.snapshot":
            asked.turn_id, asked.match_id = event["turn"]["id"], event["match"]["id"]
        if asked.mode == "battle" and any(model in str(event) for model in MODELS):
            self._fail(f"a blind stream names a model: {str(event)[:300]}")
        if event["kind"] in PROGRESS:
            self._note_gap(asked, now)
            asked.moved_at, asked.is_cut = now, False

    def _note_gap(self, asked: _Asked, now: float) -> None:
        """Note how long a stream stood still that a harm has cut, or whose turn another server plays since."""
        gap = now - asked.moved_at
        if asked.known_harm < self.harmed_at and (asked.is_cut or gap > PAUSE_S * 5):
            self.tally.note("gap away" if self.without_redis else "gap", gap)
        asked.known_harm = now

    async def _vote(self, asked: _Asked) -> None:
        until = time.monotonic() + self.patience_s
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(10):
                    with await Wire.open(self.port) as wire:
                        path, body = f"/api/battles/{asked.match_id}/vote", {"vote": "left"}
                        answer = await wire.ask("POST", path, body, Idempotency_Key=f"vote {asked.match_id}")
            except (TimeoutError, *BROKEN):
                await asyncio.sleep(0.1)
                continue
            if answer.status == 200:
                self.votes[asked.match_id] = answer.json["vote_id"]
                self.tally.note("votes", 1)
                return
            if answer.status < 500:
                self._fail(f"a vote was refused: {answer.body[:200]!r}")
                return
            await asyncio.sleep(0.1)
        self._fail("a vote found no server")

    # ── what is stored ───────────────────────────────────────────────────────────────────────────

    async def _judge(self, database: asyncpg.Connection) -> None:
        for status, count in await database.fetch("select status, count(*) from turns group by 1"):
            if status != "completed":
                self._fail(f"{count} turns are stored as {status}")
        ends = "select count(*) from turn_events where kind like 'turn.%ed' and kind in ('turn.completed', "
        ends += "'turn.failed', 'turn.stopped') group by turn_id having count(*) <> 1"
        if several := await database.fetch(ends):
            self._fail(f"{len(several)} turns have several ends")
        stored = {row[0]: row[1] for row in await database.fetch("select match_id, id from votes")}
        if stored != self.votes:
            self._fail(f"{len(self.votes)} votes were acknowledged, {len(stored)} are stored")
        wrong = await database.fetchval(
            "select count(*) from replies where status <> 'completed' or text <> $1", WHOLE
        )
        if wrong:
            self._fail(f"{wrong} replies are stored otherwise than they were said")
        again = await database.fetchval(
            "select count(*) from reply_attempts a join replies r on r.id = a.reply_id "
            "join turns t on t.id = r.turn_id join matches m on m.id = t.match_id "
            "where a.status = 'completed' and not m.blind"
        )
        if again:
            self._fail(f"{again} stored replies of chats were paid for again")

    def _fail(self, words: str) -> None:
        self.tally.failures.append(words)


class _Redis:
    """A Redis server that can be stopped and started again at its port."""

    def __init__(self, program: str, folder: Path) -> None:
        self._port = free_port()
        options = ("--bind", "127.0.0.1", "--save", "", "--dir", str(folder))
        self._command = (program, "--port", str(self._port), *options)
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    async def start(self) -> None:
        out = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(*self._command, stdout=out)
        for _ in range(200):
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.close()
                return
            await asyncio.sleep(0.05)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def _a_redis(folder: Path) -> AsyncGenerator[_Redis]:
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise Skipped("no Redis server is installed")
    redis = _Redis(program, folder)
    await redis.start()
    try:
        yield redis
    finally:
        await redis.stop()


CAMPAIGNS: list[Campaign] = [Replicas()]
