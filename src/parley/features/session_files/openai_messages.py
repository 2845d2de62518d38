"""Conversations with messages in the format of OpenAI's API, such as Parley exports."""

import hashlib
from collections.abc import Mapping, Sequence

from parley.features.session_files.conversation import (
    LEFT_OUT,
    Conversation,
    ImportedMessage,
    moment,
)
from parley.features.session_files.fields import Table, identifier, items, table, text, word
from parley.features.session_files.writing import digest_of

_ROLES = {"developer": "system"}


def read_messages(conversation: Table, digest: str, *, ours: bool) -> Conversation:
    """Return a conversation; `ours`: Parley wrote the file; `digest` is its key if it has no id. Raises Unreadable."""
    model = text(conversation.get("model")) or None
    models = {name: text(each) for name, each in table(conversation.get("models")).items()}
    messages = [_message(table(each), models, model) for each in items(conversation.get("messages"))]
    return Conversation(
        source="parley" if ours else "messages",
        key=_key(conversation, messages, digest, ours=ours),
        title=text(conversation.get("title")),
        created_at=moment(conversation.get("created_at")),
        updated_at=moment(conversation.get("updated_at")),
        tags=tuple(filter(None, map(text, items(conversation.get("tags"))))),
        archived=conversation.get("archived") is True,
        pinned=conversation.get("pinned") is True,
        edited=ours
        and "messages_sha256" in conversation
        and conversation["messages_sha256"] != digest_of(conversation["messages"]),
        branch_of=text(conversation.get("branch_of")) or None if ours else None,
        messages=tuple(messages),
    )


def _key(conversation: Table, messages: Sequence[ImportedMessage], digest: str, *, ours: bool) -> str:
    key = identifier(conversation.get("id"))
    if not key or ours:
        return key or digest
    # Ids of unknown programs may be plain numbers: two conversations that begin differently are two.
    first = next((each.text for each in messages if each.role == "user"), "")
    return f"{key}/{hashlib.sha256(first.encode('utf-8', 'replace')).hexdigest()}"


def _message(message: Table, models: Mapping[str, str], model: str | None) -> ImportedMessage:
    content = message.get("content")
    texts = [content] if isinstance(content, str) else map(_part, items(content))
    role = _ROLES.get(word(message.get("role")), word(message.get("role")))
    name = text(message.get("name"))
    return ImportedMessage(
        role,
        "\n\n".join(filter(None, texts)),
        models.get(name) or name or model if role == "assistant" else None,
    )


def _part(part: object) -> str:
    fields = table(part)
    part_text = part if isinstance(part, str) else text(fields.get("text"))
    return part_text or (LEFT_OUT if fields.get("type") not in (None, "text") else "")
