"""Open WebUI's export of chats: a list of rows, each with its chat and the tree of its messages."""

import re
from html import unescape

from parley.features.session_files.conversation import (
    LEFT_OUT,
    Conversation,
    ImportedMessage,
    moment,
)
from parley.features.session_files.fields import Table, identifier, items, table, text, word
from parley.features.session_files.tree import branch, newest_leaf

_DETAILS = re.compile(
    r'^<details\b(?>[^<>\n]*?\btype=)"(\w+)"[^<>]*+>(.*?)(?:</details>|\Z)\s*',
    re.DOTALL | re.MULTILINE,
)
"""A model's reasoning or a tool's work; where an answer was stopped, it may not be closed."""

_SUMMARY = re.compile(r"\A\s*<summary>[^<]*</summary>\s*")
_QUOTED = re.compile(r"^> ?", re.MULTILINE)


def read_open_webui(row: Table, digest: str) -> Conversation:
    """Return a conversation; `digest` is its key if it has no id. Raises Unreadable."""
    chat = table(row.get("chat"))
    rules = text(table(chat.get("params")).get("system")) or text(chat.get("system"))
    return Conversation(
        source="open-webui",
        key=identifier(row.get("id")) or digest,
        title=text(row.get("title")) or text(chat.get("title")),
        created_at=moment(row.get("created_at")),
        updated_at=moment(row.get("updated_at")),
        tags=tuple(filter(None, map(text, items(table(row.get("meta")).get("tags"))))),
        archived=row.get("archived") is True,
        pinned=row.get("pinned") is True,
        messages=(ImportedMessage("system", rules), *map(_message, _branch(chat))),
    )


def _branch(chat: Table) -> list[Table]:
    """Return the messages of the branch that was shown last, oldest first."""
    history = table(chat.get("history"))
    messages = {name: table(each) for name, each in table(history.get("messages")).items()}
    last = text(history.get("currentId"))
    if last not in messages:
        if listed := items(chat.get("messages")):
            return [table(each) for each in listed]
        last = newest_leaf(messages, "parentId", lambda message: message.get("timestamp"))
    return branch(messages, last, "parentId")


def _message(message: Table) -> ImportedMessage:
    role, content = word(message.get("role")), message.get("content")
    parts = [content] if isinstance(content, str) else map(_part, items(content))
    whole_text = "\n\n".join(filter(None, (*parts, *map(_file, items(message.get("files"))))))
    if role != "assistant":
        return ImportedMessage(role, whole_text)
    answer, thoughts = _without_details(whole_text)
    return ImportedMessage(role, answer, text(message.get("model")) or None, thoughts)


def _part(part: object) -> str:
    fields = table(part)
    return text(fields.get("text")) or (LEFT_OUT if fields.get("type") not in (None, "text") else "")


def _file(file: object) -> str:
    name = text(table(file).get("name"))
    return f"*[attachment left out: {name}]*" if name else LEFT_OUT


def _without_details(answer: str) -> tuple[str, str]:
    """Return an answer without the thoughts and the tools' messages that stand in it, and the thoughts."""
    thoughts = [
        _QUOTED.sub("", unescape(_SUMMARY.sub("", details[2]))).strip()
        for details in _DETAILS.finditer(answer)
        if details[1] == "reasoning"
    ]
    return _DETAILS.sub("", answer).strip() if _DETAILS.search(answer) else answer, "\n\n".join(thoughts)
