"""Plants for a forked server: faults that campaigns must catch, and a probe that looks inside."""

import asyncio
import gc
import itertools
import os
import time
from array import array
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import msgspec

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

PROBE = "/planted/probe"
LAGS = "/planted/lags"

SAMPLE_S = 0.01
"""How long what measures the event loop sleeps each time."""


def plant(names: str) -> None:
    """Plant things by their names, comma-separated, before the server starts."""
    for name in names.split(","):
        _PLANTS[name]()


def _around(wrap: Callable[[App], App]) -> None:
    """Wrap the server's app."""
    from parley import serving

    create = serving.create_app
    serving.create_app = lambda app: wrap(create(app))


def _acknowledge_first(app: App) -> App:
    """Acknowledge a vote at once, and store it a moment later."""
    late: set[asyncio.Task[None]] = set()

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith("/vote"):
            await app(scope, receive, send)
            return
        asked = await receive()

        async def received_again() -> Message:
            return asked

        async def unheard(_: Message) -> None:
            pass

        async def store() -> None:
            await asyncio.sleep(0.02)
            await app(scope, received_again, unheard)

        late.add(asyncio.create_task(store()))
        body = b'{"vote_id": null}'
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return call


def _drop_a_frame(app: App) -> App:
    """Leave one frame with text out of every stream, now and then."""
    seen = 0

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        async def leaving_out(message: Message) -> None:
            nonlocal seen
            if b'"kind":"reply.delta"' in message.get("body", b""):
                seen += 1
                if seen % 7 == 0:
                    frames = message["body"].split(b"\n\n")
                    kept = [frame for frame in frames if b'"kind":"reply.delta"' not in frame]
                    message = {**message, "body": b"\n\n".join(kept)}
            await send(message)

        await app(scope, receive, leaving_out)

    return call


def _probe(app: App) -> App:
    """Serve the number of tasks and objects at a separate address."""

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope.get("path") != PROBE:
            await app(scope, receive, send)
            return
        gc.collect()
        names = [task.get_coro().__qualname__ for task in asyncio.all_tasks()]  # pyright: ignore[reportAttributeAccessIssue]
        body = msgspec.json.encode({"tasks": len(names), "names": names, "objects": len(gc.get_objects())})
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return call


def _lags(app: App) -> App:
    """Measure how late the event loop is, from the first request on, and serve it at a separate address.

    `lag_s` is by the clock. `own_s` is how much of that this process was computing, in any thread: on a machine that
    others use too, the rest is theirs.
    """
    lags, own = array("f"), array("f")  # lists would be memory that grows
    measuring: list[asyncio.Task[None]] = []

    async def measure() -> None:
        while True:
            began, computed = time.perf_counter(), time.process_time()
            await asyncio.sleep(SAMPLE_S)
            late = max(0.0, time.perf_counter() - began - SAMPLE_S)
            lags.append(late)
            own.append(min(late, time.process_time() - computed))

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if not measuring:
            measuring.append(asyncio.create_task(measure()))
        if scope.get("path") != LAGS:
            await app(scope, receive, send)
            return
        body = msgspec.json.encode({"lag_s": list(lags), "own_s": list(own)})
        del lags[:], own[:]
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return call


def _stall(app: App) -> App:
    """Block the event loop for a while, at every request that starts something."""

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            until = time.process_time() + 0.08
            while time.process_time() < until:
                pass
        await app(scope, receive, send)

    return call


def _hoard(app: App) -> App:
    """Leak some memory and a descriptor for every request that starts something."""
    kept: list[object] = []

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            kept.append((b"x" * (1 << 18), os.open(os.devnull, os.O_RDONLY)))
        await app(scope, receive, send)

    return call


