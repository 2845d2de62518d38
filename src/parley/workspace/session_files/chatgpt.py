"""ChatGPT's `conversations.json`: each conversation is a tree of messages; its last shown branch is imported."""

import hashlib
import re

import msgspec

from parley.workspace.session_files.conversation import (
    Conversation,
    Message,
    Unreadable,
    checked,
    items,
    moment,
    words,
)

_SHOWN = frozenset(("text", "multimodal_text", "code"))
"""The kinds of content that were shown as the conversation; others are tools' and thoughts."""

_INSTRUCTIONS = "user_editable_context"
"""The kind of content that holds the person's custom instructions."""

_MARKS = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue20f]")
"""Marks of citations and other parts that only ChatGPT's page can draw."""


class _Author(msgspec.Struct):
    role: object = None


class _Content(msgspec.Struct):
    content_type: object = "text"
    parts: list[object] = []
    text: object = None
    user_profile: object = None
    user_instructions: object = None


class _Metadata(msgspec.Struct):
    model_slug: object = None
    is_visually_hidden_from_conversation: object = None
    attachments: object = None


class _Message(msgspec.Struct):
    author: _Author
    content: _Content
    metadata: _Metadata | None = None
    recipient: object = None


class _Node(msgspec.Struct):
    message: _Message | None = None
    parent: str | None = None
    children: list[str] = []


class _Conversation(msgspec.Struct):
    mapping: dict[str, _Node]
    title: object = None
    create_time: object = None
    update_time: object = None
    current_node: str | None = None
    conversation_id: object = None
    id: object = None
    is_archived: object = None
    is_starred: object = None


_decoder = msgspec.json.Decoder(_Conversation)


def read_chatgpt(raw: msgspec.Raw) -> Conversation:
    """Return a conversation. Raises Unreadable, and msgspec's errors, which name the field."""
    found = _decoder.decode(raw)
    return Conversation(
        source="chatgpt",
        key=words(found.conversation_id) or words(found.id) or hashlib.sha256(raw).hexdigest(),
        title=words(found.title),
        created_at=moment(found.create_time),
        updated_at=moment(found.update_time),
        archived=found.is_archived is True,
        pinned=found.is_starred is True,
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
    role, content, about = words(message.author.role), message.content, message.metadata or _Metadata()
    if content.content_type == _INSTRUCTIONS:
        said = (words(content.user_profile), words(content.user_instructions))
        return Message("system", "\n\n".join(filter(None, said)))
    if role not in ("user", "assistant") or content.content_type not in _SHOWN:
        return None
    if about.is_visually_hidden_from_conversation or (message.recipient or "all") != "all":
        return None
    texts = [*map(_text, content.parts), words(content.text), _attached(about.attachments)]
    text = _MARKS.sub("", "\n\n".join(each for each in texts if each.strip()))
    return Message(role, text, words(about.model_slug) or None if role == "assistant" else None)


def _text(part: object) -> str:
    """Return a part as text: what was said aloud is text too, and its sound is left out."""
    match part:
        case str():
            return part
        case {"content_type": "audio_transcription", "text": str(text)}:
            return text
        case {"content_type": str(kind)} if "audio" in kind:
            return ""
        case _:
            return "*[attachment left out]*"


def _attached(files: object) -> str:
    """Return a note of the files of a message; pictures are among its parts too."""
    names: list[str] = []
    for file in items(files):
        match file:
            case {"mime_type": str(kind)} if kind.startswith("image/"):
                pass
            case {"name": str(name)}:
                names.append(name)
            case _:
                pass
    return f"*[attachment left out: {', '.join(names)}]*" if names else ""
