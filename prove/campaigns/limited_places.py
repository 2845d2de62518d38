"""Chats and battles beside a battle, with limited models: nobody can tell which pair is in it."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from parley.engine.live_turn import LiveTurn
from parley.engine.turn_queue import QueuePlace
from parley.kernel.connector import ChatRequest, Chunk
from parley.kernel.mode import Mode
from parley.kernel.models import Provider
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import CannedConnector, CannedEngine, SmallCatalog, make_model, make_script, open_engine
from prove.blind_viewer import Plans, Profile, sends, words
from prove.campaign import Batch, Campaign, Tally
from tests.fakes.virtual_loop import run

PROFILE = Profile(first_s=0.5, rate=200)
IDS = re.compile(rb'"[0-9a-f]{32}"')

Seen = list[tuple[float, bytes]]
"""What a viewer receives, and when: milliseconds are finer than any network shows."""


class LimitedPlaces:
    """Is the limited model in this battle?"""

    name = "limited-places"
    guarantee = (
        "Whoever uses limited models (`max_concurrency`, `max_per_minute`) beside a battle sees the same at the same "
        "moments, whether one of them sits in it or not; with Stop, and with a second battle."
    )
    trials = 1000
    batch = 100
    sample = 12

    def run(self, batch: Batch) -> Tally:
        """Play each scene twice, once with the limited model in the battles and once without."""
        tally = Tally()
        for number in range(batch.first, batch.first + batch.count):
            there, absent = (run(_watch(batch.chance(number), limited=limited)) for limited in (True, False))
            tally.trials += 1
            tally.note("seen", len(there))
            if there != absent:
                where = next(
                    (at for at, (one, other) in enumerate(zip(there, absent, strict=False)) if one != other),
                    min(len(there), len(absent)),
                )
                tally.failures.append(
                    f"trial {number}: they differ at {there[where : where + 1]}, {absent[where : where + 1]}"
                )
            batch.step()
        return tally

    def control(self, batch: Batch) -> Tally:
        """Start every turn at once, so that it waits only for its models' slots."""
        with _nobody_queues():
            return self.run(batch)

    def summary(self, tally: Tally) -> str:
        return f"{int(sum(tally.figures['seen'])):,} pieces and events, each the same at the same millisecond"


CAMPAIGNS: list[Campaign] = [LimitedPlaces()]


class _ByQuestion(CannedConnector):
    """Answers by model and question, so that the order of questions changes no answer."""

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        named = f"{request.model}/{request.messages[-1].content}"
        async for chunk in super().stream(msgspec.structs.replace(request, model=named)):
            yield chunk


async def _watch(chance: random.Random, *, limited: bool) -> Seen:
    """Play two chats and two battles, each at its moment, and record everything that is sent of them."""
    limit = chance.choice(("model", "provider", "minute"))
    places = chance.randint(1, 6)
    models = [
        make_model("ada", "small", max_concurrency=places if limit == "model" else None),
        *(make_model(name) for name in ("bob", "cleo", "dora", "eve")),
    ]
    small = Provider(
        "small",
        "c",
        max_concurrency=places if limit == "provider" else None,
        max_per_minute=2 * places if limit == "minute" else None,
    )
    catalog = SmallCatalog(models, [small])
    pairs = [("ada", "bob"), ("dora", "ada")] if limited else [("cleo", "bob"), ("dora", "eve")]
    seen: Seen = []
    begun = asyncio.get_running_loop().time()
    async with open_engine(_ByQuestion(), catalog=catalog) as engine:
        scenes = [
            *(_scene(engine, Chat(), f"chat-{number}", ("ada",), chance) for number in range(3)),
            *(_scene(engine, Battle(), f"battle-{at}", pair, chance) for at, pair in enumerate(pairs)),
        ]
        await asyncio.gather(*(scene.play(seen, begun) for scene in scenes))
    return sorted(seen)


def _scene(
    engine: CannedEngine, mode: Mode[Any], name: str, models: tuple[str, ...], chance: random.Random
) -> "_Scene":
    seats = [name for group in mode.seating.groups for name in group.names]
    plans: Plans = [sends(PROFILE, words(chance), chance) for _ in seats]
    for model, plan in zip(models, plans, strict=True):
        engine.connector.says(f"{model}/{name}", *plan)
    stopped_s = chance.uniform(0, 8) if chance.random() < 0.2 else None
    return _Scene(engine, mode, name, dict(zip(seats, models, strict=True)), chance.uniform(0, 12), stopped_s)


class _Scene:
    """One turn: when it begins, and whether its viewer stops it."""

    def __init__(
        self,
        engine: CannedEngine,
        mode: Mode[Any],
        name: str,
        seats: dict[str, str],
        begins_s: float,
        stopped_s: float | None,
    ) -> None:
        self.engine = engine
        self.mode = mode
        self.name = name
        self.seats = seats
        self.begins_s = begins_s
        self.stopped_s = stopped_s

    async def play(self, seen: Seen, begun: float) -> None:
        await asyncio.sleep(self.begins_s)
        script = make_script(self.mode, self.seats, turn_id=self.name, prompt=self.name)
        live = self.engine.start(self.mode, script)
        stopping = asyncio.create_task(self._stop(live))
        async for frames in live.follow():
            now = asyncio.get_running_loop().time() - begun
            seen.append((round(now, 3), IDS.sub(b'"an id"', frames)))
        await stopping

    async def _stop(self, live: LiveTurn) -> None:
        if self.stopped_s is not None:
            await asyncio.sleep(self.stopped_s)
            await self.engine.runner.stop(live.id)


@contextmanager
def _nobody_queues() -> Iterator[None]:
    take = QueuePlace.take

    async def free(self: QueuePlace, waits: Callable[[], None] = lambda: None) -> None:
        self.demand = {}
        await take(self, waits)

    QueuePlace.take = free
    try:
        yield
    finally:
        QueuePlace.take = take
