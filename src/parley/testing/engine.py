"""A complete engine for tests, with canned models and a log in memory."""

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import msgspec

from parley.engine.feed import Feed
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.live_turn import LiveTurn
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import TurnInput
from parley.kernel.mode import Mode
from parley.kernel.ports import Catalog, Tools, TurnScript
from parley.testing.canned import CannedConnector
from parley.testing.catalog import SmallCatalog
from parley.testing.memory_blobs import MemoryBlobs
from parley.testing.memory_log import MemoryLog
from parley.testing.scripts import make_match

INTERJECTED_AT = "2026-01-01T00:00:01+00:00"


@dataclass
class CannedEngine:
    """A running engine and its parts. Events are plain data, as a client decodes them."""

    connector: CannedConnector
    log: MemoryLog
    hub: Hub
    recorder: Recorder
    gateway: Gateway
    runner: Runner
    blobs: MemoryBlobs
    interjected: int = 0

    def start(self, mode: Mode[Any], script: TurnScript) -> LiveTurn:
        """Start to play a turn."""
        self.log.scripts.setdefault(script.turn_id, script)
        return self.runner.start(
            script, make_match(mode, script), mode, mode.brief.model_validate(script.brief)
        )

    async def interject(self, turn_input: TurnInput, turn_id: str = "turn", *, key: str = "") -> bool:
        """Interject while a turn runs, once per key; return False if the turn accepts no more."""
        self.interjected += 1
        name = key or f"interjection-{self.interjected}"
        interjection = Interjection(id=name, input=turn_input, round=None, created_at=INTERJECTED_AT)
        return await self.runner.interject(turn_id, interjection)

    async def play(self, mode: Mode[Any], script: TurnScript) -> list[dict[str, Any]]:
        """Play a turn to its end and return its events."""
        return await heard(self.start(mode, script).follow())

    async def resume(self, mode: Mode[Any], turn_id: str = "turn") -> list[dict[str, Any]]:
        """Play a turn again from its record, as after a crash. Raises NotFound."""
        return await self.play(mode, await self.log.read(turn_id))

    async def retry(self, mode: Mode[Any], turn_id: str = "turn") -> list[dict[str, Any]]:
        """Retry what is incomplete, as a person may. Raises NotFound."""
        self.log.renew(turn_id)
        return await self.resume(mode, turn_id)


@asynccontextmanager
async def open_engine(
    connector: CannedConnector | None = None,
    log: MemoryLog | None = None,
    *,
    catalog: Catalog | None = None,
    even_pacing: bool = True,
    tools: Tools | None = None,
) -> AsyncGenerator[CannedEngine]:
    """Run an engine; on exit, running turns are interrupted, as when a server stops.

    Raises AssertionError on exit if a stream to a model was left open.
    """
    connector, log, catalog = connector or CannedConnector(), log or MemoryLog(), catalog or SmallCatalog()
    hub = Hub(even_pacing=even_pacing)
    recorder = Recorder(log, lambda: [entry for live in hub.turns() for entry in live.checkpoint()])
    chance = random.Random(1)  # noqa: S311 - the same in every test
    blobs = MemoryBlobs()
    gateway = Gateway(catalog, lambda _: connector, GatewayOptions(), recorder, chance=chance, blobs=blobs)
    runner = Runner(hub, recorder, gateway, tools)
    recorder.start()
    hub.start()
    try:
        yield CannedEngine(connector, log, hub, recorder, gateway, runner, blobs)
    finally:
        await runner.close()
        await recorder.close()
        await hub.close()
        if connector.open:
            raise AssertionError("a stream was left open")


async def heard(feed: Feed) -> list[dict[str, Any]]:
    """Read a feed to its end and return its events."""
    return [event async for frames in feed for event in decoded(frames)]


async def until(holds: Callable[[], object], within_s: float = 100.0) -> None:
    """Wait until a condition holds, by the loop's clock. Raises AssertionError after `within_s`."""
    deadline = asyncio.get_running_loop().time() + within_s
    while not holds():
        if asyncio.get_running_loop().time() >= deadline:
            raise AssertionError("it did not happen")
        await asyncio.sleep(0.01)


def decoded(frames: bytes) -> list[dict[str, Any]]:
    """Return the events of joined frames, without heartbeats."""
    parts = frames.split(b"\n\n")
    return [msgspec.json.decode(part.removeprefix(b"data: ")) for part in parts if part.startswith(b"data: ")]


def kinds(events: Sequence[dict[str, Any]], *, deltas: bool = False) -> list[str]:
    """Return the kinds of a stream's events, in order."""
    return [event["kind"] for event in events if deltas or event["kind"] != "reply.delta"]
