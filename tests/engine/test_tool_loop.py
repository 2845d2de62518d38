"""Tests of the tool loop: a model calls tools until it answers, and a crash in between repeats nothing."""

import asyncio
from typing import Any, cast

import msgspec

from parley.engine.tool_search import fitting
from parley.kernel.connector import Finish
from parley.kernel.history import EarlierReply, EarlierTurn
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import FilePart, Message, ToolCall
from parley.kernel.mode import Mode
from parley.kernel.options import Tool
from parley.kernel.ports import TurnScript
from parley.kernel.toolbox import Toolbox, ToolOffer, ToolScene
from parley.kernel.tools import ToolCallView, ToolResult
from parley.modes.chat import Chat
from parley.testing import (
    CannedEngine,
    MemoryLog,
    SmallCatalog,
    heard,
    make_model,
    make_script,
    open_engine,
    until,
)
from parley.testing.scripts import make_match
from tests.fakes.virtual_loop import on_virtual_time

ABLE = SmallCatalog([make_model("ada", capabilities=("text", "tools"))])
SCRIPT = make_script(Chat(), {"assistant": "ada"}, prompt="How many rows?")


def tool(name: str, description: str = "For tests.") -> Tool:
    """A tool without parameters."""
    return Tool(name=name, description=description, parameters={"type": "object", "properties": {}})


def call(number: int, name: str = "count", arguments: str = "{}") -> ToolCall:
    """The call with this number."""
    return ToolCall(number, f"call-{number}", name, arguments)


class FakeToolbox:
    """Implements `Toolbox`: every tool answers "seven"; `ran` are the calls, `most` those at once."""

    limit_s = 5.0

    def __init__(self, *tools: Tool, briefs: dict[str, str] | None = None) -> None:
        self.tools = tools or (tool("count"),)
        self.briefs = briefs or {}
        self.ran: list[str] = []
        self.at_once = self.most = 0
        self.hangs = False

    async def offer(self, scene: ToolScene) -> ToolOffer:
        """Offer the tools."""
        return ToolOffer(tools=self.tools, briefs=self.briefs)

    async def run(self, scene: ToolScene, call: ToolCallView, arguments: dict[str, object]) -> ToolResult:
        """Answer after a second."""
        self.ran.append(call.id)
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        if self.hangs:
            await asyncio.Event().wait()
        await asyncio.sleep(1)
        self.at_once -= 1
        return ToolResult(text="seven")


async def play(
    engine: CannedEngine, toolbox: Toolbox, script: TurnScript = SCRIPT, able: str = "tools"
) -> list[dict[str, Any]]:
    """Play a chat whose model can call tools."""
    engine.runner.toolbox = toolbox
    engine.log.scripts.setdefault(script.turn_id, script)
    match = make_match(Chat(), script)
    seats = tuple(
        msgspec.structs.replace(
            seat,
            model=seat.model and msgspec.structs.replace(seat.model, capabilities=("text", able)),
        )
        for seat in match.seats
    )
    match = msgspec.structs.replace(match, seats=seats)
    return await heard(engine.runner.start(script, match, cast("Mode[Any]", Chat()), Chat.brief()).follow())


@on_virtual_time
async def test_a_model_calls_a_tool_and_answers_with_its_result() -> None:
    async with open_engine(catalog=ABLE) as engine:
        engine.connector.says("ada", call(1), Finish("tool_calls"))
        engine.connector.says("ada", "Seven rows.")
        events = await play(engine, toolbox := FakeToolbox())
    assert toolbox.ran == ["call-1"]
    assert engine.connector.heard("ada") == ["user: How many rows?", "assistant: ", "tool: seven"]
    purposes = [event["purpose"] for event in events if event["kind"] == "reply.started"]
    assert purposes == ["answer", "answer.01"]
    assert events[-1]["kind"] == "turn.completed"
    assert [event["result"]["text"] for event in events if event["kind"] == "tool.returned"] == ["seven"]


@on_virtual_time
async def test_a_model_that_cannot_call_tools_is_asked_without_them() -> None:
    async with open_engine() as engine:
        await play(engine, FakeToolbox(), able="json")
    assert [request.tools for request in engine.connector.requests] == [None]


