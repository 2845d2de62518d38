"""Tests of the runner: every turn comes to exactly one end, or is played again."""

import asyncio
import logging

import pytest

from parley.kernel.errors import Rejected
from parley.kernel.mode import Stage
from parley.modes.battle import Battle
from parley.modes.chat import Chat, ChatBrief
from parley.testing import (
    CannedConnector,
    Forever,
    MemoryLog,
    Wait,
    heard,
    kinds,
    make_script,
    open_engine,
    until,
)
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

CHAT = {"assistant": "ada"}
SEATS = {"left": "ada", "right": "bob"}
ENDS = {"turn.completed", "turn.failed", "turn.stopped"}


@on_virtual_time
async def test_a_turn_goes_on_when_nobody_follows() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Wait(5), "Done.")
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await asyncio.sleep(1)
        reading.cancel()
        await until(live.finished.is_set)
        await until(lambda: engine.hub.turn("turn") is None)
    assert engine.log.replies()["assistant"].text == "Done."


@on_virtual_time
async def test_a_turn_is_shown_as_ended_only_once_that_is_stored() -> None:
    async with open_engine() as engine:
        live = engine.start(Battle(), make_script(Battle(), SEATS))
        feed = live.follow()
        await until(lambda: live.ending or "reply.completed" in engine.log.kinds())
        engine.log.busy()
        await asyncio.sleep(20)
        view = live.snapshot()
        assert view.turn.status == "running"
        assert {reply.status for reply in view.turn.replies} == {"streaming"}
        assert view.match.ballot is not None
        assert not view.match.ballot.open
        engine.log.broken = None
        events = await heard(feed)
        ballot = live.snapshot().match.ballot
        assert ballot is not None
        assert ballot.open
    assert kinds(events)[-1] == "turn.completed"


@on_virtual_time
async def test_a_reply_is_shown_as_complete_only_once_that_is_stored() -> None:
    async with open_engine() as engine:
        engine.log.busy()
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        await asyncio.sleep(3)
        (reply,) = live.snapshot().turn.replies
        assert (reply.status, reply.text, reply.metrics) == ("streaming", "An answer.", None)
        engine.log.broken = None
        await until(live.finished.is_set)
        (reply,) = live.snapshot().turn.replies
        assert reply.status == "completed"
        assert reply.metrics is not None


@on_virtual_time
async def test_stop_ends_the_turn_once_however_often_it_is_asked() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "So far", Forever())
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await until(lambda: live.replies)
        engine.log.busy()
        stops = [asyncio.create_task(engine.runner.stop("turn")) for _ in range(3)]
        await asyncio.sleep(2)
        stops.append(asyncio.create_task(engine.runner.stop("turn")))
        await asyncio.sleep(1)
        assert not any(stop.done() for stop in stops), "stop answers once it is stored"
        assert engine.connector.open == 0, "the stream to the model was closed at once"
        engine.log.broken = None
        assert await asyncio.gather(*stops) == [True] * 4
        events = await reading
    assert [kind for kind in kinds(events) if kind in ENDS] == ["turn.stopped"]
    assert [kind for kind in engine.log.kinds() if kind in ENDS] == ["turn.stopped"]


@on_virtual_time
async def test_stop_in_the_moment_of_the_end_changes_nothing() -> None:
    async with open_engine() as engine:
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await until(lambda: engine.log.kinds()[-1:] == ["reply.completed"] or live.ending)
        engine.log.busy()
        await until(lambda: live.ending)
        stop = asyncio.create_task(engine.runner.stop("turn"))
        await asyncio.sleep(1)
        engine.log.broken = None
        await stop
        events = await reading
    assert kinds(events)[-1] == "turn.completed"


@on_virtual_time
async def test_stop_while_the_end_is_being_stored_comes_too_late() -> None:
    async with open_engine() as engine:
        engine.log.busy()
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await asyncio.sleep(2)
        stop = asyncio.create_task(engine.runner.stop("turn"))
        await asyncio.sleep(2)
        engine.log.broken = None
        await stop
        events = await reading
    assert kinds(events)[-2:] == ["reply.completed", "turn.completed"]
    assert engine.log.replies()["assistant"].status == "completed"


@on_virtual_time
async def test_a_turn_that_is_stopped_before_it_began_has_an_end_too() -> None:
    async with open_engine() as engine:
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        feed = live.follow()
        await engine.runner.stop("turn")
        assert kinds(await heard(feed))[-1] == "turn.stopped"
        ended = engine.log.ended("turn")
        assert ended is not None
        assert ended.status == "stopped"


@on_virtual_time
async def test_closing_interrupts_keeps_the_turn_running_in_the_record_and_it_is_resumed() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", "Half an ", Forever())
    connector.says("ada", "A whole answer.")
    async with open_engine(connector, log) as engine:
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await until(lambda: live.replies and next(iter(live.replies.values())).length == 8)
        await engine.runner.close()
        events = await reading
    assert not ENDS & set(kinds(events)), "an interruption is no end"
    assert await log.unfinished() == ["turn"]
    reply = log.replies()["assistant"]
    assert (reply.status, reply.text) == ("streaming", "Half an "), "what had come is kept"
    assert len(log.calls()) == 1, "and paid for"
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Chat())
    assert texts(events) == {"assistant": "A whole answer."}
    assert events[0]["turn"]["play"] == 2
    assert await log.unfinished() == []


