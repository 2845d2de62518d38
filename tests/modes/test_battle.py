"""The battle as a script: canned replies in, events out."""

import pytest

from parley.kernel.connector import Finish
from parley.kernel.errors import Rejected
from parley.kernel.messages import Message
from parley.kernel.ports import ReplyEnded
from parley.modes.battle import Battle
from parley.testing import (
    BREAK,
    CannedConnector,
    Forever,
    Said,
    Wait,
    heard,
    kinds,
    make_script,
    open_engine,
    until,
)
from tests.fakes.deltas import texts
from tests.fakes.virtual_loop import on_virtual_time

SEATS = {"left": "ada", "right": "bob"}
WHOLE = [
    "turn.snapshot",
    "turn.started",
    "reply.started",
    "reply.started",
    "reply.completed",
    "reply.completed",
    "ballot.opened",
    "turn.completed",
]


@on_virtual_time
async def test_both_seats_speak_and_the_ballot_opens() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "Grüße ", Wait(0.2), "👩‍👩‍👧!")
        engine.connector.says("bob", "Hi.")
        events = await engine.play(Battle(), make_script(Battle(), SEATS))
    assert kinds(events) == WHOLE
    assert texts(events) == {"left": "Grüße 👩‍👩‍👧!", "right": "Hi."}
    assert events[-2]["choices"] == ["left", "tie", "both_bad", "right"]
    ended = engine.log.ended("turn")
    assert ended is not None
    assert (ended.status, ended.void, ended.released) == ("completed", None, None)


@on_virtual_time
async def test_both_seats_hear_the_prompt_and_their_own_history() -> None:
    history = {
        "left": (Message("user", "Before"), Message("assistant", "said by left")),
        "right": (Message("user", "Before"), Message("assistant", "said by right")),
    }
    async with open_engine() as engine:
        await engine.play(Battle(), make_script(Battle(), SEATS, prompt="And now?", history=history))
        assert engine.connector.heard("ada") == [
            "user: Before",
            "assistant: said by left",
            "user: And now?",
        ]
        assert engine.connector.heard("bob")[1] == "assistant: said by right"


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "breaks",
    [
        (Rejected("The key of the provider CANARY was refused."),),
        ("Half an ans", BREAK),
        ("Some text, then ", Rejected("CANARY")),
        (Finish("stop"),),
        (" \n\t", "\u3000"),
        ("\u200b", "\u2060\ufeff"),
        ("Well, ", Finish("content_filter")),
        (Finish("content_filter"),),
        (RuntimeError("a CANARY of a bug in a connector"),),
    ],
    ids=[
        "refused",
        "broken off",
        "failed in mid-answer",
        "empty",
        "spaces",
        "no width",
        "filtered",
        "all filtered",
        "bug",
    ],
)
@on_virtual_time
async def test_a_failing_seat_voids_the_battle_without_a_side(side: str, breaks: tuple[Said, ...]) -> None:
    models = {"left": "bob", "right": "bob", side: "bad"}
    async with open_engine() as engine:
        engine.connector.says("bad", Wait(3.0), *breaks)
        engine.connector.says("bob", *("word " * 4, Wait(0.5)) * 40)
        live = engine.start(Battle(), make_script(Battle(), models))
        events = await heard(live.follow())
        assert events[-1]["kind"] == "turn.failed"
        assert events[-1]["error"]["code"] == "battle_void"
        assert "reply.failed" not in kinds(events)
        assert b"CANARY" not in str(events).encode()
        view = live.snapshot()
        assert {reply.status for reply in view.turn.replies} == {"stopped"}
        assert len({reply.text for reply in view.turn.replies}) <= 2
        shown = {reply.seat: reply.text_end for reply in view.turn.replies}
        assert shown["left"] == shown["right"], "the length would tell the side"
        assert view.match.status == "void"
        ended = engine.log.ended("turn")
        assert ended is not None
        assert ended.void is not None
        assert ended.released == live.visible
        replies = engine.log.replies()
        assert replies[side].status in ("failed", "incomplete")
        other = "right" if side == "left" else "left"
        assert replies[other].status == "stopped"
        assert engine.connector.open == 0
        assert {entry.model_id for entry in engine.log.calls()} >= {"bob"}


