"""Frames of AWS's event streams, for scripted servers: Bedrock's Converse API."""

import struct
import zlib
from typing import Any

import msgspec


def frame(kind: str, payload: dict[str, Any], *, exception: bool = False) -> bytes:
    """One message: lengths, headers, payload, checksums."""
    said = "exception" if exception else "event"
    pairs = {
        f":{said}-type": kind,
        ":content-type": "application/json",
        ":message-type": said,
    }
    headers = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(text)) + text.encode()
        for name, text in pairs.items()
    )
    body = msgspec.json.encode(payload)
    start = struct.pack("!II", len(headers) + len(body) + 16, len(headers))
    start += struct.pack("!I", zlib.crc32(start))
    whole = start + headers + body
    return whole + struct.pack("!I", zlib.crc32(whole))


def piece(text: str) -> bytes:
    """A piece of text."""
    return frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": text}})


def begun() -> bytes:
    """The start of a message."""
    return frame("messageStart", {"role": "assistant"})


def ended(reason: str = "end_turn") -> bytes:
    """The end of a message, and its usage."""
    usage = {"inputTokens": 7, "outputTokens": 2, "totalTokens": 9}
    return (
        frame("contentBlockStop", {"contentBlockIndex": 0})
        + frame("messageStop", {"stopReason": reason})
        + frame("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})
    )


STREAM = {"Content-Type": "application/vnd.amazon.eventstream"}
