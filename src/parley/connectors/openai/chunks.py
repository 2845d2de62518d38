"""The dialect's chunks as they are sent, decoded leniently: unknown fields are ignored."""

from typing import Literal, cast

import msgspec

from parley.connectors.openai.surrogates import decode_leniently
from parley.kernel.connector import Usage


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
    """A part of a content that is a list; `thinking` is a text or a list of parts."""

    type: str | None = None
    text: str | None = None
    thinking: str | list["WirePart"] | None = None


class WireDelta(msgspec.Struct, gc=False):
    """What a chunk adds to the message; a complete message has the same fields."""

    content: str | list[WirePart] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    tool_calls: list[WireToolCall | None] | None = None


class WireChoice(msgspec.Struct, gc=False):
    """One of the answers asked for; Parley asks for one."""

    index: int | None = None
    delta: WireDelta | None = None
    message: WireDelta | None = None
    finish_reason: str | None = None


class WireChunk(msgspec.Struct, gc=False):
    """One chunk of a stream, or a complete answer. `usage` stays undecoded: only the last one counts."""

    choices: list[WireChoice | None] | None = None
    usage: msgspec.Raw = msgspec.Raw(b"")
    error: object = None
    kind: str | None = msgspec.field(name="object", default=None)


class _Word(msgspec.Struct, gc=False):
    content: str
    reasoning_content: None = None
    reasoning: None = None
    refusal: None = None
    tool_calls: None = None


class _WordChoice(msgspec.Struct, gc=False):
    delta: _Word
    index: Literal[0] | None = None
    finish_reason: None = None


class _WordChunk(msgspec.Struct, gc=False):
    """A chunk that adds a piece of text and nothing else, as most do."""

    choices: tuple[_WordChoice]
    usage: None = None
    error: None = None


class _PromptDetails(msgspec.Struct, gc=False):
    cached_tokens: int | None = None


class _OutputDetails(msgspec.Struct, gc=False):
    reasoning_tokens: int | None = None


class _WireUsage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _OutputDetails | None = None


_CHUNK = msgspec.json.Decoder(WireChunk)
_WORD = msgspec.json.Decoder(_WordChunk)
_USAGE = msgspec.json.Decoder(_WireUsage)


def decode_chunk(payload: bytes) -> WireChunk:
    """Decode a chunk. Raises ValueError: not JSON, or not the shape of a chunk."""
    try:
        return _CHUNK.decode(payload)
    except msgspec.ValidationError:
        raise
    except ValueError:
        # Split characters and control characters are repaired later; msgspec refuses them.
        document = decode_leniently(payload)
        fields = cast("dict[str, object]", document) if isinstance(document, dict) else {}
        usage = fields.pop("usage", None)
        chunk = msgspec.convert(document, WireChunk)
        chunk.usage = msgspec.Raw(msgspec.json.encode(usage))
        return chunk


def decode_word(payload: bytes) -> str | None:
    """Return the text of a chunk that adds nothing else; None for any other chunk."""
    try:
        return _WORD.decode(payload).choices[0].delta.content
    except ValueError:
        return None


MAX_TOKENS = 10**9
"""No call has more; a larger number is a server's mistake and would not fit the database."""


def decode_usage(raw: bytes) -> Usage | None:
    """Return a chunk's usage, or None if it has none that can be read."""
    if not raw or raw == b"null":
        return None
    try:
        usage = _USAGE.decode(raw)
    except ValueError:
        return None
    prompt, output = usage.prompt_tokens_details, usage.completion_tokens_details
    tokens = (
        max(usage.prompt_tokens or 0, 0),
        max(usage.completion_tokens or 0, 0),
        max((output.reasoning_tokens or 0) if output else 0, 0),
        max((prompt.cached_tokens or 0) if prompt else 0, 0),
    )
    return None if max(tokens) > MAX_TOKENS else Usage(*tokens)
