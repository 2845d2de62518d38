"""Tests of the bus: in one process, and over a Redis server where one is installed."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from parley.engine import redis_bus
from parley.engine.bus import MAX_MESSAGES, MemoryBus
from parley.engine.redis_bus import RedisBus
from parley.kernel.bus import Bus
from parley.storage.redis_answers import open_redis
from tests.fakes.ports import free_port
from tests.fakes.redis_server import a_redis_server


@asynccontextmanager
async def over_redis(url: str) -> AsyncGenerator[Bus]:
    bus = RedisBus(open_redis(url))
    try:
        yield bus
    finally:
        await bus.close()


@pytest.fixture(params=["memory", "redis"])
async def bus(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Bus]:
    if request.param == "memory":
        yield MemoryBus()
        return
    async with a_redis_server(tmp_path, free_port()) as url, over_redis(url) as bus:
        yield bus


async def following(messages: AsyncIterator[bytes | None]) -> bytes | None:
    return await asyncio.wait_for(anext(messages), 20)


async def test_every_subscriber_of_a_channel_gets_its_messages_in_order(bus: Bus) -> None:
    async with (
        bus.subscribe("turns") as one,
        bus.subscribe("turns") as other,
        bus.subscribe("votes") as votes,
    ):
        for message in (b"first", b"\x00second\xff"):
            await bus.publish("turns", message)
        await bus.publish("votes", b"a vote")
        for messages in (one, other):
            assert [await following(messages), await following(messages)] == [b"first", b"\x00second\xff"]
        assert await following(votes) == b"a vote"


async def test_a_channel_can_be_left_and_subscribed_again(bus: Bus) -> None:
    async with bus.subscribe("turns"):
        pass
    await bus.publish("turns", b"nobody hears this")
    async with bus.subscribe("turns") as messages:
        await bus.publish("turns", b"heard")
        assert await following(messages) == b"heard"


async def test_a_slow_subscriber_loses_its_queue_and_gets_a_sign(bus: Bus) -> None:
    async with bus.subscribe("turns") as slow, bus.subscribe("turns") as quick:
        for number in range(MAX_MESSAGES + 3):
            await bus.publish("turns", b"%d" % number)
            assert await following(quick) == b"%d" % number
        assert [await following(slow) for _ in range(3)] == [None, b"257", b"258"]


async def test_large_messages_do_not_pile_up() -> None:
    bus = MemoryBus()
    async with bus.subscribe("turns") as slow:
        for _ in range(6):
            await bus.publish("turns", bytes(2**20))
        assert [await following(slow), await following(slow)] == [None, bytes(2**20)]


async def test_closing_ends_every_subscription(bus: Bus) -> None:
    async with bus.subscribe("turns") as messages:
        await bus.publish("turns", b"last")
        assert await following(messages) == b"last"
        await bus.close()
        assert [message async for message in messages] == []


async def test_messages_reach_another_process(tmp_path: Path) -> None:
    async with (
        a_redis_server(tmp_path, free_port()) as url,
        over_redis(url) as here,
        over_redis(url) as there,
        there.subscribe("turns") as messages,
    ):
        await here.publish("turns", b"from here")
        assert await following(messages) == b"from here"


async def test_after_an_outage_subscribers_get_a_sign_and_messages_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_bus, "AGAIN_S", 0.05)
    port = free_port()
    async with over_redis(f"redis://127.0.0.1:{port}/0") as bus:
        async with a_redis_server(tmp_path, port), bus.subscribe("turns") as messages:
            await bus.publish("turns", b"before")
            assert await following(messages) == b"before"
        with pytest.raises(OSError, match="Redis"):
            await bus.publish("turns", b"nobody hears this")
        async with bus.subscribe("turns") as early:
            async with a_redis_server(tmp_path, port):
                assert await following(early) is None
                await bus.publish("turns", b"after")
                assert await following(early) == b"after"
            async with a_redis_server(tmp_path, port):
                assert await following(early) is None
                await bus.publish("turns", b"again")
                assert await following(early) == b"again"