@on_virtual_time
async def test_closing_does_not_wait_for_a_database_that_is_away() -> None:
    log = MemoryLog()
    async with open_engine(log=log) as engine:
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        feed = live.follow()
        log.busy()
        await asyncio.sleep(10)
        before = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - before < 5
    assert not ENDS & set(kinds(await heard(feed)))
    assert await log.unfinished() == ["turn"]


@on_virtual_time
async def test_an_outage_of_the_database_delays_a_turn_and_loses_nothing() -> None:
    log = MemoryLog()
    async with open_engine(log=log) as engine:
        log.busy()
        engine.connector.says("ada", *("word ", Wait(1)) * 30)
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        reading = asyncio.create_task(heard(live.follow()))
        await asyncio.sleep(120)
        log.broken = None
        events = await reading
    assert kinds(events)[-1] == "turn.completed"
    assert log.replies()["assistant"].text == "word " * 30
    assert log.kinds() == ["turn.started", "reply.started", "reply.completed", "turn.completed"]


@on_virtual_time
async def test_a_record_that_is_refused_does_not_leave_clients_hanging(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = MemoryLog()
    log.broken = ValueError("no such table")
    async with open_engine(log=log) as engine:
        live = engine.start(Chat(), make_script(Chat(), CHAT))
        feed = live.follow()
        await until(live.finished.is_set)
        assert not ENDS & set(kinds(await heard(feed))), "what is not stored is not told"
    assert await log.unfinished() == ["turn"]


class Broken(Chat):
    """Has a bug."""

    async def play(self, stage: Stage, brief: ChatBrief) -> None:
        await stage.ask(stage.seats[0])
        raise ZeroDivisionError("CANARY")


class BrokenBattle(Battle):
    """Has a bug, in the dark."""

    async def play(self, stage: Stage, brief: object) -> None:
        raise ZeroDivisionError("CANARY")


@on_virtual_time
async def test_a_bug_in_a_mode_fails_the_turn_and_is_logged_but_not_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    async with open_engine() as engine:
        events = await engine.play(Broken(), make_script(Chat(), CHAT))
        blind = await engine.play(BrokenBattle(), make_script(Battle(), SEATS, turn_id="blind"))
    assert events[-1]["kind"] == "turn.failed"
    assert events[-1]["error"]["code"] == "mode_broken"
    assert engine.log.replies()["assistant"].text == "An answer.", "what had come is kept"
    assert "CANARY" in caplog.text
    assert "CANARY" not in str(events)
    assert blind[-1]["error"]["code"] == "battle_void"
    ended = engine.log.ended("blind")
    assert ended is not None
    assert ended.void is not None


class Impatient(Chat):
    """Asks two at once and has a bug meanwhile."""

    async def play(self, stage: Stage, brief: ChatBrief) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(stage.ask(stage.seats[0], purpose="one"))
            await asyncio.sleep(1)
            raise ZeroDivisionError


@on_virtual_time
async def test_seats_that_a_bug_cuts_off_are_stored_as_stopped() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "So far", Forever())
        live = engine.start(Impatient(), make_script(Chat(), CHAT))
        events = await heard(live.follow())
        assert live.snapshot().turn.replies[0].status == "stopped"
    assert kinds(events)[-2:] == ["reply.failed", "turn.failed"]
    assert engine.log.replies()["assistant"].status == "stopped"
    assert len(engine.log.calls()) == 1


class OneAfterTheOther(Battle):
    """A blind mode that does not ask both at once."""

    async def play(self, stage: Stage, brief: object) -> None:
        for seat in stage.seats:
            await stage.ask(seat)


@on_virtual_time
async def test_a_blind_turn_is_released_whole_even_if_seats_speak_in_turn() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "First " * 20)
        engine.connector.says("bob", Wait(20), *("then the second ", Wait(0.05)) * 40)
        events = await engine.play(OneAfterTheOther(), make_script(Battle(), SEATS))
    assert texts(events) == {"left": "First " * 20, "right": "then the second " * 40}
    assert kinds(events)[-1] == "turn.completed"


@on_virtual_time
async def test_a_lone_surrogate_of_a_careless_connector_becomes_a_replacement_character() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "so \ud83d it")
        events = await engine.play(Chat(), make_script(Chat(), CHAT))
    assert texts(events) == {"assistant": "so \ufffd it"}


@on_virtual_time
async def test_two_failing_seats_are_one_void() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", Rejected("no"))
        engine.connector.says("bob", Rejected("no"))
        events = await engine.play(Battle(), make_script(Battle(), SEATS))
    assert [kind for kind in kinds(events) if kind in ENDS] == ["turn.failed"]