def _leak(app: App) -> App:
    """Leave a task behind for every request."""
    left: set[asyncio.Task[None]] = set()

    async def call(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            left.add(asyncio.create_task(asyncio.sleep(3600)))
        await app(scope, receive, send)

    return _probe(call)


def _forget_take_over() -> None:
    """Leave the turns of dead replicas where they are."""
    from parley.storage.replica_store import SqlReplicaStore

    def take(*_: object) -> tuple[()]:
        return ()

    _replace(SqlReplicaStore, "_take", take)


def _forget_resume() -> None:
    """Start without resuming interrupted turns."""
    from parley.features.arena.service import ArenaService

    async def resume(self: ArenaService) -> int:
        return 0

    _replace(ArenaService, "resume", resume)


def _leave_open() -> None:
    """Read an answer to its end although nobody waits for it any more."""
    from parley.engine.gateway import Gateway

    stream = Gateway.stream
    left: set[asyncio.Task[None]] = set()

    async def detached(self: Gateway, *given: Any, **named: Any) -> Any:
        heard: asyncio.Queue[tuple[Any, BaseException | None]] = asyncio.Queue()

        async def pump() -> None:
            try:
                async for chunk in stream(self, *given, **named):
                    heard.put_nowait((chunk, None))
            except Exception as error:
                heard.put_nowait((None, error))
            else:
                heard.put_nowait((None, StopAsyncIteration()))

        left.add(asyncio.create_task(pump()))
        while True:
            chunk, end = await heard.get()
            if isinstance(end, StopAsyncIteration):
                return
            if end is not None:
                raise end
            yield chunk

    _replace(Gateway, "stream", detached)


def _deaf_to_signals() -> None:
    """Handle no signal, so that SIGTERM ends the process at once."""
    import contextlib

    from parley.api import server

    _replace(server.Server, "capture_signals", contextlib.nullcontext)


def _torn_migration() -> None:
    """Make the tables in the database's own file, and commit each separately, slowly."""
    from pathlib import Path

    from sqlalchemy import Engine, event

    from parley.storage import first_start

    async def make_none(_: Path) -> None:
        pass

    def commit(_connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.lstrip().upper().startswith("CREATE TABLE"):
            cursor.execute("COMMIT")
            time.sleep(0.05)
            cursor.execute("BEGIN IMMEDIATE")

    _replace(first_start, "_make", make_none)
    event.listen(Engine, "after_cursor_execute", commit)


def _small_buffers() -> None:
    """Shrink the system's buffers for clients that do not read, so that the server's own queues show."""
    import socket

    from parley.api import server

    startup = server.Server.startup

    async def start(self: server.Server, sockets: list[socket.socket] | None = None) -> None:
        await startup(self, sockets)
        for listening in (each for serving in self.servers for each in serving.sockets):
            with socket.socket(fileno=os.dup(listening.fileno())) as twin:
                twin.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)

    _replace(server.Server, "startup", start)


def _unbounded_feeds() -> None:
    """Queue for every client without an end, each its own copy."""
    from parley.engine import feed

    push = feed.Feed.push

    def copy(self: feed.Feed, frame: bytes) -> None:
        push(self, bytes(bytearray(frame)))

    _replace(feed, "MAX_PENDING_BYTES", 1 << 40)
    _replace(feed.Feed, "push", copy)


def _few_files() -> None:
    """Let the process open few files, and half of them until it asks for more, as systems with a low limit do."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 256))


def _no_limits() -> None:
    """Accept whatever clients send, for as long as they like, and open any number of connections to models."""
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    from parley.api import descriptors, server
    from parley.features.catalog import connections

    _replace(server, "LimitedProtocol", HttpToolsProtocol)
    _replace(connections, "shares", lambda settings: descriptors.Shares(1 << 20, 1 << 20))


def _replace(owner: object, name: str, value: object) -> None:
    if not hasattr(owner, name):
        raise AttributeError(f"{owner} has no {name} any more: plant the fault elsewhere")
    setattr(owner, name, value)


def _count_then_mark() -> None:
    """Count votes in one transaction, and mark them in the next, a moment later."""
    from parley.features.standings.accumulators import VoteBatch
    from parley.features.standings.vote_repository import VoteRepository
    from parley.features.standings.worker import StandingsWorker

    store, mark = StandingsWorker._store, VoteRepository.mark_processed

    async def count_then_mark(self: StandingsWorker, batch: VoteBatch, began: float, *, refit: bool) -> None:
        VoteRepository.mark_processed = lambda self, batch: None
        await store(self, batch, began, refit=refit)
        await asyncio.sleep(0.5)
        await self._database.write(lambda transaction: mark(VoteRepository(transaction), batch))

    StandingsWorker._store = count_then_mark


def _leave_dead_jobs() -> None:
    """Lease only queued jobs: what a dead process ran stays where it was."""
    from parley.storage import job_store

    open_jobs = job_store._open_jobs

    def queued(*given: Any) -> Any:
        return [row for row in open_jobs(*given) if row.state == "queued"]

    _replace(job_store, "_open_jobs", queued)


def _forget_trials() -> None:
    """Start a run's job as if nothing were recorded."""
    from parley.features.lab.runs.repository import RunsRepository

    def trials(*_: object) -> dict[str, object]:
        return {}

    _replace(RunsRepository, "trials", trials)


def _beside_others() -> None:
    """Start although another server uses the database: limits must hold even then."""
    from parley import application

    @asynccontextmanager
    async def unlocked(_: object) -> AsyncGenerator[None]:
        yield

    _replace(application, "lock_database", unlocked)


def _short_leases() -> None:
    """Let the slices of a killed process lapse within seconds."""
    from parley.features.limits.spending import pools

    _replace(pools, "LEASE", timedelta(seconds=12))
    _replace(pools, "RENEW_BEFORE", timedelta(seconds=4))


def _early_heads() -> None:
    """Open streams before it is known whether they are refused, as on a busy machine."""
    from parley.features.openai_api import answering_routes

    _replace(answering_routes, "ALIVE_S", 0.5)


def _hand_out_twice() -> None:
    """Hand out every second amount of a slice without taking it from the slice."""
    from parley.features.limits.spending.pools import Pool

    hand_out, calls = Pool.hand_out, itertools.count()

    def hand_out_twice(self: Pool, need: int, now: datetime) -> bool:
        done = hand_out(self, need, now)
        if done and next(calls) % 2:
            self.free += need
        return done

    Pool.hand_out = hand_out_twice


def _count_alone() -> None:
    """Grant slices by what this process has been granted, whatever others have."""
    from parley.features.limits.spending.repository import SpendingRepository

    grant, mine = SpendingRepository._grant, Counter[str]()

    def count_alone(self: SpendingRepository, place: Any, amount: int, cap: int) -> bool:
        if mine[place.allowance_id] + amount > cap:
            return False
        mine[place.allowance_id] += amount
        return grant(self, place, amount, 1 << 60)

    SpendingRepository._grant = count_alone


_PLANTS: dict[str, Callable[[], None]] = {
    "acknowledge-first": lambda: _around(_acknowledge_first),
    "drop-a-frame": lambda: _around(_drop_a_frame),
    "probe": lambda: _around(_probe),
    "lags": lambda: _around(_lags),
    "stall": lambda: _around(_stall),
    "hoard": lambda: _around(_hoard),
    "leak": lambda: _around(_leak),
    "forget-take-over": _forget_take_over,
    "forget-resume": _forget_resume,
    "leave-open": _leave_open,
    "deaf": _deaf_to_signals,
    "torn-migration": _torn_migration,
    "few-files": _few_files,
    "no-limits": _no_limits,
    "small-buffers": _small_buffers,
    "unbounded-feeds": _unbounded_feeds,
    "count-then-mark": _count_then_mark,
    "leave-dead-jobs": _leave_dead_jobs,
    "forget-trials": _forget_trials,
    "beside-others": _beside_others,
    "short-leases": _short_leases,
    "early-heads": _early_heads,
    "hand-out-twice": _hand_out_twice,
    "count-alone": _count_alone,
}
