"""The tool loop: a model calls tools until it answers; each step is a reply of its own, so a replay goes on from it."""

import asyncio
import logging
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parley.engine.frame import Frame
from parley.engine.tool_calls import ToolCaller
from parley.engine.tool_search import fitting
from parley.kernel.errors import ParleyError, Problem
from parley.kernel.messages import Message, TextPart, ToolCall
from parley.kernel.mode import Reply, Stage
from parley.kernel.options import NO_OPTIONS, AskOptions, Tool
from parley.kernel.seats import Seat
from parley.kernel.toolbox import Toolbox, ToolOffer, ToolScene
from parley.kernel.tools import ToolCallView, ToolResult, step_purpose
from parley.kernel.views import Metrics

log = logging.getLogger(__name__)

MOST_CALLS = 12
AT_ONCE = 4
MOST_OFFERED, FITTING = 12, 10
"""With more tools than the first number, the second says how many are offered beside `find_tool`."""
RESULT_CHARS = 30_000

FIND = Tool(
    name="find_tool",
    description="Find more tools by what they do. The tools that it names can be called from then on.",
    parameters={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What the tool should do, in a few words."}
        },
        "required": ["query"],
    },
)

_USED_UP = Problem(
    code="tool_calls_used_up",
    title=f"This answer has called {MOST_CALLS} tools, which is the limit.",
    detail="Answer with what you have.",
)


class Shelf:
    """The tools of one answer: all of them, and those that the model sees so far."""

    def __init__(self, tools: Sequence[Tool], question: str) -> None:
        self.all = list(tools)
        many = len(tools) > MOST_OFFERED
        self.seen = [FIND, *fitting(tools, question)[:FITTING]] if many else list(tools)

    def find(self, arguments: dict[str, object]) -> str:
        """Show the model three more tools that fit; return what it reads of them."""
        hidden = [tool for tool in self.all if tool not in self.seen]
        best = fitting(hidden, str(arguments.get("query", "")))[:3]
        self.seen += best
        return "\n".join(f"{tool.name}: {tool.description}" for tool in best) or "There are no other tools."


