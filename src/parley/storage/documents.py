"""Documents: how JSON columns are written and read, by msgspec on both databases."""

import re
from typing import Any

import msgspec

_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")
"""The escape of NUL, not preceded by an odd number of backslashes."""

_encoder = msgspec.json.Encoder()


def encode_document(value: object) -> str:
    """Return JSON text that every database can store. PostgreSQL refuses NUL, so U+FFFD replaces it."""
    data = _encoder.encode(value)
    return (_NUL.sub(rb"\1\\ufffd", data) if b"\\u0000" in data else data).decode()


def decode_document(text: str | bytes) -> Any:
    """Return the plain values of JSON text."""
    return msgspec.json.decode(text)
