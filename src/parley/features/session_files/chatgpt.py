"""ChatGPT's `conversations.json`: each conversation is a tree of messages; its last shown branch is imported."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec

from parley.features.session_files.conversation import (
    LEFT_OUT,
    Conversation,
    Message,
    Unreadable,
    checked,
    moment,
)
from parley.features.session_files.fields import Table, identifier, items, table, text

_SHOWN = frozenset(("", "text", "multimodal_text", "code"))
"""The kinds of content that were shown as the conversation; others are tools' and thoughts."""

_INSTRUCTIONS = "user_editable_context"
_TRANSCRIPT = "audio_transcription"

_MARK = re.compile("( ?)\ue200([^\ue200\ue201]{0,20000})\ue201")
"""A citation, a name or a link, as in "\\ue200cite\\ue202turn0search1\\ue201"; its parts stand between U+E202."""

_STRAY = re.compile("[\ue200-\ue206]")


def read_chatgpt(found: Table, digest: str) -> Conversation:
    """Return a conversation; `digest` is its key if it has no id. Raises Unreadable."""
    pinned = found.get("is_starred") is True or found.get("pinned") is True
    return Conversation(
        source="chatgpt",
        key=identifier(found.get("conversation_id")) or identifier(found.get("id")) or digest,
        title=text(found.get("title")),
        created_at=moment(found.get("create_time")),
        updated_at=moment(found.get("update_time")),
        archived=found.get("is_archived") is True,
        pinned=pinned or moment(found.get("pinned_time")) is not None,
        messages=checked(_without_repeated_rules(filter(None, map(_message, _branch(found))))),
    )


def _branch(found: Table) -> list[Table]:
    """Return the messages of the branch that was shown last, oldest first."""
    nodes = {name: table(node) for name, node in table(found.get("mapping")).items()}
    at = text(found.get("current_node"))
    if at not in nodes:
        at = next((name for name, node in reversed(nodes.items()) if not items(node.get("children"))), "")
    branch: list[Table] = []
    seen: set[str] = set()
    while at in nodes:
        if at in seen:
            raise Unreadable("its messages form a loop")
        seen.add(at)
        branch.append(table(nodes[at].get("message")))
        at = text(nodes[at].get("parent"))
    return branch[::-1]


def _message(message: Table) -> Message | None:
    role = text(table(message.get("author")).get("role"))
    content, about = table(message.get("content")), table(message.get("metadata"))
    kind = text(content.get("content_type"))
    if kind == _INSTRUCTIONS:
        return Message("system", "\n\n".join(_instructions(content, about)))
    if role not in ("system", "user", "assistant") or kind not in _SHOWN:
        return None
    if about.get("is_visually_hidden_from_conversation") is True:
        return None
    if (text(message.get("recipient")) or "all") != "all":
        return None
    parts = (*_parts(content), text(content.get("text")), _attached(items(about.get("attachments"))))
    said = "\n\n".join(part for part in parts if part.strip())
    if role != "assistant":
        return Message(role, said)
    return Message(role, _unmarked(said), text(about.get("model_slug")) or None)


def _instructions(content: Table, about: Table) -> Iterator[str]:
    """Yield what the person had ChatGPT know of themselves and of the answers they want."""
    plain = table(about.get("user_context_message_data"))
    for mine, whole in (("about_user_message", "user_profile"), ("about_model_message", "user_instructions")):
        if said := (text(plain.get(mine)) or text(content.get(whole))).strip():
            yield said


def _parts(content: Table) -> Iterator[str]:
    parts = items(content.get("parts"))
    spoken = any(table(part).get("content_type") == _TRANSCRIPT for part in parts)
    for part in parts:
        kind = text(table(part).get("content_type"))
        if isinstance(part, str):
            yield part
        elif kind == _TRANSCRIPT:
            yield text(table(part).get("text"))
        elif part is not None and not (spoken and "audio" in kind):
            yield LEFT_OUT


def _attached(files: list[object]) -> str:
    """Return a note of the files of a message; pictures are among its parts too."""
    others = [each for each in map(table, files) if not text(each.get("mime_type")).startswith("image/")]
    names = ", ".join(filter(None, (text(each.get("name")) for each in others)))
    return f"*[attachment left out: {names}]*" if names else ""


def _without_repeated_rules(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield messages without instructions that are there again: ChatGPT may repeat them."""
    seen: set[str] = set()
    for message in messages:
        if message.role != "system" or message.text not in seen:
            yield message
        if message.role == "system":
            seen.add(message.text)


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
