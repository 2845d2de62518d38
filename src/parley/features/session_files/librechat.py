"""LibreChat's export of a conversation: its messages as a tree, or as a list in which each names the one before."""

from parley.features.session_files.conversation import LEFT_OUT, Conversation, ImportedMessage, moment
from parley.features.session_files.fields import Table, identifier, items, table, text, word
from parley.features.session_files.tree import branch_of_list

_PICTURES = frozenset(("image_file", "image_url"))


def read_librechat(conversation: Table, digest: str) -> Conversation:
    """Return a conversation; `digest` is its key if it has no id. Raises Unreadable."""
    options = table(conversation.get("options"))
    rules = text(options.get("promptPrefix")) or text(options.get("system"))
    messages = [_message(each) for each in _branch(items(conversation.get("messages")))]
    return Conversation(
        source="librechat",
        key=identifier(conversation.get("conversationId")) or digest,
        title=text(conversation.get("title")),
        created_at=moment(conversation.get("createdAt")),
        updated_at=moment(conversation.get("updatedAt")),
        tags=tuple(filter(None, map(text, items(conversation.get("tags"))))),
        model=text(options.get("model")) or text(conversation.get("model")) or None,
        messages=(ImportedMessage("system", rules), *messages),
    )


def _branch(messages: list[object]) -> list[Table]:
    """Return the messages of the branch that is shown first, oldest first."""
    roots = list(map(table, messages))
    if any(items(each.get("children")) for each in roots):
        return _last_children(roots)
    return branch_of_list(roots, "messageId", "parentMessageId", lambda each: each.get("createdAt"))


def _last_children(siblings: list[Table]) -> list[Table]:
    """Return the latest of the siblings, the latest of its children, and so on."""
    result: list[Table] = []
    while siblings:
        result.append(siblings[-1])
        siblings = list(map(table, items(siblings[-1].get("children"))))
    return result


def _message(message: Table) -> ImportedMessage:
    by_person = message.get("isCreatedByUser")
    if not isinstance(by_person, bool):
        by_person = word(message.get("sender")) == "user"
    parts = list(map(table, items(message.get("content"))))
    files = [*items(message.get("files")), *items(message.get("attachments"))]
    shown = "\n\n".join(
        filter(
            None,
            ("\n\n".join(filter(None, map(_part, parts))) or text(message.get("text")), *map(_file, files)),
        )
    )
    if by_person:
        return ImportedMessage("user", shown)
    thoughts = [text(each.get("think")) for each in parts if word(each.get("type")) == "think"]
    return ImportedMessage(
        "assistant",
        # The text of a failed answer is the error.
        "" if message.get("error") is True else shown,
        text(message.get("model")) or None,
        "\n\n".join(filter(None, thoughts)),
    )


def _part(part: Table) -> str:
    kind = word(part.get("type"))
    if kind in _PICTURES:
        return LEFT_OUT
    inner = part.get("text")
    return (text(inner) or text(table(inner).get("value"))) if kind == "text" else ""


def _file(file: object) -> str:
    fields = table(file)
    name = text(fields.get("filename")) or text(fields.get("name"))
    return f"*[attachment left out: {name}]*" if name else LEFT_OUT
