"""Conversations with messages in the format of OpenAI's API, such as Parley exports."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Literal

import msgspec

from parley.workspace.session_files.conversation import Conversation, Message, checked, items, moment, words


class _Part(msgspec.Struct):
    type: str = "text"
    text: str | None = None


class _Message(msgspec.Struct):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[_Part] | None = None
    name: str | None = None


class _Conversation(msgspec.Struct):
    """What is odd in what is optional is left out; what is odd in a message is an error."""

    messages: list[_Message]
    id: object = None
    title: object = None
    model: object = None
    models: object = None
    created_at: object = None
    updated_at: object = None
    tags: object = None
    archived: object = None
    pinned: object = None
    branch_of: object = None


_decoder = msgspec.json.Decoder(_Conversation)


def read_messages(raw: msgspec.Raw, *, ours: bool) -> Conversation:
    """Return a conversation; `ours`: Parley wrote the file.

    Raises Unreadable, and msgspec's errors, which name the field.
    """
    found = _decoder.decode(raw)
    models: dict[str, str] = {}
    with suppress(msgspec.ValidationError):
        models = msgspec.convert(found.models, dict[str, str])
    model = words(found.model) or None
    return Conversation(
        source="parley" if ours else "messages",
        key=words(found.id) or hashlib.sha256(raw).hexdigest(),
        title=words(found.title),
        created_at=moment(found.created_at),
        updated_at=moment(found.updated_at),
        tags=tuple(filter(None, map(words, items(found.tags)))),
        archived=found.archived is True,
        pinned=found.pinned is True,
        branch_of=words(found.branch_of) or None if ours else None,
        messages=checked(_message(each, models, model) for each in found.messages),
    )


def _message(message: _Message, models: Mapping[str, str], model: str | None) -> Message:
    content = message.content
    parts = content if isinstance(content, list) else [_Part(text=content)]
    texts = [
        part.text if part.text is not None else "*[attachment left out]*"
        for part in parts
        if part.text is not None or part.type != "text"
    ]
    role = "system" if message.role == "developer" else message.role
    name = models.get(message.name or "") or message.name or model
    return Message(role, "\n\n".join(texts), name if role == "assistant" else None)
