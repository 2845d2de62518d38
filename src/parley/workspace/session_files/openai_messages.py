"""Conversations with messages in the format of OpenAI's API, such as Parley exports."""

import hashlib
from typing import Literal

import msgspec

from parley.workspace.session_files.conversation import Conversation, Message, checked, moment


class _Part(msgspec.Struct):
    type: str = "text"
    text: str | None = None


class _Message(msgspec.Struct):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[_Part] | None = None
    name: str | None = None


class _Conversation(msgspec.Struct):
    messages: list[_Message]
    id: str | None = None
    title: str | None = None
    model: str | None = None
    created_at: float | str | None = None
    updated_at: float | str | None = None
    tags: list[str] = []


_decoder = msgspec.json.Decoder(_Conversation)


def read_messages(raw: msgspec.Raw, *, ours: bool) -> Conversation:
    """Return a conversation; `ours`: Parley wrote the file.

    Raises Unreadable, and msgspec's errors, which name the field.
    """
    found = _decoder.decode(raw)
    return Conversation(
        source="parley" if ours else "messages",
        key=found.id or hashlib.sha256(raw).hexdigest(),
        title=found.title or "",
        created_at=moment(found.created_at),
        updated_at=moment(found.updated_at),
        tags=tuple(found.tags),
        messages=checked(_message(each, found.model) for each in found.messages),
    )


def _message(message: _Message, model: str | None) -> Message:
    content = message.content
    parts = content if isinstance(content, list) else [_Part(text=content)]
    texts = [
        part.text if part.text is not None else "*[attachment left out]*"
        for part in parts
        if part.text is not None or part.type != "text"
    ]
    role = "system" if message.role == "developer" else message.role
    name = (message.name or model) if role == "assistant" else None
    return Message(role, "\n\n".join(texts), name)
