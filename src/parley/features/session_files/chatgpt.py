"""ChatGPT's `conversations.json`: each conversation is a tree of messages; its last shown branch is imported."""

import re
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from parley.features.session_files.conversation import (
    LEFT_OUT,
    Conversation,
    ImportedMessage,
    moment,
)
from parley.features.session_files.fields import Table, identifier, items, table, text, word
from parley.features.session_files.tree import branch, newest_leaf
from parley.features.session_files.written_documents import changed_document, fenced, written_document

_SHOWN = frozenset(("", "text", "multimodal_text", "code"))
"""The kinds of content that were shown as the conversation; others are tools' and thoughts."""

_CANVAS = "canmore."
_WHOLE_TEXTS = frozenset((".*", "(?s).*", "^.*$", r"[\s\S]*", "(?s)^.*$", r"\A.*\Z", r"(?s)\A.*\Z"))
"""Patterns with which a whole canvas is replaced."""

_INSTRUCTIONS = "user_editable_context"
_TRANSCRIPT = "audio_transcription"

_MARK = re.compile("( ?)\ue200([^\ue200\ue201]{0,20000})\ue201")
"""A citation, a name or a link, as in "\\ue200cite\\ue202turn0search1\\ue201"; its parts stand between U+E202."""

_STRAY = re.compile("[\ue200-\ue206]")


def read_chatgpt(conversation: Table, digest: str) -> Conversation:
    """Return a conversation; `digest` is its key if it has no id. Raises Unreadable."""
    pinned = conversation.get("is_starred") is True or conversation.get("pinned") is True
    return Conversation(
        source="chatgpt",
        key=identifier(conversation.get("conversation_id")) or identifier(conversation.get("id")) or digest,
        title=text(conversation.get("title")),
        created_at=moment(conversation.get("create_time")),
        updated_at=moment(conversation.get("update_time")),
        archived=conversation.get("is_archived") is True,
        pinned=pinned or moment(conversation.get("pinned_time")) is not None,
        model=text(conversation.get("default_model_slug")) or None,
        messages=tuple(filter(None, map(_message, _branch(conversation)))),
    )


def _branch(conversation: Table) -> list[Table]:
    """Return the messages of the branch that was shown last, oldest first."""
    nodes = {name: table(node) for name, node in table(conversation.get("mapping")).items()}
    last = text(conversation.get("current_node"))
    if last not in nodes:
        last = newest_leaf(nodes, "parent", lambda node: table(node.get("message")).get("create_time"))
    return [table(node.get("message")) for node in branch(nodes, last, "parent")]


def _message(message: Table) -> ImportedMessage | None:
    role = word(table(message.get("author")).get("role"))
    content, about = table(message.get("content")), table(message.get("metadata"))
    kind = word(content.get("content_type"))
    recipient = word(message.get("recipient")) or "all"
    if role == "assistant" and recipient.startswith(_CANVAS):
        return ImportedMessage(role, _canvas(recipient, content), text(about.get("model_slug")) or None)
    if role == "tool" and kind == "multimodal_text":
        # Pictures that the model made are a tool's messages.
        pictures = [each for each in items(content.get("parts")) if not isinstance(each, str)]
        return ImportedMessage("assistant", LEFT_OUT) if pictures else None
    if kind == _INSTRUCTIONS:
        return ImportedMessage("system", "\n\n".join(_instructions(content, about)))
    if role not in ("system", "user", "assistant") or kind not in _SHOWN:
        return None
    if about.get("is_visually_hidden_from_conversation") is True:
        return None
    if recipient != "all":
        return None
    parts = (*_parts(content), text(content.get("text")), _attached(items(about.get("attachments"))))
    whole_text = "\n\n".join(part for part in parts if part.strip())
    if role != "assistant":
        return ImportedMessage(role, whole_text)
    return ImportedMessage(role, _unmarked(whole_text), text(about.get("model_slug")) or None)


def _instructions(content: Table, about: Table) -> Iterator[str]:
    """Yield what the person had ChatGPT know of themselves and of the answers they want."""
    plain = table(about.get("user_context_message_data"))
    for mine, whole in (("about_user_message", "user_profile"), ("about_model_message", "user_instructions")):
        if instructions := (text(plain.get(mine)) or text(content.get(whole))).strip():
            yield instructions


def _canvas(recipient: str, content: Table) -> str:
    """Return what a message to the canvas did: a new document, changes of one, or comments on it."""
    raw = text(content.get("text")) or "".join(map(text, items(content.get("parts"))))
    try:
        request = table(msgspec.json.decode(raw))
    except (msgspec.MsgspecError, RecursionError):
        return f"*[Canvas]*\n\n{fenced(raw)}" if raw.strip() else ""
    if "content" in request:
        language = word(request.get("type")).removeprefix("code/")
        return written_document("Canvas", text(request.get("name")), text(request["content"]), language)
    changes = [
        *map(_canvas_update, map(table, items(request.get("updates")))),
        *(
            f"*[Canvas, comment: {text(each.get('comment'))}]*"
            for each in map(table, items(request.get("comments")))
        ),
    ]
    return "\n\n".join(changes) or f"*[Canvas: {recipient}]*\n\n{fenced(raw)}"


def _canvas_update(update: Table) -> str:
    pattern, later = text(update.get("pattern")), text(update.get("replacement"))
    if pattern in _WHOLE_TEXTS:
        return written_document("Canvas", "changed", later)
    return changed_document("Canvas", pattern, later)


def _parts(content: Table) -> Iterator[str]:
    parts = items(content.get("parts"))
    spoken = any(word(table(part).get("content_type")) == _TRANSCRIPT for part in parts)
    for part in parts:
        kind = word(table(part).get("content_type"))
        if isinstance(part, str):
            yield part
        elif kind == _TRANSCRIPT:
            yield text(table(part).get("text"))
        elif part is not None and not (spoken and "audio" in kind):
            yield LEFT_OUT


def _attached(files: list[object]) -> str:
    """Return a note of the files of a message; pictures are among its parts too."""
    others = [each for each in map(table, files) if not word(each.get("mime_type")).startswith("image/")]
    names = ", ".join(filter(None, (text(each.get("name")) for each in others)))
    return f"*[attachment left out: {names}]*" if names else ""


def _unmarked(answer: str) -> str:
    """Return an answer without ChatGPT's citations; names and links keep their words."""
    return _STRAY.sub("", _MARK.sub(_words_of, answer)) if _STRAY.search(answer) else answer


def _words_of(mark: re.Match[str]) -> str:
    words = _words(*mark[2].split("\ue202"))
    return mark[1] + words if words else ""


def _words(kind: str, first: str = "", second: str = "", *_: str) -> str:
    if kind == "url":
        return f"[{first}]({second})" if second else first
    if kind == "entity":
        with suppress(msgspec.MsgspecError):
            return next(iter(msgspec.json.decode(first, type=list[str])[1:]), "")
    return ""
