"""A turn that one replica plays, followed at another: over the bus, or without it by what is stored."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Any

from parley.engine.bus import MemoryBus
from parley.engine.feed import Feed, sse_frame
from parley.engine.hub import Hub
from parley.engine.relay import LOOK_S, Relay, Seen
from parley.engine.replicas import RENEW_S, Replicas
from parley.kernel.errors import Unavailable
from parley.kernel.replicas import Renewal, TurnOrder
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import Wait, heard, make_script, open_engine, until
from parley.testing.engine import CannedEngine
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

NOTHING = sse_frame(b'{"kind":"turn.snapshot","stored":true}')


class Owners:
    """A store of replicas in memory, which gives out what a test puts there."""

    leads = True

    def __init__(self) -> None:
        self.renewals: list[Renewal | Unavailable] = []
        self.orders: list[TurnOrder] = []
        self.results: dict[str, str] = {}

    async def renew(self, playing: Collection[str], *, takes: int) -> Renewal:
        renewal = self.renewals.pop(0) if self.renewals else Renewal(orders=tuple(self.orders))
        if isinstance(renewal, Unavailable):
            raise renewal
        return renewal

    async def order(self, order: TurnOrder) -> None:
        self.orders.append(order)

    async def answer(self, order_id: str, result: str) -> None:
        self.results[order_id] = result
        self.orders = [order for order in self.orders if order.id != order_id]

    async def result(self, order_id: str) -> str | None:
        return self.results.get(order_id)

    async def forget(self, order_id: str) -> None:
        self.results.pop(order_id, None)

    async def others(self) -> int:
        return 1

    async def leave(self) -> None:
        pass


@asynccontextmanager
async def two(engine: CannedEngine) -> AsyncGenerator[tuple[Relay, Relay, MemoryBus]]:
    """Yield the relay of an engine, and that of another replica which plays nothing."""
    bus, store = MemoryBus(), Owners()
    here, there = Replicas(bus, store, "here"), Replicas(bus, store, "there")
    relays = Relay(engine.hub, bus, here), Relay(Hub(), bus, there)
    for replicas in (here, there):
        await replicas.join()
    await asyncio.sleep(0)
    try:
        yield *relays, bus
    finally:
        for part in (*relays, here, there, bus):
            await part.close()


async def stored() -> Seen:
    return Seen(NOTHING, has_ended=False, play=1)


async def followed(feed: Feed) -> list[dict[str, Any]]:
    """Return what a follower is shown, without the stored snapshots."""
    return [event for event in await heard(feed) if "stored" not in event]


@on_virtual_time
async def test_a_turn_is_followed_word_for_word_at_another_replica() -> None:
    async with open_engine() as engine, two(engine) as (_, there, _):
        engine.connector.says("ada", *("word ", Wait(0.1)) * 50)
        live = engine.start(Chat(), make_script(Chat(), {"assistant": "ada"}))
        await asyncio.sleep(1)
        early = asyncio.create_task(followed(there.follow(live.id, stored)))
        await asyncio.sleep(1)
        late = asyncio.create_task(followed(there.follow(live.id, stored)))
        for events in (await early, await late):
            assert events[0]["kind"] == "turn.snapshot"
            assert texts(events) == {"assistant": "word " * 50}
            assert [event["kind"] for event in events].count("turn.completed") == 1


@on_virtual_time
async def test_what_is_blind_is_blind_at_every_replica() -> None:
    async with open_engine() as engine, two(engine) as (_, there, _):
        for model in ("ada", "bob"):
            engine.connector.says(model, *("word ", Wait(0.1)) * 10)
        live = engine.start(Battle(), make_script(Battle(), {"left": "ada", "right": "bob"}))
        frames = [frames async for frames in there.follow(live.id, stored)]
        shown = b"".join(frames)
        assert b"turn.completed" in shown
        assert b"ada" not in shown
        assert b"bob" not in shown


@on_virtual_time
async def test_without_an_answer_the_stored_turn_is_shown_until_it_ends() -> None:
    looks = 0

    async def look() -> Seen:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise Unavailable("The database can't be used right now.", code="database_busy")
        frames = sse_frame(b'{"kind":"turn.snapshot","look":%d}' % looks)
        return Seen(frames, has_ended=looks == 4, play=1)

    async with open_engine() as engine, two(engine) as (_, there, _):
        events = await heard(there.follow("gone", look))
    assert [event["look"] for event in events] == [1, 3, 4]


@on_virtual_time
async def test_a_play_that_was_taken_over_is_not_heard_any_more() -> None:
    async with open_engine() as engine, two(engine) as (_, there, bus):
        feed = there.follow("turn", stored)
        await asyncio.sleep(LOOK_S / 2)
        for play, number in ((2, 1), (1, 2), (2, 3)):
            frame = sse_frame(b'{"kind":"turn.snapshot","number":%d}' % number)
            await bus.publish("turn:turn", play.to_bytes(4, "big") + frame)
        end = sse_frame(b'{"kind":"turn.completed"}')
        await bus.publish("turn:turn", (2).to_bytes(4, "big") + end)
        events = await followed(feed)
    assert [event.get("number") for event in events] == [1, 3, None]


@on_virtual_time
async def test_a_taken_turn_is_played_and_a_lost_one_abandoned() -> None:
    store, played, lost = Owners(), list[str](), list[str]()
    away = Unavailable("The database can't be used right now.", code="database_busy")
    store.renewals = [Renewal(), away, Renewal(taken=("mine",), lost=("theirs",))]
    replicas = Replicas(MemoryBus(), store, "here")
    tries = 0

    async def play(turn_id: str) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise away
        played.append(turn_id)

    replicas.play, replicas.abandon = play, lost.extend
    await replicas.join()
    replicas.start(takes=True)
    await until(lambda: played)
    await asyncio.sleep(5 * RENEW_S)
    await replicas.close()
    assert (played, lost, tries) == (["mine"], ["theirs"], 2)


@on_virtual_time
async def test_an_order_is_carried_out_by_its_owner_and_answered() -> None:
    store = Owners()
    asking, owner = (Replicas(MemoryBus(), store, name) for name in ("asking", "owner"))

    async def obey(order: TurnOrder) -> str:
        return f'["{order.kind}",{order.data}]'

    owner.obey = obey
    await owner.join()
    owner.start(takes=False)
    assert await asking.order("turn", "stop", "left") == b'["stop","left"]'
    assert not store.results
    await owner.close()
