"""Chunks whose fields have other shapes than the dialect's: read for their meaning, field by field."""

from typing import Any, cast

import msgspec

from parley.connectors.openai.chunks import WireChoice, WireChunk, WireDelta, WirePart, WireToolCall

_THOUGHTS = (
    "reasoning_content",
    "reasoning",
    "reasoning_text",
    "thinking",
    "thoughts",
    "thought",
    "reasoning_details",
    "thinking_blocks",
)
_MOST_NESTED = 8

Fields = dict[str, Any]


def read_odd_chunk(document: object) -> WireChunk:
    """Return a chunk from decoded JSON. Raises ValueError for what is no chunk at all."""
    if not isinstance(document, dict):
        raise ValueError("not a chunk")
    fields = cast("Fields", document)
    listed: object = fields.get("choices")
    if listed is None and (is_message(fields.get("message")) or is_message(fields.get("delta"))):
        listed = {name: fields.get(name) for name in ("message", "delta")}
    if isinstance(listed, dict):
        listed = [cast("Fields", listed)]
    if not isinstance(listed, list):
        raise ValueError("not a chunk")
    choices = cast("list[object]", listed)
    read = [_choice(cast("Fields", one)) for one in choices if isinstance(one, dict)]
    if choices and not read:
        raise ValueError("not a chunk")
    kind = fields.get("object")
    return WireChunk(
        choices=list(read),
        usage=msgspec.Raw(msgspec.json.encode(fields.get("usage"))),
        error=fields.get("error"),
        model=fields.get("model"),
        kind=kind if isinstance(kind, str) else None,
        finish_reason=fields.get("finish_reason"),
        finish_camel=fields.get("finishReason"),
        stop_reason=fields.get("stop_reason"),
        done_reason=fields.get("done_reason"),
        done=fields.get("done"),
    )


def is_message(value: object) -> bool:
    """Return whether decoded JSON is a message, or an addition to one."""
    return isinstance(value, dict) and ("content" in value or "role" in value)


def _choice(fields: Fields) -> WireChoice:
    delta = fields.get("delta") or fields.get("message")
    index = _text(fields.get("index"))
    if isinstance(delta, str):
        delta = {"content": delta}
    return WireChoice(
        index=int(index) if index.isascii() and index.isdecimal() and len(index) < 10 else None,
        delta=_delta(cast("Fields", delta)) if isinstance(delta, dict) else None,
        text=_text(fields.get("text")) or None,
        finish_reason=fields.get("finish_reason"),
        finish_camel=fields.get("finishReason"),
        finish_details=fields.get("finish_details"),
        stop_reason=fields.get("stop_reason"),
    )


def _delta(fields: Fields) -> WireDelta:
    """Return the addition; each tool call or picture counts only if it is one."""
    thought = next((text for name in _THOUGHTS if (text := _text(fields.get(name)))), None)
    content = fields.get("content")
    parts: list[WirePart] | None = None
    if isinstance(content, list):
        parts = [_part(one) for one in cast("list[object]", content)]
    calls = fields.get("tool_calls")
    return WireDelta(
        content=parts if parts is not None else _text(cast("object", content)) or None,
        reasoning=thought,
        refusal=_text(fields.get("refusal")) or None,
        tool_calls=_calls(cast("list[object]", calls)) if isinstance(calls, list) else None,
        finish_reason=fields.get("finish_reason"),
    )


def _calls(calls: list[object]) -> list[WireToolCall | None]:
    """Return the calls of the dialect's shape. Raises ValueError for others: a call is never lost in silence."""
    return [msgspec.convert(one, WireToolCall, strict=False) for one in calls if one is not None]


def _part(value: object) -> WirePart:
    if isinstance(value, dict):
        fields = cast("Fields", value)
        kind = fields.get("type")
        texts = {name: _text(fields.get(name)) or None for name in ("text", "thinking", "content", "summary")}
        return WirePart(type=kind if isinstance(kind, str) else None, **texts)
    return WirePart(type="text", text=_text(value))


def _text(value: object, depth: int = 0) -> str:
    """Return the text of a value; a number is written out, true and false are none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None or depth > _MOST_NESTED:
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return "".join(_text(one, depth + 1) for one in cast("list[object]", value))
    if isinstance(value, dict):
        fields = cast("Fields", value)
        names = ("text", "content", "thinking", "summary", "value")
        return next((text for name in names if (text := _text(fields.get(name), depth + 1))), "")
    return ""