@on_virtual_time
async def test_a_failure_after_the_other_side_was_done_does_not_tell_the_side() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "All of it.")
        engine.connector.says("bob", "Half ", Wait(2.0), Rejected("no"))
        live = engine.start(Battle(), make_script(Battle(), SEATS))
        events = await heard(live.follow())
        statuses = [reply.status for reply in live.snapshot().turn.replies]
        assert statuses == ["stopped", "stopped"]
        assert "reply.completed" not in kinds(events)
        assert engine.log.replies()["left"].status == "completed"


@pytest.mark.parametrize("slow", [("Cut ", Forever()), ("Whole ", "before.")], ids=["cut off", "whole too"])
@on_virtual_time
async def test_a_battle_that_is_played_again_asks_both_sides_anew(slow: tuple[Said, ...]) -> None:
    """What stayed the same would tell who was quick; that both stayed, how soon both were done."""
    connector = CannedConnector()
    connector.says("ada", "Finished before. " * 20)
    connector.says("ada", "Finished again.")
    connector.says("bob", *slow)
    connector.says("bob", "Whole at last.")
    async with open_engine(connector) as engine:
        engine.start(Battle(), make_script(Battle(), SEATS))
        await until(lambda: (left := engine.log.replies().get("left")) and left.status == "completed")
        log = engine.log
    assert log.ended("turn") is None
    assert {entry.model_id: entry.attempt for entry in log.calls()} == {"ada": 1, "bob": 1}

    async with open_engine(connector, log) as engine:
        events = await engine.resume(Battle())
    assert (connector.asked("ada"), connector.asked("bob")) == (2, 2)
    assert texts(events) == {"left": "Finished again.", "right": "Whole at last."}
    assert kinds(events).count("reply.started") == 2
    assert {event["attempt"] for event in events if "attempt" in event} == {2}
    assert {reply.attempt for reply in log.replies().values()} == {2}
    assert sorted(entry.model_id for entry in log.calls()) == ["ada", "ada", "bob", "bob"]


@on_virtual_time
async def test_a_failure_that_a_crash_followed_at_once_is_asked_anew_and_voids_the_battle_if_it_comes_again() -> (
    None
):
    connector = CannedConnector()
    connector.says("ada", Wait(1.0), Rejected("no"))
    connector.says("bob", "Hi. ", Forever())
    async with open_engine(connector) as engine:
        engine.start(Battle(), make_script(Battle(), SEATS))
        await until(lambda: engine.log.ended("turn"))
        log = engine.log
    failed = next(
        at
        for at, entry in enumerate(log.entries)
        if isinstance(entry, ReplyEnded) and entry.status == "failed"
    )
    log.transactions = [log.entries[: failed + 1]]
    async with open_engine(connector, log) as engine:
        events = await engine.resume(Battle())
        assert events[-1]["error"]["code"] == "battle_void"
    assert (connector.asked("ada"), connector.asked("bob")) == (2, 2)


@on_virtual_time
async def test_a_stopped_battle_shows_both_sides_as_stopped_and_can_be_asked_again() -> None:
    async with open_engine() as engine:
        engine.connector.says("ada", "Quick and done. " * 3)
        engine.connector.says("ada", "Quick again.")
        engine.connector.says("bob", "Slow ", *(Wait(0.5), "and slow ") * 100)
        engine.connector.says("bob", "Quick now.")
        live = engine.start(Battle(), make_script(Battle(), SEATS))
        await until(lambda: max((live.visible or {}).values(), default=0) >= 10)
        await engine.runner.stop("turn")
        view = live.snapshot().turn
        assert (view.status, {reply.status for reply in view.replies}) == ("stopped", {"stopped"})
        ended = engine.log.ended("turn")
        assert ended is not None
        assert (ended.status, ended.released, ended.void) == ("stopped", live.visible, None)
        events = await engine.retry(Battle())
    assert kinds(events)[-1] == "turn.completed"
    assert engine.connector.asked("ada") == 2, "what stayed the same would tell who was quick"
    assert texts(events) == {"left": "Quick again.", "right": "Quick now."}


@on_virtual_time
async def test_nothing_of_a_seat_is_shown_before_the_vote() -> None:
    async with open_engine() as engine:
        live = engine.start(Battle(), make_script(Battle(), {"left": "canary", "right": "canary"}))
        events = await heard(live.follow())
    whole = str(events).lower()
    assert "canary" not in whole
    assert {event["metrics"] for event in events if event["kind"] == "reply.completed"} == {None}
