"""A mode whose seats call tools: calls and results are events and rows, and a crash calls nothing twice."""

from collections.abc import Sequence
from typing import Any

import pytest

from parley.kernel.connector import Finish
from parley.kernel.messages import Message, ToolCall
from parley.kernel.mode import Brief, Mode, Reply, Stage
from parley.kernel.options import AskOptions, Tool
from parley.kernel.seats import Draw, Group, Seating
from parley.testing import (
    CannedConnector,
    Forever,
    MemoryLog,
    SmallCatalog,
    kinds,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.virtual_loop import on_virtual_time

CLOCK = Tool(name="clock", description="Tells the time.", parameters={"type": "object", "properties": {}})
CALL = ToolCall(0, "call-1", "clock", '{"zone": "UTC"}')
CALLS = AskOptions(tools=(CLOCK,))
ABLE = [make_model("ada", capabilities=("text", "tools"))]


class Errand(Mode[Brief]):
    """A seat answers, with a clock at hand."""

    name = "errand"
    title = "Errand"
    summary = "A seat answers, with a clock at hand"
    brief = Brief
    seating = Seating(groups=(Group("member", 1, 1, names=("a",)),))

    async def play(self, stage: Stage, brief: Brief) -> None:
        (seat,) = stage.seats
        asked = (Message("user", stage.prompt),)
        reply = await stage.ask(seat, asked, options=CALLS)
        if reply.tool_calls:
            await stage.ask(seat, (*asked, *results(reply)), purpose="after-1", options=CALLS)


class HiddenErrand(Errand):
    """The same, blind."""

    name = "hidden-errand"
    seating = Seating(groups=(Group("left", draw=Draw.DRAWN), Group("right", draw=Draw.DRAWN)), blind=True)

    async def play(self, stage: Stage, brief: Brief) -> None:
        await stage.ask_all(stage.seats, options=lambda _: CALLS)


def results(reply: Reply) -> Sequence[Message]:
    """What the reply was, and what the clock says."""
    returned = [Message("tool", "noon", tool_call_id=call.id) for call in reply.tool_calls]
    return (Message("assistant", reply.text, tool_calls=reply.tool_calls), *returned)


def named(events: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["kind"] == kind]


@on_virtual_time
async def test_a_call_and_its_result_are_streamed_stored_and_sent_to_the_model() -> None:
    async with open_engine(catalog=SmallCatalog(ABLE)) as engine:
        engine.connector.says("ada", "Let me look.", CALL, Finish("tool_calls"))
        engine.connector.says("ada", "It is noon.")
        events = await engine.play(Errand(), make_script(Errand(), {"a": "ada"}))
    (called,), (returned,) = named(events, "tool.called"), named(events, "tool.returned")
    first, second = (event["reply_id"] for event in named(events, "reply.started"))
    assert (called["reply_id"], called["call_id"], called["name"], called["arguments"]) == (
        first,
        "call-1",
        "clock",
        '{"zone": "UTC"}',
    )
    assert (returned["reply_id"], returned["call_id"], returned["content"], returned["failed"]) == (
        first,
        "call-1",
        "noon",
        False,
    )
    sequence = [kind for kind in kinds(events) if not kind.startswith("turn.")]
    assert sequence[:4] == ["reply.started", "tool.called", "tool.returned", "reply.started"]
    assert sequence[4:] == ["reply.completed"] * 2, "the end of a reply is told once it is stored"
    assert [kind for kind in engine.log.kinds() if kind.startswith("tool")] == [
        "tool.called",
        "tool.returned",
    ]
    asked = engine.connector.requests
    assert [request.tools for request in asked] == [(CLOCK,)] * 2
    assert asked[1].messages[1:] == (
        Message("assistant", "Let me look.", tool_calls=(CALL,)),
        Message("tool", "noon", tool_call_id="call-1"),
    )
    assert named(events, "reply.completed")[1]["reply_id"] == second


@on_virtual_time
async def test_a_reply_that_only_calls_a_tool_is_complete() -> None:
    async with open_engine(catalog=SmallCatalog(ABLE)) as engine:
        engine.connector.says("ada", CALL, Finish("tool_calls"))
        engine.connector.says("ada", "It is noon.")
        events = await engine.play(Errand(), make_script(Errand(), {"a": "ada"}))
    assert [event["finish_reason"] for event in named(events, "reply.completed")] == ["tool_calls", "stop"]


@on_virtual_time
async def test_an_answer_that_breaks_off_has_called_nothing() -> None:
    async with open_engine(catalog=SmallCatalog(ABLE)) as engine:
        engine.connector.says("ada", "Let me", CALL, RuntimeError("cut"))
        events = await engine.play(Errand(), make_script(Errand(), {"a": "ada"}))
    assert [event["status"] for event in named(events, "reply.failed")] == ["failed"]
    assert named(events, "tool.called") == []


@on_virtual_time
async def test_after_a_crash_a_call_stands_and_the_seat_goes_on_from_its_result() -> None:
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", CALL, Finish("tool_calls"))
    connector.says("ada", "It is", Forever())
    connector.says("ada", "It is noon.")
    async with open_engine(connector, log, catalog=SmallCatalog(ABLE)) as engine:
        engine.start(Errand(), make_script(Errand(), {"a": "ada"}))
        await until(lambda: connector.asked("ada") == 2)
        await until(lambda: "tool.returned" in log.kinds())
    async with open_engine(connector, log, catalog=SmallCatalog(ABLE)) as engine:
        events = await engine.resume(Errand())
    assert kinds(events)[-1] == "turn.completed"
    assert connector.asked("ada") == 3, "the call was not asked for again"
    assert connector.requests[1].messages == connector.requests[2].messages
    assert log.kinds().count("tool.called") == 1
    (called,) = named(events, "tool.called")
    assert (called["call_id"], called["arguments"]) == ("call-1", '{"zone": "UTC"}')


@on_virtual_time
async def test_a_blind_viewer_hears_of_no_tool() -> None:
    catalog = SmallCatalog([make_model(name, capabilities=("text", "tools")) for name in ("ada", "bob")])
    async with open_engine(catalog=catalog) as engine:
        engine.connector.says("ada", "Let me look.", CALL, Finish("tool_calls"))
        events = await engine.play(
            HiddenErrand(), make_script(HiddenErrand(), {"left": "ada", "right": "bob"})
        )
    assert kinds(events)[-1] == "turn.completed"
    assert not [kind for kind in kinds(events) if kind.startswith("tool.")]
    assert "tool.called" in engine.log.kinds(), "it is kept"


@pytest.mark.parametrize("asked", [CALLS, None])
def test_a_model_without_tools_is_refused_calls_and_results(asked: AskOptions | None) -> None:
    class Pushy(Errand):
        async def play(self, stage: Stage, brief: Brief) -> None:
            heard = (Message("user", "Hi"), *(() if asked else (Message("tool", "noon", tool_call_id="x"),)))
            await stage.ask(stage.seats[0], heard, options=asked)

    @on_virtual_time
    async def whole() -> None:
        async with open_engine() as engine:
            events = await engine.play(Pushy(), make_script(Pushy(), {"a": "ada"}))
        (failed,) = named(events, "reply.failed")
        assert failed["error"]["code"] == "model_without_tools"
        assert engine.connector.requests == []

    whole()
