"""Conversations with messages in the format of OpenAI's API, such as Parley exports."""

import hashlib
from collections.abc import Mapping, Sequence

from parley.features.session_files.conversation import LEFT_OUT, Conversation, Message, checked, moment
from parley.features.session_files.fields import Table, identifier, items, table, text
from parley.features.session_files.writing import digest_of

_ROLES = {"developer": "system"}


def read_messages(found: Table, digest: str, *, ours: bool) -> Conversation:
    """Return a conversation; `ours`: Parley wrote the file; `digest` is its key if it has no id. Raises Unreadable."""
    model = text(found.get("model")) or None
    models = {name: text(each) for name, each in table(found.get("models")).items()}
    messages = [_message(table(each), models, model) for each in items(found.get("messages"))]
    return Conversation(
        source="parley" if ours else "messages",
        key=_key(found, messages, digest, ours=ours),
        title=text(found.get("title")),
        created_at=moment(found.get("created_at")),
        updated_at=moment(found.get("updated_at")),
        tags=tuple(filter(None, map(text, items(found.get("tags"))))),
        archived=found.get("archived") is True,
        pinned=found.get("pinned") is True,
        edited=ours
        and "messages_sha256" in found
        and found["messages_sha256"] != digest_of(found["messages"]),
        branch_of=text(found.get("branch_of")) or None if ours else None,
        messages=checked(messages),
    )


def _key(found: Table, messages: Sequence[Message], digest: str, *, ours: bool) -> str:
    given = identifier(found.get("id"))
    if not given or ours:
        return given or digest
    # Ids of unknown programs may be plain numbers: two conversations that begin differently are two.
    first = next((each.text for each in messages if each.role == "user"), "")
    return f"{given}/{hashlib.sha256(first.encode('utf-8', 'replace')).hexdigest()}"


def _message(message: Table, models: Mapping[str, str], model: str | None) -> Message:
    content = message.get("content")
    texts = [content] if isinstance(content, str) else map(_part, items(content))
    role = _ROLES.get(text(message.get("role")), text(message.get("role")))
    name = text(message.get("name"))
    return Message(
        role,
        "\n\n".join(filter(None, texts)),
        models.get(name) or name or model if role == "assistant" else None,
    )


def _part(part: object) -> str:
    fields = table(part)
    said = part if isinstance(part, str) else text(fields.get("text"))
    return said or (LEFT_OUT if fields.get("type") not in (None, "text") else "")
