"""Answers in the shape of Anthropic's Messages API, made from chat completions."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import msgspec

from parley.features.openai_api.completions import (
    AnswerDelta,
    ChatCompletion,
    ChatCompletionChunk,
    ToolCalled,
    UsageView,
)
from parley.kernel.connector import FinishReason

_REASONS: dict[FinishReason, str] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "content_filter": "refusal",
}


class AnthropicUsage(msgspec.Struct, frozen=True):
    """The tokens of a call. `input_tokens` are those that were not cached."""

    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int = 0

    @classmethod
    def of(cls, usage: UsageView) -> "AnthropicUsage":
        """Return the tokens as Anthropic counts them."""
        cached = usage.prompt_tokens_details.cached_tokens
        return cls(max(usage.prompt_tokens - cached, 0), usage.completion_tokens, cached)


class AnswerBlock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the answer: a text, a thought, or a call of a tool."""

    type: str
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    id: str | None = None
    name: str | None = None
    input: Any = None


class AnthropicAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A whole answer with its usage."""

    id: str
    type: str = "message"
    role: str = "assistant"
    model: str
    content: list[AnswerBlock]
    stop_reason: str | None
    stop_sequence: None = None
    usage: AnthropicUsage


class MessagesEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a streamed answer; the fields depend on its type."""

    type: str
    index: int | None = None
    message: AnthropicAnswer | None = None
    content_block: AnswerBlock | None = None
    delta: dict[str, Any] | None = None
    usage: AnthropicUsage | None = None


def answer_of(completion: ChatCompletion) -> AnthropicAnswer:
    """Return a whole answer."""
    (choice,) = completion.choices
    message = choice.message
    blocks: list[AnswerBlock] = []
    if message.reasoning_content is not msgspec.UNSET:
        blocks.append(AnswerBlock(type="thinking", thinking=message.reasoning_content, signature=""))
    if message.content:
        blocks.append(AnswerBlock(type="text", text=message.content))
    if message.tool_calls is not msgspec.UNSET:
        blocks += [_call(called) for called in message.tool_calls]
    return AnthropicAnswer(
        id=_id(completion.id),
        model=completion.model,
        content=blocks,
        stop_reason=_REASONS[choice.finish_reason],
        usage=AnthropicUsage.of(completion.usage),
    )


async def events_of(pieces: AsyncGenerator[ChatCompletionChunk]) -> AsyncGenerator[bytes]:
    """Yield a streamed answer's events. Raises ParleyError, as the pieces do."""
    writer = _Writer()
    async with aclosing(pieces):
        async for piece in pieces:
            if events := b"".join(map(_encode, writer.take(piece))):
                yield events


class _Writer:
    """Turns chunks into events: one block is open at a time."""

    def __init__(self) -> None:
        self._begun = False
        self._open: str | None = None
        self._index = -1
        self._finish: FinishReason | None = None

    def take(self, piece: ChatCompletionChunk) -> Iterator[MessagesEvent]:
        """Yield the events for a chunk; the one with the usage is the last."""
        if not self._begun:
            self._begun = True
            started = AnthropicAnswer(
                id=_id(piece.id), model=piece.model, content=[], stop_reason=None, usage=AnthropicUsage(0, 0)
            )
            yield MessagesEvent(type="message_start", message=started)
        for choice in piece.choices:
            self._finish = choice.finish_reason or self._finish
            yield from self._add(choice.delta)
        if isinstance(piece.usage, UsageView):
            yield from self._close()
            reason = _REASONS[self._finish or "stop"]
            delta = {"stop_reason": reason, "stop_sequence": None}
            yield MessagesEvent(type="message_delta", delta=delta, usage=AnthropicUsage.of(piece.usage))
            yield MessagesEvent(type="message_stop")

    def _add(self, delta: AnswerDelta) -> Iterator[MessagesEvent]:
        if delta.reasoning_content:
            yield from self._switch("thinking", AnswerBlock(type="thinking", thinking="", signature=""))
            yield self._delta({"type": "thinking_delta", "thinking": delta.reasoning_content})
        if delta.content:
            yield from self._switch("text", AnswerBlock(type="text", text=""))
            yield self._delta({"type": "text_delta", "text": delta.content})
        for called in delta.tool_calls:
            yield from self._close()
            block = AnswerBlock(type="tool_use", id=called.id, name=called.function.name, input={})
            yield from self._switch("tool_use", block)
            yield self._delta({"type": "input_json_delta", "partial_json": called.function.arguments})

    def _switch(self, kind: str, block: AnswerBlock) -> Iterator[MessagesEvent]:
        if self._open == kind:
            return
        yield from self._close()
        self._open, self._index = kind, self._index + 1
        yield MessagesEvent(type="content_block_start", index=self._index, content_block=block)

    def _close(self) -> Iterator[MessagesEvent]:
        if self._open is not None:
            self._open = None
            yield MessagesEvent(type="content_block_stop", index=self._index)

    def _delta(self, delta: dict[str, Any]) -> MessagesEvent:
        return MessagesEvent(type="content_block_delta", index=self._index, delta=delta)


def _encode(event: MessagesEvent) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (event.type.encode(), msgspec.json.encode(event))


def _call(called: ToolCalled) -> AnswerBlock:
    try:
        arguments = msgspec.json.decode(called.function.arguments or "{}")
    except ValueError:
        arguments = {}
    return AnswerBlock(type="tool_use", id=called.id, name=called.function.name, input=arguments)


def _id(completion_id: str) -> str:
    return f"msg_{completion_id.removeprefix('chatcmpl-')}"
