"""Open WebUI's export of chats: a list of rows, each with its chat and the tree of its messages."""

import hashlib
import re
from contextlib import suppress
from html import unescape

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

_DETAILS = re.compile(r'<details type="(\w+)"[^<>]*>')
_DETAILS_END = "</details>"
_QUOTED = re.compile(r"^> ?", re.MULTILINE)


class _Message(msgspec.Struct):
    role: object = None
    content: object = None
    model: object = None
    files: object = None
    parentId: str | None = None  # noqa: N815 - as the file has it


class _History(msgspec.Struct):
    messages: dict[str, _Message] = {}
    currentId: str | None = None  # noqa: N815 - as the file has it


class _Chat(msgspec.Struct):
    title: object = None
    history: _History | None = None
    messages: list[_Message] = []
    params: object = None
    system: object = None


class _Meta(msgspec.Struct):
    tags: list[object] = []


class _Row(msgspec.Struct):
    chat: _Chat
    id: object = None
    title: object = None
    created_at: object = None
    updated_at: object = None
    meta: object = None
    archived: object = None
    pinned: object = None


_decoder = msgspec.json.Decoder(_Row)


def read_open_webui(raw: msgspec.Raw) -> Conversation:
    """Return a conversation. Raises Unreadable, and msgspec's errors, which name the field."""
    row = _decoder.decode(raw)
    return Conversation(
        source="open-webui",
        key=words(row.id) or hashlib.sha256(raw).hexdigest(),
        title=words(row.title) or words(row.chat.title),
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
        tags=_tags(row.meta),
        archived=row.archived is True,
        pinned=row.pinned is True,
        messages=checked((Message("system", _rules(row.chat)), *map(_message, _branch(row.chat)))),
    )


def _tags(meta: object) -> tuple[str, ...]:
    with suppress(msgspec.ValidationError):
        return tuple(filter(None, map(words, msgspec.convert(meta, _Meta).tags)))
    return ()


def _rules(chat: _Chat) -> str:
    """Return the chat's own system prompt."""
    match chat.params:
        case {"system": str(text)} if text.strip():
            return text
        case _:
            return words(chat.system)


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
    """Return a message, with what the model thought apart from what it said; steps of tools are left out."""
    texts = [*_texts(message.content), *_attached(message.files)]
    text = "\n\n".join(each for each in texts if each.strip())
    if message.role != "assistant":
        return Message(words(message.role), text)
    said, thoughts = _apart(text)
    return Message("assistant", said, words(message.model) or None, thoughts)


def _apart(text: str) -> tuple[str, str]:
    """Return a text without its details, which are thoughts and steps of tools, and the thoughts."""
    said: list[str] = []
    thoughts: list[str] = []
    at = 0
    while (found := _DETAILS.search(text, at)) and (end := text.find(_DETAILS_END, found.end())) >= 0:
        said.append(text[at : found.start()])
        if found[1] == "reasoning":
            inside = text[found.end() : end]
            inside = inside.partition("</summary>")[2] or inside
            thoughts.append(_QUOTED.sub("", unescape(inside)).strip())
        at = end + len(_DETAILS_END)
    return "".join((*said, text[at:])).strip(), "\n\n".join(thoughts)


def _texts(content: object) -> list[str]:
    """Return the texts of a message, which is a text or a list of parts as OpenAI's API takes them."""
    texts = [words(content)]
    for part in items(content):
        match part:
            case {"text": str(text)}:
                texts.append(text)
            case _:
                texts.append("*[attachment left out]*")
    return texts


def _attached(files: object) -> list[str]:
    """Return a note of each file of a message."""
    notes: list[str] = []
    for file in items(files):
        match file:
            case {"name": str(name)} if name:
                notes.append(f"*[attachment left out: {name}]*")
            case _:
                notes.append("*[attachment left out]*")
    return notes
