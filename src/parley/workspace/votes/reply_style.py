"""The style of both replies of a vote, from their texts or from the counts that LMArena's files carry."""

from collections.abc import Mapping
from typing import cast

import msgspec

from parley.ratings.style import Style, style_of


def style_of_row(row: Mapping[str, object]) -> tuple[Style, Style] | None:
    """Return the style of the left and of the right side; None where the replies are missing.

    Raises ValueError or OverflowError for a count that is none.
    """
    counted = row.get("conv_metadata")
    if isinstance(counted, Mapping):
        metadata = cast("Mapping[str, object]", counted)
        if "sum_assistant_a_tokens" in metadata:
            return _counted(metadata, "a"), _counted(metadata, "b")
    left, right = _reply(row.get("conversation_a")), _reply(row.get("conversation_b"))
    return None if left is None or right is None else (style_of(left), style_of(right))


def _counted(metadata: Mapping[str, object], side: str) -> Style:
    tokens = metadata.get(f"sum_assistant_{side}_tokens")
    kinds = (metadata.get(f"{kind}_count_{side}") for kind in ("header", "list", "bold"))
    headers, lists, bold = (_sum(kind) for kind in kinds)
    return _sum(tokens), headers, lists, bold


def _sum(value: object) -> int:
    """Return a count, or the sum of counts by kind: {"h1": 2, "h2": 1}."""
    if isinstance(value, Mapping):
        return sum(_sum(part) for part in cast("Mapping[str, object]", value).values())
    if value is None:
        return 0
    if not isinstance(value, int | float) or value < 0:
        raise ValueError("is no count")
    return int(value)


def _reply(conversation: object) -> str | None:
    """Return what the model said: a text, or the assistant's messages of a list, which may be written as JSON."""
    if isinstance(conversation, str):
        if conversation.lstrip()[:1] != "[":
            return conversation
        text = conversation
        try:
            conversation = msgspec.json.decode(text)
        except msgspec.DecodeError:
            return text
    if not isinstance(conversation, list):
        return None
    messages = [
        cast("Mapping[str, object]", it)
        for it in cast("list[object]", conversation)
        if isinstance(it, Mapping)
    ]
    return "\n\n".join(
        text_of(message.get("content")) for message in messages if message.get("role") == "assistant"
    )


def text_of(content: object) -> str:
    """Return a message's text; parts of other kinds count as nothing."""
    if isinstance(content, str):
        return content
    parts = cast("list[object]", content) if isinstance(content, list) else []
    return "".join(
        str(cast("Mapping[str, object]", part).get("text") or "")
        for part in parts
        if isinstance(part, Mapping)
    )
