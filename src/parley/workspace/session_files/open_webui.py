"""Open WebUI's export of chats: a list of rows, each with its chat and the tree of its messages."""

import hashlib

import msgspec

from parley.workspace.session_files.conversation import Conversation, Message, Unreadable, checked, moment


class _Message(msgspec.Struct):
    role: str = ""
    content: str | None = None
    model: str | None = None
    parentId: str | None = None  # noqa: N815 - as the file has it


class _History(msgspec.Struct):
    messages: dict[str, _Message] = {}
    currentId: str | None = None  # noqa: N815 - as the file has it


class _Meta(msgspec.Struct):
    tags: list[str] = []


class _Chat(msgspec.Struct):
    title: str | None = None
    history: _History | None = None
    messages: list[_Message] = []


class _Row(msgspec.Struct):
    chat: _Chat
    id: str | None = None
    title: str | None = None
    created_at: float | None = None
    updated_at: float | None = None
    meta: _Meta | None = None


_decoder = msgspec.json.Decoder(_Row)


def read_open_webui(raw: msgspec.Raw) -> Conversation:
    """Return a conversation. Raises Unreadable, and msgspec's errors, which name the field."""
    row = _decoder.decode(raw)
    return Conversation(
        source="open-webui",
        key=row.id or hashlib.sha256(raw).hexdigest(),
        title=row.title or row.chat.title or "",
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        tags=tuple(row.meta.tags) if row.meta else (),
        messages=checked(map(_message, _branch(row.chat))),
    )


def _branch(chat: _Chat) -> list[_Message]:
    """Return the messages of the branch that was shown last, oldest first."""
    history = chat.history
    if history is None or history.currentId not in history.messages:
        return chat.messages
    branch: list[_Message] = []
    seen: set[str] = set()
    at: str | None = history.currentId
    while at is not None and at in history.messages:
        if at in seen:
            raise Unreadable("its messages form a loop")
        seen.add(at)
        branch.append(history.messages[at])
        at = history.messages[at].parentId
    return branch[::-1]


def _message(message: _Message) -> Message:
    model = message.model if message.role == "assistant" else None
    return Message(message.role, message.content or "", model)
