"""Events of Anthropic's Messages API, for scripted servers."""

from typing import Any

import msgspec


def said(kind: str, **fields: Any) -> bytes:
    """One event."""
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), msgspec.json.encode({"type": kind, **fields}))


def begun(**usage: int) -> bytes:
    """The start of a message."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 1, **usage},
    }
    return said("message_start", message=message)


def block(index: int, kind: str, *deltas: dict[str, Any], **fields: Any) -> bytes:
    """A block from its start to its end."""
    return opened(index, kind, *deltas, **fields) + said("content_block_stop", index=index)


def opened(index: int, kind: str, *deltas: dict[str, Any], **fields: Any) -> bytes:
    """A block that has not ended yet."""
    start = said("content_block_start", index=index, content_block={"type": kind, **fields})
    return start + b"".join(said("content_block_delta", index=index, delta=delta) for delta in deltas)


def text(*pieces: str, index: int = 0) -> bytes:
    """A block of text."""
    return block(index, "text", *({"type": "text_delta", "text": piece} for piece in pieces), text="")


def ended(reason: str = "end_turn", **usage: int) -> bytes:
    """The end of a message."""
    counted = {"output_tokens": 2, **usage}
    delta = {"stop_reason": reason, "stop_sequence": None}
    return said("message_delta", delta=delta, usage=counted) + said("message_stop")
