"""Tests of the hub: one ticker for all turns, one heartbeat for all feeds."""

import asyncio
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from parley.engine.hub import HEARTBEAT_S, Hub
from parley.kernel.events import SessionChanged
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import Wait, decoded, heard, make_match, make_script, open_engine
from parley.wire.ticker import INTERVAL_S
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

CHANGED = SessionChanged(session_id="session", deleted=False)


@on_virtual_time
async def test_one_tick_serves_every_turn_that_has_something_to_release() -> None:
    loop = asyncio.get_running_loop()
    async with open_engine() as engine:
        ticks: list[float] = []
        tick = engine.hub.flush

        def counted() -> None:
            ticks.append(loop.time())
            tick()

        engine.hub._ticker.follow(counted)
        engine.connector.says("ada", *("word ", Wait(0.01)) * 300)
        reading = [
            asyncio.create_task(
                engine.play(Chat(), make_script(Chat(), {"assistant": "ada"}, turn_id=f"t{n}"))
            )
            for n in range(20)
        ]
        streams = await asyncio.gather(*reading)
        assert all(texts(events) == {"assistant": "word " * 300} for events in streams)
        assert max(len(events) for events in streams) < 130, "deltas are gathered"
        assert all(after - before >= INTERVAL_S * 0.99 for before, after in pairwise(ticks))
        ticked = len(ticks)
        await asyncio.sleep(5)
        assert len(ticks) <= ticked + 1, "nobody ticks while nothing happens"


@on_virtual_time
async def test_a_turn_that_cannot_be_shown_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", *("word ", Wait(0.1)) * 5)
        broken = engine.start(Chat(), make_script(Chat(), {"assistant": "ada"}, turn_id="broken"))
        broken.release = _fail  # pyright: ignore[reportAttributeAccessIssue]
        events = await engine.play(Chat(), make_script(Chat(), {"assistant": "ada"}, turn_id="whole"))
    assert texts(events) == {"assistant": "word " * 5}
    assert "could not be shown" in caplog.text


def _fail(_: float) -> bool:
    raise ValueError("a bug")


@on_virtual_time
async def test_only_blind_matches_hold_text_back_and_only_paced_ones_show_it_evenly() -> None:
    battle, chat = make_script(Battle(), {"left": "a", "right": "b"}), make_script(Chat(), {"assistant": "a"})
    unpaced = msgspec.structs.replace(make_match(Battle(), battle), paced=False)
    cases: list[tuple[bool, Any, Any, Any]] = [
        (True, battle, make_match(Battle(), battle), True),
        (True, battle, unpaced, False),
        (False, battle, make_match(Battle(), battle), False),
        (True, chat, make_match(Chat(), chat), None),
    ]
    for even, script, match, paced in cases:
        hub = Hub(even_pacing=even)
        live = hub.open_turn(script, match)
        assert (live._releases.paced if live._releases else None) is paced
        assert hub.turn(script.turn_id) is live
        hub.close_turn(live)
        assert hub.turns() == ()


@on_virtual_time
async def test_idle_feeds_get_a_heartbeat() -> None:
    hub = Hub()
    hub.start()
    feed = hub.follow_session("session")
    frames = aiter(feed)
    assert await anext(frames) == b": \n\n"
    before = asyncio.get_running_loop().time()
    assert await anext(frames) == b": \n\n"
    assert asyncio.get_running_loop().time() - before == pytest.approx(HEARTBEAT_S)
    await hub.close()
    assert [frame async for frame in frames] == []


@on_virtual_time
async def test_followers_of_a_session_receive_what_was_published_before_their_first_read() -> None:
    hub = Hub()
    feed = hub.follow_session("session")
    other = hub.follow_session("other")
    hub.publish("session", CHANGED)
    hub.end_feeds()
    assert [event["kind"] for event in await heard(feed)] == ["session.changed"]
    assert await heard(other) == []
    hub.publish("session", CHANGED)
    assert hub._session_feeds == {}


def present(frames: bytes) -> list[tuple[str, ...]]:
    return [tuple(it["person_ids"]) for it in decoded(frames) if it["kind"] == "people.present"]


@on_virtual_time
async def test_people_of_a_workspace_hear_who_else_is_there_and_who_has_left() -> None:
    hub = Hub()
    ana = hub.follow_session("session", "ana")
    assert present(await ana.read()) == [("ana",)]
    first, second = hub.follow_session("session", "jonas"), hub.follow_session("session", "jonas")
    assert present(await ana.read()) == [("ana", "jonas"), ("ana", "jonas")]
    assert present(await second.read()) == [("ana", "jonas")]
    first.close()
    hub.publish("session", CHANGED)
    assert present(await ana.read()) == [], "one of two tabs"
    second.close()
    assert present(await ana.read()) == [("ana",)]
    ana.close()
    assert hub._session_feeds == {}


@on_virtual_time
async def test_nobody_is_shown_outside_of_workspaces() -> None:
    hub = Hub()
    feed, other = hub.follow_session("session"), hub.follow_session("session")
    other.close()
    assert decoded(await feed.read()) == []


def test_heartbeats_are_no_events() -> None:
    assert decoded(b": \n\n") == []
