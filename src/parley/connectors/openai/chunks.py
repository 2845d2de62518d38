"""The dialect's chunks as they are sent, decoded leniently: unknown fields are ignored."""

from typing import Literal, TypeAlias

import msgspec


class WireFunction(msgspec.Struct, gc=False):
    """A piece of a function call."""

    name: str | None = None
    arguments: str | dict[str, object] | None = None


class WireToolCall(msgspec.Struct, gc=False):
    """A piece of a tool call; pieces with one index belong together."""

    index: int | None = None
    id: str | None = None
    function: WireFunction | None = None


class WirePart(msgspec.Struct, gc=False):
    """A part of a content, or of a thought, that is a list."""

    type: str | None = None
    text: str | None = None
    thinking: "Thought" = None
    content: "Thought" = None
    summary: "Thought" = None


Thought: TypeAlias = str | list["WirePart | str"] | WirePart | None
"""A thought as servers write it: a text, or parts of one."""


class WireUrl(msgspec.Struct, gc=False):
    """An address: that of a picture's bytes, as a `data:` URL, or of a picture elsewhere."""

    url: str | None = None


class WireImage(msgspec.Struct, gc=False):
    """A picture of the answer."""

    image_url: WireUrl | str | None = None


class WireDelta(msgspec.Struct, gc=False):
    """A chunk's addition to the message; a complete message has the same fields."""

    content: str | list[WirePart] | None = None
    reasoning_content: "Thought" = None
    reasoning: "Thought" = None
    thinking: "Thought" = None
    thought: "Thought | bool" = None
    reasoning_details: "Thought" = None
    reasoning_text: "Thought" = None
    thoughts: "Thought" = None
    thinking_blocks: "Thought" = None
    provider_specific_fields: dict[str, object] | None = None
    refusal: str | None = None
    tool_calls: list[WireToolCall | None] | None = None
    images: list[WireImage | None] | None = None
    finish_reason: object = None

    def thoughts_of(self) -> tuple["Thought | bool", ...]:
        """Return the fields that may hold a thought; of several, the first is meant."""
        own = (self.reasoning_content, self.reasoning, self.reasoning_text, self.thinking, self.thoughts)
        beside: object = None
        if self.provider_specific_fields:
            fields = self.provider_specific_fields
            beside = fields.get("reasoning_content") or fields.get("reasoning")
        listed = (self.reasoning_details, self.thinking_blocks, beside if isinstance(beside, str) else None)
        return (*own, self.thought, *listed)


class WireChoice(msgspec.Struct, gc=False):
    """One of the answers asked for; Parley asks for one."""

    index: int | None = None
    delta: WireDelta | None = None
    message: WireDelta | None = None
    text: object = None
    finish_reason: object = None
    finish_camel: object = msgspec.field(name="finishReason", default=None)
    finish_details: object = None
    stop_reason: object = None

    def reasons(self) -> tuple[object, ...]:
        """Return the finish reasons, wherever the server writes them."""
        delta = self.delta or self.message
        within = delta.finish_reason if delta is not None else None
        return self.finish_reason, self.finish_camel, self.finish_details, within, self.stop_reason


class WireChunk(msgspec.Struct, gc=False):
    """One chunk of a stream, or a complete answer. `usage` stays undecoded: only the last one counts.

    Some servers write a choice's fields beside `choices`, or without any.
    """

    choices: list[WireChoice | None] | None = None
    message: object = None
    delta: object = None
    finish_reason: object = None
    finish_camel: object = msgspec.field(name="finishReason", default=None)
    stop_reason: object = None
    done_reason: object = None
    done: object = None
    usage: msgspec.Raw = msgspec.Raw(b"")
    error: object = None
    kind: str | None = msgspec.field(name="object", default=None)
    model: object = None

    def reasons(self) -> tuple[object, ...]:
        """Return the finish reasons of the whole chunk."""
        done = "stop" if self.done is True else None
        return self.finish_reason, self.finish_camel, self.stop_reason, self.done_reason, done


class _Word(msgspec.Struct, gc=False):
    content: str
    reasoning_content: None = None
    reasoning: None = None
    thinking: None = None
    thought: None = None
    reasoning_details: None = None
    reasoning_text: None = None
    thoughts: None = None
    thinking_blocks: None = None
    provider_specific_fields: None = None
    refusal: None = None
    tool_calls: None = None
    images: None = None
    finish_reason: None = None


class _WordChoice(msgspec.Struct, gc=False):
    delta: _Word
    index: Literal[0] | None = None
    text: None = None
    finish_reason: None = None
    finish_camel: None = msgspec.field(name="finishReason", default=None)
    finish_details: None = None
    stop_reason: None = None


class _WordChunk(msgspec.Struct, gc=False):
    """A chunk that adds a piece of text and nothing else, as most do."""

    choices: tuple[_WordChoice]
    finish_reason: None = None
    finish_camel: None = msgspec.field(name="finishReason", default=None)
    stop_reason: None = None
    done_reason: None = None
    usage: None = None
    error: None = None


_WORD = msgspec.json.Decoder(_WordChunk)


def decode_word(payload: bytes) -> str | None:
    """Return the text of a chunk that adds nothing else; None for any other chunk."""
    try:
        return _WORD.decode(payload).choices[0].delta.content
    except ValueError:
        return None