@on_virtual_time
async def test_four_calls_run_at_once_and_twelve_in_all() -> None:
    async with open_engine(catalog=ABLE) as engine:
        engine.connector.says("ada", *map(call, range(20)), Finish("tool_calls"))
        engine.connector.says("ada", "Done.")
        events = await play(engine, toolbox := FakeToolbox())
    assert (len(toolbox.ran), toolbox.most) == (12, 4)
    returned = [event["result"]["error"] for event in events if event["kind"] == "tool.returned"]
    assert [error["code"] for error in returned if error] == ["tool_calls_used_up"] * 8
    assert events[-1]["kind"] == "turn.completed"


@on_virtual_time
async def test_a_model_that_never_stops_calling_is_ended_after_the_limit() -> None:
    async with open_engine(catalog=ABLE) as engine:
        engine.connector.says("ada", call(1), Finish("tool_calls"))
        events = await play(engine, toolbox := FakeToolbox())
    assert len(toolbox.ran) == 12
    assert len(engine.connector.requests) == 14
    assert events[-1]["kind"] == "turn.completed"


@on_virtual_time
async def test_a_crash_in_the_loop_goes_on_where_it_was() -> None:
    log, first, second = MemoryLog(), FakeToolbox(), FakeToolbox()
    async with open_engine(catalog=ABLE, log=log) as engine:
        engine.connector.says("ada", call(1), Finish("tool_calls"))
        engine.connector.says("ada", call(2), Finish("tool_calls"))
        playing = asyncio.ensure_future(play(engine, first))
        await until(lambda: first.ran == ["call-1", "call-2"])
        first.hangs = True
        await engine.runner.close()
        playing.cancel()
    async with open_engine(catalog=ABLE, log=log) as engine:
        engine.connector.says("ada", "Seven rows.")
        # Another tool has come meanwhile: the steps so far are valid all the same.
        second.tools = (tool("count"), tool("other"))
        await play(engine, second, await log.read("turn"))
        assert len(engine.connector.requests) == 1, "no finished step is paid for twice"
    assert second.ran == ["call-2"], "the call that had returned is not made again"


@on_virtual_time
async def test_of_many_tools_the_fitting_ones_are_offered_and_others_are_found() -> None:
    many = [tool(f"tool_{number}", f"Does thing {number}.") for number in range(30)]
    many += [
        tool("count_rows", "Counts the rows of a table."),
        tool("send_mail", "Sends an e-mail to somebody."),
    ]
    async with open_engine(catalog=ABLE) as engine:
        found = call(1, "find_tool", '{"query": "mail"}')
        engine.connector.says("ada", found, Finish("tool_calls"))
        engine.connector.says("ada", "Done.")
        await play(engine, FakeToolbox(*many))
    before, after = ([each.name for each in request.tools or ()] for request in engine.connector.requests)
    assert len(before) == 11
    assert before[:2] == ["find_tool", "count_rows"]
    assert "send_mail" not in before
    assert "send_mail" in after
    assert "send_mail: Sends an e-mail" in engine.connector.heard("ada")[-1]


@on_virtual_time
async def test_a_file_that_tools_read_reaches_the_model_as_its_brief() -> None:
    question = Message("user", (FilePart("ab", "text/plain", "sales.csv"),))
    script = make_script(Chat(), {"assistant": "ada"}, history={"assistant": (question,)})
    async with open_engine(catalog=ABLE) as engine:
        await play(engine, FakeToolbox(briefs={"ab": "A table of 7 rows."}), script)
    assert engine.connector.heard("ada")[0] == "user: A table of 7 rows."


def test_a_conversation_keeps_the_answer_and_not_the_steps_before_it() -> None:
    def reply(purpose: str, text: str, status: Any = "completed") -> EarlierReply:
        return EarlierReply(seat="assistant", round=0, purpose=purpose, text=text, status=status)

    def answer(*replies: EarlierReply) -> str | None:
        turn = EarlierTurn(index=0, input=PromptInput("?"), status="completed", replies=replies)
        conclusion = turn.conclusion_of("assistant")
        return conclusion and conclusion.text

    assert answer(reply("answer", "Let me see."), reply("answer.01", "Seven.")) == "Seven."
    assert answer(reply("answer", "Let me see."), reply("answer.01", "", "failed")) is None
    assert answer(reply("answer", "Seven.")) == "Seven."


def test_tools_are_ranked_by_the_words_that_few_of_them_have() -> None:
    tools = [
        tool("readFile", "Reads one file."),
        tool("listFiles", "Lists files."),
        tool("weather", "Forecasts."),
    ]
    assert fitting(tools, "what is the weather in the file")[0].name == "weather"
    assert [each.name for each in fitting(tools, "nothing of this")] == ["readFile", "listFiles", "weather"]
