"""Tests of feeds: what one client is sent, at its own speed."""

import asyncio

import pytest

from parley.engine.feed import HEARTBEAT, MAX_PENDING_BYTES, Feed, sse_frame
from tests.fakes.virtual_loop import on_virtual_time


def a_feed(opening: str = "opening") -> tuple[Feed, list[Feed]]:
    left: list[Feed] = []
    return Feed(lambda: sse_frame(opening.encode()), left.append), left


async def read(feed: Feed) -> list[bytes]:
    return [frames async for frames in feed]


@on_virtual_time
async def test_a_feed_opens_then_tells_and_ends() -> None:
    feed, left = a_feed()
    reading = asyncio.create_task(read(feed))
    await asyncio.sleep(0)
    feed.push(b"one ")
    feed.push(b"two ")
    await asyncio.sleep(1)
    feed.push(b"three ")
    feed.end(b"end")
    assert await reading == [b"data: opening\n\n", b"one two ", b"three end"]
    assert left == [feed]


@on_virtual_time
async def test_what_happens_before_the_first_read_is_in_the_snapshot_but_the_end_is_sent() -> None:
    feed, _ = a_feed()
    feed.push(b"one ")
    feed.end(b"end")
    assert await read(feed) == [b"data: opening\n\n", b"end"]


@on_virtual_time
async def test_a_client_that_does_not_read_cannot_grow_the_queue_and_is_opened_afresh() -> None:
    said = ["first"]
    feed = Feed(lambda: sse_frame(said[0].encode()), lambda _: None)
    frames = aiter(feed)
    assert await anext(frames) == b"data: first\n\n"
    for _ in range(5000):
        feed.push(b"x" * 1000)
        assert feed._pending <= MAX_PENDING_BYTES
        assert sum(map(len, feed._frames)) <= MAX_PENDING_BYTES
    said[0] = "second"
    assert await anext(frames) == b"data: second\n\n"
    feed.push(b"goes on")
    assert await anext(frames) == b"goes on"


@on_virtual_time
async def test_the_end_is_sent_to_a_client_that_was_too_slow() -> None:
    feed, _ = a_feed()
    frames = aiter(feed)
    await anext(frames)
    feed.push(b"x" * (MAX_PENDING_BYTES + 1))
    feed.end(b"end")
    assert [frame async for frame in frames] == [b"data: opening\n\n", b"end"]


@on_virtual_time
async def test_a_feed_without_a_first_event_misses_nothing_and_ends_when_it_would() -> None:
    feed = Feed(None, lambda _: None)
    feed.push(b"early ")
    frames = aiter(feed)
    assert await anext(frames) == b"early "
    feed.push(b"x" * (MAX_PENDING_BYTES + 1))
    assert [frame async for frame in frames] == []


@on_virtual_time
async def test_only_an_idle_feed_sends_heartbeats() -> None:
    feed, _ = a_feed()
    frames = aiter(feed)
    feed.send_heartbeat()
    assert await anext(frames) == b"data: opening\n\n"
    feed.send_heartbeat()
    feed.send_heartbeat()
    assert await anext(frames) == HEARTBEAT
    feed.push(b"fresh")
    feed.send_heartbeat()
    assert await anext(frames) == b"fresh"


@on_virtual_time
async def test_a_client_that_leaves_is_forgotten() -> None:
    feed, left = a_feed()
    reading = asyncio.create_task(read(feed))
    await asyncio.sleep(1)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert left == [feed]
