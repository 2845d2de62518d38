"""What is said to a model: a conversation as a list of messages."""

import hashlib
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

Author: TypeAlias = Literal["system", "user", "assistant"]
Channel: TypeAlias = Literal["text", "reasoning"]


class Message(msgspec.Struct, frozen=True):
    """One message of a conversation with a model."""

    role: Author
    content: str


def fingerprint(messages: Sequence[Message]) -> str:
    """Return the SHA-256 (hex) of a conversation; a step that is replayed must match it."""
    return hashlib.sha256(msgspec.msgpack.encode(messages)).hexdigest()


def sha256_text(text: str) -> str:
    """Return the SHA-256 (hex) of a text in UTF-8; lone surrogates count as U+FFFD."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
