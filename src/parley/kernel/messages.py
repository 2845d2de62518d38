"""What is said to a model: a conversation as a list of messages."""

import hashlib
import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

Author: TypeAlias = Literal["system", "user", "assistant"]
Channel: TypeAlias = Literal["text", "reasoning"]

_LONE = re.compile("[\ud800-\udfff]")


class Message(msgspec.Struct, frozen=True):
    """One message of a conversation with a model."""

    role: Author
    content: str


def fingerprint(messages: Sequence[Message]) -> str:
    """Return the SHA-256 (hex) of a conversation; a step that is replayed must match it."""
    whole = [Message(message.role, mend_surrogates(message.content)) for message in messages]
    return hashlib.sha256(msgspec.msgpack.encode(whole)).hexdigest()


def sha256_text(text: str) -> str:
    """Return the SHA-256 (hex) of a text in UTF-8; lone surrogates count as U+FFFD."""
    return hashlib.sha256(mend_surrogates(text).encode()).hexdigest()


def mend_surrogates(text: str) -> str:
    """Return a text that every encoding can hold: each lone surrogate becomes U+FFFD, so no length changes."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)
