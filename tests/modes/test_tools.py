"""A mode that calls tools, by itself and for its seats: calls are events and rows, and no tool runs twice."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.kernel.connector import Finish
from parley.kernel.errors import Problem, Unavailable
from parley.kernel.messages import ImagePart, Message, ToolCall
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.options import AskOptions
from parley.kernel.ports import Ensemble
from parley.kernel.seats import Draw, Group, Seat, Seating
from parley.kernel.tools import ToolResult
from parley.modes.chat import Chat
from parley.testing import (
    CannedConnector,
    CannedEngine,
    Forever,
    MemoryLog,
    SmallCatalog,
    heard,
    kinds,
    make_card,
    make_model,
    make_script,
    open_engine,
    until,
)
from tests.fakes.tools import FakeTools
from tests.fakes.virtual_loop import on_virtual_time

CALL = ToolCall(0, "call-1", "clock", '{"zone": "UTC"}')
ABLE = [make_model(name, capabilities=("text", "tools")) for name in ("ada", "bob")]
NOON = ToolResult(text="noon")
ALONE = {"a": "ada"}


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
        options = AskOptions(tools=stage.tools)
        reply = await stage.ask(seat, asked, options=options)
        if reply.tool_calls:
            answers = [
                (await stage.call(call.name, call.arguments, reply=reply, key=call.id)).message(call.id)
                for call in reply.tool_calls
            ]
            asked = (*asked, Message("assistant", reply.text, tool_calls=reply.tool_calls), *answers)
            await stage.ask(seat, asked, purpose="after-1", options=options)


class LookUp(Mode[Brief]):
    """The mode looks something up before it asks."""

    name = "look-up"
    title = "Look-up"
    summary = "The mode looks something up before it asks"
    brief = Brief
    seating = Seating(groups=(Group("member", 1, 1, names=("a",)),))
    calls: Sequence[tuple[str, str | dict[str, object]]] = (("clock", {"zone": "UTC", "at": 1}),)

    async def play(self, stage: Stage, brief: Brief) -> None:
        results = [await stage.call(tool, arguments) for tool, arguments in self.calls]
        texts = [result.error.code if result.error else result.text for result in results]
        await stage.ask(stage.seats[0], [Message("user", " ".join(texts))])


class HiddenLookUp(LookUp):
    """The same, blind, and its seats call tools too."""

    name = "hidden-look-up"
    seating = Seating(groups=(Group("left", draw=Draw.DRAWN), Group("right", draw=Draw.DRAWN)), blind=True)

    async def play(self, stage: Stage, brief: Brief) -> None:
        await stage.call("clock", {})
        await stage.ask_all(stage.seats, options=lambda _: AskOptions(tools=stage.tools))


def a_clock(*done: Any) -> FakeTools:
    tools = FakeTools("clock")
    tools.does("clock", *(done or (NOON,)))
    return tools


def able(tools: FakeTools, connector: CannedConnector | None = None, log: MemoryLog | None = None):
    return open_engine(connector, log, catalog=SmallCatalog(ABLE), tools=tools)


def named(events: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["kind"] == kind]


def tool_kinds(log: MemoryLog) -> list[str]:
    return [kind for kind in log.kinds() if kind.startswith("tool.")]


# ── called by a reply ────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_a_call_and_its_result_are_streamed_stored_and_sent_to_the_model() -> None:
    tools = a_clock()
    async with able(tools) as engine:
        engine.connector.says("ada", "Let me look.", CALL, Finish("tool_calls"))
        engine.connector.says("ada", "It is noon.")
        live = engine.start(Errand(), make_script(Errand(), ALONE))
        events = await heard(live.follow())
        (shown,) = live.snapshot().turn.tools
    (called,), (returned,) = named(events, "tool.called"), named(events, "tool.returned")
    first = named(events, "reply.started")[0]["reply_id"]
    assert (called["reply_id"], called["call_id"], called["name"]) == (first, "call-1", "clock")
    assert (returned["reply_id"], returned["call_id"], returned["result"]["text"]) == (
        first,
        "call-1",
        "noon",
    )
    assert (shown.reply_id, shown.id, shown.arguments, shown.result) == (
        first,
        "call-1",
        CALL.arguments,
        NOON,
    )
    sequence = [kind for kind in kinds(events) if not kind.startswith("turn.")]
    assert sequence == [
        "reply.started",
        "tool.called",
        "reply.completed",
        "tool.returned",
        "reply.started",
        "reply.completed",
    ]
    assert tool_kinds(engine.log) == ["tool.called", "tool.returned"]
    assert tools.calls == [("clock", {"zone": "UTC"}, "owner")]
    asked = engine.connector.requests
    assert [request.tools for request in asked] == [tools.descriptions()] * 2
    assert asked[1].messages[1:] == (
        Message("assistant", "Let me look.", tool_calls=(CALL,)),
        Message("tool", "noon", tool_call_id="call-1"),
    )


@on_virtual_time
async def test_a_reply_that_only_calls_a_tool_is_complete() -> None:
    async with able(a_clock()) as engine:
        engine.connector.says("ada", CALL, Finish("tool_calls"))
        engine.connector.says("ada", "It is noon.")
        events = await engine.play(Errand(), make_script(Errand(), ALONE))
    assert [event["finish_reason"] for event in named(events, "reply.completed")] == ["tool_calls", "stop"]


@on_virtual_time
async def test_an_answer_that_breaks_off_has_called_nothing() -> None:
    async with able(a_clock()) as engine:
        engine.connector.says("ada", "Let me", CALL, RuntimeError("cut"))
        events = await engine.play(Errand(), make_script(Errand(), ALONE))
    assert [event["status"] for event in named(events, "reply.failed")] == ["failed"]
    assert named(events, "tool.called") == []


@on_virtual_time
async def test_after_a_crash_a_call_stands_and_the_seat_goes_on_from_its_result() -> None:
    connector, log, tools = CannedConnector(), MemoryLog(), a_clock()
    connector.says("ada", CALL, Finish("tool_calls"))
    connector.says("ada", "It is", Forever())
    connector.says("ada", "It is noon.")
    async with able(tools, connector, log) as engine:
        engine.start(Errand(), make_script(Errand(), ALONE))
        await until(lambda: connector.asked("ada") == 2)
    async with able(tools, connector, log) as engine:
        events = await engine.resume(Errand())
    assert kinds(events)[-1] == "turn.completed"
    assert connector.asked("ada") == 3, "the call was not asked for again"
    assert connector.requests[1].messages == connector.requests[2].messages
    assert len(tools.calls) == 1
    assert tool_kinds(log) == ["tool.called", "tool.returned"]
    (call,) = events[0]["turn"]["tools"]
    assert (call["id"], call["arguments"], call["result"]["text"]) == ("call-1", CALL.arguments, "noon")


@on_virtual_time
async def test_a_reply_that_is_asked_again_has_new_calls() -> None:
    async with able(tools := a_clock()) as engine:
        engine.connector.says("ada", "Let me", RuntimeError("cut"))
        engine.connector.says("ada", CALL, Finish("tool_calls"))
        engine.connector.says("ada", "It is noon.")
        await engine.play(Errand(), make_script(Errand(), ALONE))
        live = engine.start(Errand(), (engine.log.renew("turn"), await engine.log.read("turn"))[1])
        await heard(live.follow())
    assert [call.attempt for call in live.snapshot().turn.tools] == [2]
    assert len(tools.calls) == 1


@pytest.mark.parametrize("asked", [True, False])
def test_a_model_without_tools_is_refused_calls_and_results(*, asked: bool) -> None:
    class Pushy(Errand):
        async def play(self, stage: Stage, brief: Brief) -> None:
            messages = (
                Message("user", "Hi"),
                *(() if asked else (Message("tool", "noon", tool_call_id="x"),)),
            )
            await stage.ask(
                stage.seats[0], messages, options=AskOptions(tools=stage.tools) if asked else None
            )

    @on_virtual_time
    async def whole() -> None:
        async with open_engine(tools=a_clock()) as engine:
            events = await engine.play(Pushy(), make_script(Pushy(), ALONE))
        (failed,) = named(events, "reply.failed")
        assert failed["error"]["code"] == "model_without_tools"
        assert engine.connector.requests == []

    whole()


# ── called by the mode ───────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_a_mode_calls_a_tool_by_itself_and_the_call_is_shown() -> None:
    async with able(tools := a_clock()) as engine:
        events = await engine.play(LookUp(), make_script(LookUp(), ALONE))
        assert engine.connector.heard("ada") == ["user: noon"]
    (called,), (returned,) = named(events, "tool.called"), named(events, "tool.returned")
    assert (called["reply_id"], called["name"], called["arguments"]) == (
        None,
        "clock",
        '{"at":1,"zone":"UTC"}',
    )
    assert called["call_id"] == returned["call_id"]
    assert tools.calls == [("clock", {"at": 1, "zone": "UTC"}, "owner")]


@on_virtual_time
async def test_a_call_that_has_returned_is_not_made_again_after_a_crash() -> None:
    connector, log = CannedConnector(), MemoryLog()
    picture = ImagePart("a" * 64, "image/png")
    tools = a_clock(ToolResult(text="no\x00on", parts=(picture,)))
    connector.says("ada", "So far", Forever())
    async with able(tools, connector, log) as engine:
        engine.start(LookUp(), make_script(LookUp(), ALONE))
        await until(lambda: connector.open == 1)
    connector.answers["ada"].clear()
    async with able(tools, connector, log) as engine:
        events = await engine.resume(LookUp())
    assert kinds(events)[-1] == "turn.completed"
    assert len(tools.calls) == 1
    assert connector.requests[0].messages == connector.requests[1].messages
    (call,) = events[0]["turn"]["tools"]
    assert (call["result"]["text"], call["result"]["parts"][0]["sha256"]) == ("no\ufffdon", "a" * 64)


@on_virtual_time
async def test_a_call_that_a_crash_interrupted_is_made_again() -> None:
    connector, log, tools = CannedConnector(), MemoryLog(), a_clock(Forever())
    async with able(tools, connector, log) as engine:
        engine.start(LookUp(), make_script(LookUp(), ALONE))
        await until(lambda: tools.calls)
        await engine.recorder.commit()
    tools.does("clock", NOON)
    async with able(tools := a_clock(), connector, log) as engine:
        events = await engine.resume(LookUp())
    assert kinds(events)[-1] == "turn.completed"
    assert len(tools.calls) == 1
    assert [event["attempt"] for event in named(events, "tool.called")] == [2]
    assert tool_kinds(log) == ["tool.called", "tool.called", "tool.returned"]


@on_virtual_time
async def test_a_failing_tool_is_a_value_and_a_retry_calls_it_again() -> None:
    tools = a_clock(Unavailable("The clock stands still.", "Wind it up.", code="clock_stopped"))
    tools.does("clock", NOON)
    connector, log = CannedConnector(), MemoryLog()
    connector.says("ada", Forever())
    async with able(tools, connector, log) as engine:
        live = engine.start(LookUp(), make_script(LookUp(), ALONE))
        await until(lambda: connector.open == 1)
    (call,) = live.snapshot().turn.tools
    assert call.result == ToolResult(
        error=Problem(code="clock_stopped", title="The clock stands still.", detail="Wind it up.")
    )
    connector.answers["ada"].clear()
    connector.says("ada", RuntimeError("cut"))
    connector.says("ada", "It is noon.")
    async with able(tools, connector, log) as engine:
        await engine.resume(LookUp())
        assert len(tools.calls) == 1, "a crash asks for no failure again"
        await engine.retry(LookUp())
        await engine.retry(LookUp())
    assert [connector.heard("ada", call)[0] for call in range(3)] == [
        "user: clock_stopped",
        "user: clock_stopped",
        "user: noon",
    ]
    assert len(tools.calls) == 2, "what completed is not called again"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (("calendar", "{}"), "tool_unknown"),
        (("clock", "[1]"), "tool_arguments"),
        (("clock", '{"zone": '), "tool_arguments"),
        (("slow", {}), "tool_timeout"),
        (("broken", {}), "tool_broken"),
    ],
)
def test_a_call_that_cannot_be_made_is_an_error_in_plain_words(call: Any, code: str) -> None:
    class Hasty(LookUp):
        calls = (call,)

    @on_virtual_time
    async def whole() -> None:
        tools = FakeTools("clock", "slow", "broken")
        tools.does("slow", Forever())
        tools.does("broken", ValueError("a bug"))
        async with able(tools) as engine:
            events = await engine.play(Hasty(), make_script(Hasty(), ALONE))
            assert engine.connector.heard("ada") == [f"user: {code}"]
        assert kinds(events)[-1] == "turn.completed"
        error = named(events, "tool.returned")[0]["result"]["error"]
        assert error["title"] in {
            "There is no tool “calendar”.",
            "The arguments are not a JSON object.",
            "The tool “slow” did not return within 5 s.",
            "Parley ran into an internal error in this tool.",
        }

    whole()


@on_virtual_time
async def test_within_an_ensemble_a_call_is_stored_once_and_shown_to_nobody() -> None:
    class Sage(LookUp):
        name = "sage"
        voice = "member"

    def opened():
        models = [*ABLE, make_model("sage", kind="ensemble", routes=())]
        return open_engine(connector, log, catalog=SmallCatalog(models), tools=tools)

    def admit(engine: CannedEngine) -> None:
        ensemble = Ensemble(mode="sage", brief={}, seats=(Seat("a", "a", "member", "ada"),))
        played = PlayedEnsembles(
            find=lambda _: ensemble,
            modes={"sage": Sage()},
            card=make_card,
            hub=engine.hub,
            recorder=engine.recorder,
            open_stage=engine.runner.open_stage,
            clock=WallClock(),
        )
        engine.gateway.admit(played)

    connector, log, tools = CannedConnector(), MemoryLog(), a_clock()
    connector.says("ada", Forever())
    async with opened() as engine:
        admit(engine)
        engine.start(Chat(), make_script(Chat(), {"assistant": "sage"}))
        await until(lambda: connector.open == 1)
    connector.answers["ada"].clear()
    async with opened() as engine:
        admit(engine)
        events = await engine.resume(Chat())
    assert kinds(events)[-2:] == ["reply.completed", "turn.completed"]
    assert connector.heard("ada") == ["user: noon"]
    assert (len(tools.calls), tool_kinds(log)) == (1, ["tool.called", "tool.returned"])
    assert b"clock" not in msgspec.json.encode(events)


@on_virtual_time
async def test_stop_ends_a_tool_at_once() -> None:
    async with able(tools := a_clock(Forever())) as engine:
        live = engine.start(LookUp(), make_script(LookUp(), ALONE))
        await until(lambda: tools.calls)
        before = asyncio.get_running_loop().time()
        await engine.runner.stop("turn")
        assert asyncio.get_running_loop().time() - before < 1
    (call,) = live.snapshot().turn.tools
    assert (live.status, call.result) == ("stopped", None)


@on_virtual_time
async def test_the_same_call_twice_in_a_round_is_a_bug_of_the_mode() -> None:
    class Twice(LookUp):
        calls = (("clock", {}), ("clock", {"again": True}))

    async with able(a_clock()) as engine:
        events = await engine.play(Twice(), make_script(Twice(), ALONE))
    assert (kinds(events)[-1], events[-1]["error"]["code"]) == ("turn.failed", "mode_broken")


@on_virtual_time
async def test_another_call_at_the_same_step_when_played_again_is_a_bug_of_the_mode() -> None:
    class Other(LookUp):
        calls = (("clock", {"zone": "CET"}),)

    connector, log, tools = CannedConnector(), MemoryLog(), a_clock()
    connector.says("ada", Forever())
    async with able(tools, connector, log) as engine:
        engine.start(LookUp(), make_script(LookUp(), ALONE))
        await until(lambda: connector.open == 1)
    async with able(tools, connector, log) as engine:
        events = await engine.resume(Other())
    assert (kinds(events)[-1], events[-1]["error"]["code"]) == ("turn.failed", "mode_broken")


@on_virtual_time
async def test_a_blind_viewer_is_shown_no_tool() -> None:
    async with able(a_clock()) as engine:
        engine.connector.says("ada", "Let me look.", CALL, Finish("tool_calls"))
        live = engine.start(HiddenLookUp(), make_script(HiddenLookUp(), {"left": "ada", "right": "bob"}))
        feed = live.follow()
        await until(lambda: live.tools)
        late = live.snapshot()
        events = await heard(feed)
    assert kinds(events)[-1] == "turn.completed"
    assert b"clock" not in msgspec.json.encode([events, late])
    assert tool_kinds(engine.log) == ["tool.called", "tool.returned", "tool.called"], "it is stored"
