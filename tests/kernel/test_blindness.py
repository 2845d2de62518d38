"""Tests of blindness: views and events tell nothing that depends on which model sits where."""

from typing import Any

import msgspec
import pytest

from parley.kernel import events
from parley.kernel.blindness import VOID, veil_event, veil_match, veil_turn
from parley.kernel.errors import Problem
from parley.kernel.tools import ToolCallView, ToolResult
from parley.kernel.views import Metrics, NoteView, ReplyView, TurnView
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import make_match, make_script

CAUSE = Problem(code="upstream_rejected", title="CANARY refused the key.", detail="CANARY")


def metrics(number: int) -> Metrics:
    return Metrics(
        ttft_ms=number,
        duration_ms=number,
        input_tokens=number,
        output_tokens=number,
        reasoning_tokens=number,
        tokens_per_second=number / 7,
        cost_micros=number,
        estimated=bool(number % 2),
    )


def a_reply(seat: str, number: int, **changes: Any) -> ReplyView:
    reply = ReplyView(
        id=f"id-{seat}",
        seat=seat,
        path="",
        round=0,
        purpose="answer",
        order=("left", "right").index(seat),
        attempt=number,
        status="completed",
        text="The same text of both. 👩‍👩‍👧",
        text_end=28,
        reasoning="thoughts" * number,
        reasoning_end=8 * number,
        finish_reason="stop" if number % 2 else "length",
        metrics=metrics(number),
        error=None,
    )
    return msgspec.structs.replace(reply, **changes)


def a_turn(*replies: ReplyView, **changes: Any) -> TurnView:
    turn = TurnView(
        id="turn",
        match_id="match",
        session_id="session",
        index=0,
        input=make_script(Battle(), {}).input,
        status="running",
        play=3,
        round=0,
        replies=replies,
        notes=(),
        interjections=(),
        error=None,
        created_at="2026-01-01T00:00:00+00:00",
    )
    return msgspec.structs.replace(turn, **changes)


@pytest.mark.parametrize("status", ["running", "interrupted", "completed", "stopped", "failed"])
def test_two_models_with_one_text_look_the_same(status: Any) -> None:
    odd, even = a_reply("left", 1), a_reply("left", 2)
    seen = {"id-left": 7, "id-right": 7}
    views = [
        veil_turn(a_turn(reply, a_reply("right", 5), status=status), visible=seen) for reply in (odd, even)
    ]
    assert msgspec.json.encode(views[0]) == msgspec.json.encode(views[1])
    assert {reply.text for reply in views[0].replies} == {"The sam"}
    assert {(reply.attempt, reply.metrics, reply.reasoning) for reply in views[0].replies} == {(3, None, "")}


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ("running", "streaming"),
        ("interrupted", "streaming"),
        ("completed", "completed"),
        ("stopped", "stopped"),
        ("failed", "stopped"),
    ],
)
def test_all_replies_of_a_turn_have_one_status(status: Any, shown: str) -> None:
    done = a_reply("left", 1)
    broken = a_reply("right", 2, status="failed", error=CAUSE, text="The")
    error = CAUSE if status == "failed" else None
    view = veil_turn(a_turn(done, broken, status=status, error=error), visible={"id-left": 3, "id-right": 3})
    assert {reply.status for reply in view.replies} == {shown}
    assert {(reply.text, reply.text_end) for reply in view.replies} == {("The", 3)}
    assert b"CANARY" not in msgspec.json.encode(view)
    assert view.error == (VOID if status == "failed" else None)


def test_every_round_of_a_blind_turn_is_shown() -> None:
    replies = [a_reply(seat, 1, round=number) for number in (1, 2) for seat in ("left", "right")]
    call = ToolCallView(id="c", reply_id="r", round=1, attempt=1, name="CANARY", arguments="{}")
    view = veil_turn(a_turn(*replies, round=7, notes=(_note(),), tools=(call,)), visible=None)
    assert view.round == 2
    assert [(reply.round, reply.seat) for reply in view.replies] == [
        (1, "left"),
        (1, "right"),
        (2, "left"),
        (2, "right"),
    ]
    assert view.notes == view.tools == ()


def test_of_a_round_that_is_not_shown_yet_nothing_is_shown() -> None:
    replies = [
        a_reply(seat, 1, round=number, id=f"{seat}-{number}")
        for number in (1, 2)
        for seat in ("left", "right")
    ]
    view = veil_turn(a_turn(*replies, round=2), visible={"left-1": 28, "right-1": 4})
    assert [(reply.id, reply.text_end) for reply in view.replies] == [("left-1", 28), ("right-1", 4)]
    assert view.round == 1
    assert veil_turn(a_turn(*replies, round=2), visible={}).replies == ()


def _note() -> NoteView:
    return NoteView(seq=1, name="secret/1", round=0, key="", data="CANARY")


def test_a_blind_match_shows_no_model_and_an_open_one_all() -> None:
    chat = make_match(Chat(), make_script(Chat(), {"assistant": "ada"}))
    assert veil_match(chat) is chat
    battle = make_match(Battle(), make_script(Battle(), {"left": "ada", "right": "bob"}))
    cards = tuple(msgspec.structs.replace(seat, model=chat.seats[0].model) for seat in battle.seats)
    veiled = veil_match(msgspec.structs.replace(battle, seats=cards, void=CAUSE))
    assert [seat.model for seat in veiled.seats] == [None, None]
    assert veiled.void == VOID
    assert veiled.ballot == battle.ballot
    assert veiled.ballot is not None
    assert veiled.ballot.choices == ("left", "tie", "both_bad", "right")


def test_of_every_event_only_what_both_sides_share_is_shown() -> None:
    shared: list[events.Event] = [
        events.TurnStarted(turn_id="t", play=3),
        events.RoundStarted(turn_id="t", round=1),
        events.BallotOpened(turn_id="t", match_id="m", choices=("left",)),
        events.TurnCompleted(turn_id="t"),
        events.TurnStopped(turn_id="t"),
    ]
    assert [veil_event(event, attempt=3) for event in shared] == shared
    silent: list[events.Event] = [
        events.NoteAdded(turn_id="t", note=_note()),
        events.ToolCalled(turn_id="t", reply_id="r", call_id="c", name="CANARY", arguments="{}"),
        events.ToolReturned(turn_id="t", reply_id="r", call_id="c", result=ToolResult(text="CANARY")),
        events.ReplyFailed(
            turn_id="t",
            reply_id="r",
            attempt=1,
            status="failed",
            text_end=3,
            reasoning_end=0,
            metrics=metrics(1),
            error=CAUSE,
        ),
    ]
    assert [veil_event(event, attempt=3) for event in silent] == [None] * len(silent)


def test_ends_and_failures_are_shown_without_attempts_metrics_and_causes() -> None:
    completed = events.ReplyCompleted(
        turn_id="t",
        reply_id="r",
        attempt=7,
        text_end=5,
        reasoning_end=99,
        finish_reason="length",
        metrics=metrics(1),
    )
    shown = veil_event(completed, attempt=3)
    assert shown == msgspec.structs.replace(
        completed, attempt=3, reasoning_end=0, finish_reason=None, metrics=None
    )
    assert veil_event(events.TurnFailed(turn_id="t", error=CAUSE), attempt=3) == events.TurnFailed(
        turn_id="t", error=VOID
    )
