"""Tools: what came of calling one, and the calls of a turn as they are shown and played again."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from parley.kernel.errors import Problem
from parley.kernel.messages import Attachment, Message, TextPart


class ToolResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a tool: a text, with pictures and files by content. A failing tool is a value: check `error`."""

    text: str = ""
    parts: tuple[Attachment, ...] = ()
    error: Problem | None = None

    @property
    def content(self) -> str:
        """The text for a model and for the page: the tool's, or why it failed."""
        if self.error is None:
            return self.text
        return " ".join(filter(None, (self.error.title, self.error.detail)))

    def message(self, call_id: str) -> Message:
        """Return the result as the message that answers a model's call."""
        content = (TextPart(self.content), *self.parts) if self.parts else self.content
        return Message("tool", content, tool_call_id=call_id, failed=self.error is not None)


class ToolCallView(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a tool: by the reply `reply_id`, or by the mode if that is null.

    (`reply_id`, `id`) is unique in a turn. `attempt` is that of the reply; a call by the mode has its own. `arguments`
    is JSON text as the model wrote it. The `result` is null while the tool runs, or if the turn ended meanwhile.
    """

    id: str
    reply_id: str | None
    round: int
    attempt: int
    name: str
    arguments: str
    result: ToolResult | None = None

    @property
    def key(self) -> tuple[str | None, str]:
        """The key that makes it unique in a turn."""
        return self.reply_id, self.id


class ToolRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A stored call of a tool, in the stage at `path`. `stale`: nothing happened to it since the last retry."""

    call: ToolCallView
    path: str
    stale: bool = False


def step_purpose(purpose: str, step: int) -> str:
    """Return the purpose of a step of a tool loop: that of its question, and then "answer.01", "answer.02"."""
    return f"{purpose}.{step:02}" if step else purpose


def question_of(purpose: str) -> str:
    """Return the purpose of the question that a step of a tool loop belongs to."""
    question, _, step = purpose.rpartition(".")
    return question if question and step.isdigit() else purpose


class Step(Protocol):
    """A reply that may be a step of a tool loop."""

    @property
    def seat(self) -> str:
        """The seat that was asked."""
        ...

    @property
    def round(self) -> int:
        """The round in which it was asked."""
        ...

    @property
    def purpose(self) -> str:
        """The purpose, as `step_purpose` makes it."""
        ...


StepT = TypeVar("StepT", bound=Step)


def last_steps(replies: Iterable[StepT], turn: Callable[[StepT], str] = lambda _: "") -> list[StepT]:
    """Return replies without those that another step of the same answer followed, in order.

    `turn` tells the turns of replies apart, if they are of several.
    """
    steps = list(replies)

    def answer(step: StepT) -> tuple[str, str, int, str]:
        return turn(step), step.seat, step.round, question_of(step.purpose)

    last = {answer(each): each for each in sorted(steps, key=lambda each: each.purpose)}
    return [each for each in steps if last[answer(each)] is each]


def latest_calls(calls: Iterable[ToolCallView], attempts: Mapping[str, int]) -> tuple[ToolCallView, ...]:
    """Return the calls by the mode, and by the latest attempts of replies; `attempts` are by the reply's id."""
    return tuple(call for call in calls if attempts.get(call.reply_id or "", call.attempt) == call.attempt)


def read_tools(events: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[ToolRecord, ...]:
    """Build a turn's calls of tools from its stored events: kinds and data, in order; other kinds are ignored."""
    records: dict[tuple[str | None, str], ToolRecord] = {}
    for kind, data in events:
        if kind == "turn.renewed":
            records = {key: msgspec.structs.replace(record, stale=True) for key, record in records.items()}
        elif kind in ("tool.called", "tool.returned"):
            key = (data["reply_id"], data["call_id"])
            if kind == "tool.called":
                call = msgspec.convert(
                    {"round": 0, "attempt": 1, **data, "id": data["call_id"]}, ToolCallView
                )
                records[key] = ToolRecord(call=call, path=data.get("path", ""))
            elif key in records:
                result = msgspec.convert(data["result"], ToolResult)
                call = msgspec.structs.replace(records[key].call, result=result)
                records[key] = msgspec.structs.replace(records[key], call=call, stale=False)
    return tuple(records.values())
