"""Tests of views of stored turns."""

from typing import Any

import msgspec

from parley.features.arena.views import turn_snapshot
from parley.kernel import events
from parley.kernel.tools import ToolResult
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.testing import make_match, make_script
from tests.fakes.rows import a_reply, a_turn

TURN: dict[str, Any] = {"input": {"type": "prompt", "text": "Hi"}}


def called(call_id: str, reply_id: str | None = None, **changes: Any) -> events.ToolCalled:
    return events.ToolCalled(
        turn_id="t", reply_id=reply_id, call_id=call_id, name="clock", arguments="{}", **changes
    )


def plain(*logged: events.Event) -> list[tuple[str, dict[str, Any]]]:
    return [(events.event_kind(event), msgspec.to_builtins(event)) for event in logged]


def test_a_stored_turn_shows_the_calls_of_its_mode_and_of_the_latest_attempts() -> None:
    logged = plain(
        called("by the mode"),
        called("old", "r", attempt=1),
        called("new", "r", attempt=2),
        called("within an ensemble", path="left.0.answer"),
        events.ToolReturned(turn_id="t", reply_id="r", call_id="new", result=ToolResult(text="noon")),
    )
    match = make_match(Chat(), make_script(Chat(), {"assistant": "ada"}))
    turn = turn_snapshot(match, a_turn(**TURN), [a_reply(attempt=2)], logged).turn
    assert [(call.id, call.result) for call in turn.tools] == [
        ("by the mode", None),
        ("new", ToolResult(text="noon")),
    ]


def test_a_stored_blind_turn_shows_no_call_of_a_tool() -> None:
    match = make_match(Battle(), make_script(Battle(), {"left": "ada", "right": "bob"}))
    turn = turn_snapshot(match, a_turn(**TURN), [a_reply()], plain(called("c"), called("d", "r"))).turn
    assert turn.tools == ()
