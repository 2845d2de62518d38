"""ChatGPT's `conversations.json`: each conversation is a tree of messages; its last shown branch is imported."""

import hashlib

import msgspec

from parley.workspace.session_files.conversation import Conversation, Message, Unreadable, checked, moment

_SHOWN = frozenset(("text", "multimodal_text", "code"))
"""The kinds of content that were shown as the conversation; others are tools' and thoughts."""


class _Author(msgspec.Struct):
    role: str = ""


class _Content(msgspec.Struct):
    content_type: str = "text"
    parts: list[object] = []
    text: str | None = None


class _Metadata(msgspec.Struct):
    model_slug: str | None = None
    is_visually_hidden_from_conversation: bool | None = None


class _Message(msgspec.Struct):
    author: _Author
    content: _Content
    metadata: _Metadata | None = None
    recipient: str | None = None


class _Node(msgspec.Struct):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] = []


class _Conversation(msgspec.Struct):
    mapping: dict[str, _Node]
    title: str | None = None
    create_time: float | None = None
    update_time: float | None = None
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None


_decoder = msgspec.json.Decoder(_Conversation)


def read_chatgpt(raw: msgspec.Raw) -> Conversation:
    """Return a conversation. Raises Unreadable, and msgspec's errors, which name the field."""
    found = _decoder.decode(raw)
    return Conversation(
        source="chatgpt",
        key=found.conversation_id or found.id or hashlib.sha256(raw).hexdigest(),
        title=found.title or "",
        created_at=moment(found.create_time),
        updated_at=moment(found.update_time),
        messages=checked(filter(None, map(_message, _branch(found)))),
    )


def _branch(found: _Conversation) -> list[_Message]:
    """Return the messages of the branch that was shown last, oldest first."""
    at = found.current_node or _newest_leaf(found)
    branch: list[_Message] = []
    seen: set[str] = set()
    while at is not None and (node := found.mapping.get(at)) is not None:
        if at in seen:
            raise Unreadable("its messages form a loop")
        seen.add(at)
        if node.message is not None:
            branch.append(node.message)
        at = node.parent
    return branch[::-1]


def _newest_leaf(found: _Conversation) -> str | None:
    return next((name for name, node in reversed(found.mapping.items()) if not node.children), None)


def _message(message: _Message) -> Message | None:
    role, content, about = message.author.role, message.content, message.metadata or _Metadata()
    if role not in ("user", "assistant") or content.content_type not in _SHOWN:
        return None
    if about.is_visually_hidden_from_conversation or (message.recipient or "all") != "all":
        return None
    parts = [part if isinstance(part, str) else "*[attachment left out]*" for part in content.parts]
    text = "\n\n".join(part for part in (*parts, content.text or "") if part.strip())
    return Message(role, text, about.model_slug if role == "assistant" else None)