class ToolLoop:
    """Asks seats of one stage with the tools of its session."""

    def __init__(self, stage: Stage, frame: Frame, toolbox: Toolbox) -> None:
        self._stage = stage
        self._frame = frame
        self._toolbox = toolbox
        self._blind = frame.turn is not None and frame.turn.blind
        self._offering = asyncio.Lock()
        self._offered: ToolOffer | None = None

    async def ask(
        self, seat: Seat, messages: Sequence[Message] | None, purpose: str, options: AskOptions | None
    ) -> Reply:
        """Return the seat's last reply, with what all steps took; without tools, its only one.

        A blind viewer sees nothing of the steps before the last.
        """
        scene = ToolScene(
            owner_id=self._frame.owner_id,
            asker_id=self._frame.script.author_id or self._frame.owner_id,
            session_id=self._frame.script.session_id,
            turn_id=self._frame.turn_id,
            question=self._stage.prompt,
            quiet=self._blind,
        )
        offer = await self._offer(seat, scene)
        if not offer.tools:
            return await self._stage.ask(seat, messages, purpose=purpose, options=options)
        if messages is None:
            messages = (*seat.settings.rules, *self._stage.history(seat), self._stage.user_message(seat))
        place = _Place(scene, Shelf(offer.tools, scene.question), seat, purpose)
        audience = self._frame.audience
        if audience:
            audience.hold(seat)
        reply = await self._ask_until_it_answers(place, with_briefs(messages, offer.briefs), options)
        if audience:
            audience.show_last(seat)
        return reply

    async def _ask_until_it_answers(
        self, place: "_Place", conversation: list[Message], options: AskOptions | None
    ) -> Reply:
        replies: list[Reply] = []
        calls = 0
        while True:
            reply = await self._stage.ask(
                place.seat,
                conversation,
                purpose=step_purpose(place.purpose, len(replies)),
                options=msgspec.structs.replace(options or NO_OPTIONS, tools=tuple(place.shelf.seen)),
            )
            replies.append(reply)
            made = _distinct(reply.tool_calls)
            if not made or calls > MOST_CALLS:
                return msgspec.structs.replace(reply, metrics=summed_metrics(replies))
            allowed = max(MOST_CALLS - calls, 0)
            results = await self._results(place, reply, made, allowed)
            conversation += [Message("assistant", reply.text, tool_calls=tuple(made)), *results]
            # One more answer after the limit: the model can then say what it has.
            calls += max(len(made), allowed == 0)

    async def _offer(self, seat: Seat, scene: ToolScene) -> ToolOffer:
        """Return the tools of a seat; in a blind turn all seats have the same, as their mode saw that all can."""
        card = self._stage.card(seat)
        able = card is not None and card.kind == "single" and "tools" in card.capabilities
        if self._frame.path or not (able or self._blind):
            return ToolOffer()
        async with self._offering:
            if self._offered is None or not self._blind:
                try:
                    self._offered = await self._toolbox.offer(scene)
                except ParleyError as error:
                    log.warning("The tools of session %s are not available: %s", scene.session_id, error)
                    self._offered = ToolOffer()
            return self._offered

    async def _results(
        self, place: "_Place", reply: Reply, calls: Sequence[ToolCall], allowed: int
    ) -> list[Message]:
        """Run a reply's calls, a few at once; return their messages in order."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(call: ToolCall, *, over: bool) -> Message:
            async with gate:
                result = await self._call(place, reply, call, over=over)
            return result.message(call.id)

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(one(call, over=number >= allowed)) for number, call in enumerate(calls)
                ]
        except BaseExceptionGroup as failures:
            # The runner can act on the first cause.
            raise failures.exceptions[0] from None
        for call in calls:
            if call.name == FIND.name and FIND in place.shelf.seen:
                place.shelf.find(_arguments(call))
        return [task.result() for task in tasks]

    async def _call(self, place: "_Place", reply: Reply, call: ToolCall, *, over: bool) -> ToolResult:
        view = ToolCallView(
            id=call.id,
            reply_id=reply.id,
            round=reply.round,
            attempt=self._frame.replies[reply.id].attempt,
            name=call.name,
            arguments=call.arguments,
        )
        return await ToolCaller(self._frame, _OneCall(self._toolbox, place, view, over=over)).call(view)


class _Place(NamedTuple):
    """One answer: its place, its tools, its seat, and the purpose of its first step."""

    scene: ToolScene
    shelf: Shelf
    seat: Seat
    purpose: str


class _OneCall:
    """Implements the kernel's port `Tools` for one call."""

    def __init__(self, toolbox: Toolbox, place: _Place, view: ToolCallView, *, over: bool) -> None:
        self.limit_s = toolbox.limit_s
        self._toolbox = toolbox
        self._place = place
        self._view = view
        self._over = over

    def descriptions(self) -> Sequence[Tool]:
        """Return all tools, those that the model has not seen too."""
        return [*self._place.shelf.all, FIND]

    async def call(
        self,
        name: str,
        arguments: dict[str, object],
        *,
        owner_id: str,  # noqa: ARG002 - the scene has it
    ) -> ToolResult:
        """Run it within the limits of an answer. Raises ParleyError."""
        if self._over:
            return ToolResult(error=_USED_UP)
        if name == FIND.name:
            # Found anew after each round of calls, as a replay does.
            shelf = Shelf((), "")
            shelf.all, shelf.seen = self._place.shelf.all, list(self._place.shelf.seen)
            return ToolResult(text=shelf.find(arguments))
        result = await self._toolbox.run(self._place.scene, self._view, arguments)
        if len(result.text) <= RESULT_CHARS:
            return result
        left_out = len(result.text) - RESULT_CHARS
        text = f"{result.text[:RESULT_CHARS]}\n[{left_out:,} more characters were left out.]"
        return msgspec.structs.replace(result, text=text)


def summed_metrics(replies: Sequence[Reply]) -> Metrics | None:
    """Return the last step's metrics with the tokens and the cost of all; None if the last step has none."""
    last = replies[-1].metrics
    if last is None or len(replies) == 1:
        return last
    steps = [reply.metrics for reply in replies if reply.metrics]
    prices = [step.cost_micros for step in steps]
    return msgspec.structs.replace(
        last,
        duration_ms=sum(step.duration_ms for step in steps),
        input_tokens=sum(step.input_tokens for step in steps),
        output_tokens=sum(step.output_tokens for step in steps),
        reasoning_tokens=sum(step.reasoning_tokens for step in steps),
        cost_micros=None if None in prices else sum(filter(None, prices)),
        estimated=any(step.estimated for step in steps),
    )


def with_briefs(messages: Sequence[Message], briefs: dict[str, str]) -> list[Message]:
    """Return a conversation in which files that tools read have their briefs in place of their content."""

    def one(message: Message) -> Message:
        if isinstance(message.content, str):
            return message
        parts = tuple(
            part if isinstance(part, TextPart) or part.sha256 not in briefs else TextPart(briefs[part.sha256])
            for part in message.content
        )
        return msgspec.structs.replace(message, content=parts)

    return [one(message) for message in messages]


def _distinct(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return calls with one of each id, numbered as a replay reads them."""
    by_id = {call.id: call for call in calls}
    return [msgspec.structs.replace(call, index=number) for number, call in enumerate(by_id.values())]


def _arguments(call: ToolCall) -> dict[str, object]:
    try:
        return msgspec.json.decode(call.arguments or "{}", type=dict[str, object])
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return {}
