"""Claude's `conversations.json`: each conversation is a list of messages, which may name the one before them."""

from collections.abc import Iterator

from parley.features.session_files.conversation import LEFT_OUT, Conversation, ImportedMessage, moment
from parley.features.session_files.fields import Table, identifier, items, table, text, word
from parley.features.session_files.tree import branch_of_list
from parley.features.session_files.written_documents import changed_document, fenced, written_document

MODEL = "Claude"
"""The model of all answers: the export names none."""

_ROLES = {"human": "user", "assistant": "assistant"}
_ARTIFACTS = "artifacts"
_LANGUAGES = {
    "text/html": "html",
    "image/svg+xml": "svg",
    "application/vnd.ant.react": "jsx",
    "application/vnd.ant.mermaid": "mermaid",
}
_PASTED_CHARS = 100_000
"""The text of a longer attachment is left out."""


def read_claude(conversation: Table, digest: str) -> Conversation:
    """Return a conversation; `digest` is its key if it has no id. Raises Unreadable."""
    return Conversation(
        source="claude",
        key=identifier(conversation.get("uuid")) or digest,
        title=text(conversation.get("name")),
        created_at=moment(conversation.get("created_at")),
        updated_at=moment(conversation.get("updated_at")),
        pinned=conversation.get("is_starred") is True,
        model=text(conversation.get("model")) or MODEL,
        messages=tuple(map(_message, _branch(conversation))),
    )


def _branch(conversation: Table) -> list[Table]:
    """Return the messages of the branch that was shown last, oldest first."""
    messages = list(map(table, items(conversation.get("chat_messages"))))
    last = identifier(conversation.get("current_leaf_message_uuid"))
    return branch_of_list(messages, "uuid", "parent_message_uuid", lambda each: each.get("created_at"), last)


def _message(message: Table) -> ImportedMessage:
    role = _ROLES.get(word(message.get("sender")), "")
    blocks = list(map(table, items(message.get("content"))))
    shown = "\n\n".join(filter(None, map(_block, blocks))) or text(message.get("text"))
    thoughts = [text(each.get("thinking")) for each in blocks if word(each.get("type")) == "thinking"]
    return ImportedMessage(
        role,
        "\n\n".join(filter(None, (shown, *_attached(message)))),
        reasoning="\n\n".join(filter(None, thoughts)) if role == "assistant" else "",
    )


def _block(block: Table) -> str:
    kind = word(block.get("type"))
    if kind == "text":
        return text(block.get("text"))
    if kind == "tool_use" and text(block.get("name")) == _ARTIFACTS:
        return _artifact(table(block.get("input")))
    return LEFT_OUT if kind in ("image", "document") else ""


def _artifact(request: Table) -> str:
    if text(request.get("command")) == "update":
        return changed_document("Artifact", text(request.get("old_str")), text(request.get("new_str")))
    kind = word(request.get("type"))
    language = text(request.get("language")) or _LANGUAGES.get(kind, kind)
    return written_document("Artifact", text(request.get("title")), text(request.get("content")), language)


def _attached(message: Table) -> Iterator[str]:
    """Yield the texts that were pasted as attachments, and a note for each other file."""
    for each in map(table, items(message.get("attachments"))):
        name, content = text(each.get("file_name")), text(each.get("extracted_content"))
        if content and len(content) <= _PASTED_CHARS:
            yield f"*[Attachment: {name}]*\n\n{fenced(content)}" if name else fenced(content)
        else:
            yield _left_out(name)
    for each in map(table, items(message.get("files"))):
        yield _left_out(text(each.get("file_name")))


def _left_out(name: str) -> str:
    return f"*[attachment left out: {name}]*" if name else LEFT_OUT
