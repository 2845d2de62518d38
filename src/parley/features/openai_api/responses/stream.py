"""The events of a streamed answer in the shape of the Responses API, made from chunks of a chat completion."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any, Literal

import msgspec

from parley.api.openai_errors import error_of
from parley.features.openai_api.completions import (
    AnswerDelta,
    ChatCompletionChunk,
    ToolCalled,
    UsageView,
)
from parley.features.openai_api.responses.answer import (
    OutputItem,
    OutputText,
    ResponseAnswer,
    ResponseError,
    call_item,
    completed,
    message_item,
    reasoning_item,
    text_part,
)
from parley.kernel.connector import FinishReason
from parley.kernel.errors import ParleyError

_Kind = Literal["message", "reasoning"]
_MESSAGE = ("response.content_part", "response.output_text", "content_index")
_THOUGHT = ("response.reasoning_summary_part", "response.reasoning_summary_text", "summary_index")


class ResponseEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a streamed answer; the fields depend on its type."""

    type: str
    sequence_number: int = -1
    response: ResponseAnswer | None = None
    output_index: int | None = None
    content_index: int | None = None
    summary_index: int | None = None
    item_id: str | None = None
    item: OutputItem | None = None
    part: OutputText | None = None
    delta: str | None = None
    text: str | None = None
    name: str | None = None
    arguments: str | None = None
    logprobs: list[str] | msgspec.UnsetType = msgspec.UNSET


class ResponseWriter:
    """Writes one streamed answer; `answer` is what there is of it."""

    def __init__(self, answer: ResponseAnswer) -> None:
        self.answer = answer
        self._name = answer.id.removeprefix("resp_")
        self._number = 0
        self._begun = False
        self._kind: _Kind | None = None
        self._text: list[str] = []
        self._output: list[OutputItem] = []
        self._finish: FinishReason = "stop"

    async def events(self, pieces: AsyncGenerator[ChatCompletionChunk]) -> AsyncGenerator[bytes]:
        """Yield the events of an answer, but for its end. Raises ParleyError, as the pieces do."""
        async with aclosing(pieces):
            async for piece in pieces:
                if events := b"".join(map(self._encode, self._take(piece))):
                    yield events

    def end(self) -> bytes:
        """Return the last event of an answer that is complete."""
        return self._encode(ResponseEvent(type=f"response.{self.answer.status}", response=self.answer))

    def failed(self, error: ParleyError) -> bytes:
        """Return the last event of an answer that failed."""
        shown = error_of(error).error
        failure = ResponseError(shown.code or shown.type, shown.message)
        self.answer = msgspec.structs.replace(
            self.answer, status="failed", error=failure, output=self._output
        )
        return self._encode(ResponseEvent(type="response.failed", response=self.answer))

    def _take(self, piece: ChatCompletionChunk) -> Iterator[ResponseEvent]:
        if not self._begun:
            self._begun = True
            yield ResponseEvent(type="response.created", response=self.answer)
            yield ResponseEvent(type="response.in_progress", response=self.answer)
        for choice in piece.choices:
            self._finish = choice.finish_reason or self._finish
            yield from self._add(choice.delta)
        if isinstance(piece.usage, UsageView):
            yield from self._close()
            self.answer = completed(self.answer, self._output, self._finish, piece.usage)

    def _add(self, delta: AnswerDelta) -> Iterator[ResponseEvent]:
        if delta.reasoning_content:
            yield from self._write("reasoning", delta.reasoning_content)
        if delta.content:
            yield from self._write("message", delta.content)
        for called in delta.tool_calls:
            yield from self._close()
            yield from self._call(called)

    def _write(self, kind: _Kind, text: str) -> Iterator[ResponseEvent]:
        if self._kind != kind:
            yield from self._close()
            self._kind = kind
            item = message_item(self._id, None) if kind == "message" else reasoning_item(self._id, None)
            yield self._event("response.output_item.added", item=item)
            yield self._part("added", text_part("") if kind == "message" else _summary(""))
        self._text.append(text)
        yield self._text_event("delta", delta=text)

    def _close(self) -> Iterator[ResponseEvent]:
        """Yield the end of the item that is open."""
        if (kind := self._kind) is None:
            return
        text = "".join(self._text)
        self._text.clear()
        yield self._text_event("done", text=text)
        yield self._part("done", text_part(text) if kind == "message" else _summary(text))
        item = message_item(self._id, text) if kind == "message" else reasoning_item(self._id, text)
        yield self._event("response.output_item.done", item=item)
        self._kind = None
        self._output.append(item)

    def _call(self, called: ToolCalled) -> Iterator[ResponseEvent]:
        item_id, kind = f"fc_{self._name}_{len(self._output)}", "response.function_call_arguments"
        function, item = called.function, call_item(f"fc_{self._name}_{len(self._output)}", called)
        yield self._event("response.output_item.added", item=call_item(item_id, called, begins=True))
        yield self._event(f"{kind}.delta", item_id=item_id, delta=function.arguments)
        yield self._event(f"{kind}.done", item_id=item_id, name=function.name, arguments=function.arguments)
        yield self._event("response.output_item.done", item=item)
        self._output.append(item)

    @property
    def _id(self) -> str:
        return f"{'msg' if self._kind == 'message' else 'rs'}_{self._name}_{len(self._output)}"

    def _part(self, step: str, part: OutputText) -> ResponseEvent:
        kind, _, index = _MESSAGE if self._kind == "message" else _THOUGHT
        return self._event(f"{kind}.{step}", item_id=self._id, part=part, **{index: 0})

    def _text_event(self, step: str, **fields: str) -> ResponseEvent:
        is_message = self._kind == "message"
        _, kind, index = _MESSAGE if is_message else _THOUGHT
        more: dict[str, Any] = {index: 0, **({"logprobs": []} if is_message else {})}
        return self._event(f"{kind}.{step}", item_id=self._id, **more, **fields)

    def _event(self, kind: str, **fields: Any) -> ResponseEvent:
        return ResponseEvent(type=kind, output_index=len(self._output), **fields)

    def _encode(self, event: ResponseEvent) -> bytes:
        numbered = msgspec.structs.replace(event, sequence_number=self._number)
        self._number += 1
        return b"event: %b\ndata: %b\n\n" % (event.type.encode(), msgspec.json.encode(numbered))


def _summary(text: str) -> OutputText:
    return OutputText(type="summary_text", text=text)
