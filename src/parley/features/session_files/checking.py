"""Checks a conversation of a file: what can't be stored is left out with a note, what is too large is refused."""

from collections.abc import Iterable, Iterator

import msgspec

from parley.features.session_files.conversation import Conversation, ImportedMessage, Unreadable
from parley.features.sessions.schemas import TAG_CHARS, TAGS, as_tag
from parley.features.vote_files.model_names import NAME_CHARS
from parley.kernel.names import control_in, mended_name
from parley.kernel.request import storable

MESSAGES, MESSAGE_CHARS, CONVERSATION_CHARS = 10_000, 1_000_000, 10_000_000
RULES_CHARS = 1_000_000
"""The characters of system messages that hold together."""

_MENDED = "\ufffd"

NOTES = 20
"""The notes about one conversation."""


def checked(conversation: Conversation) -> tuple[Conversation, tuple[str, ...]]:
    """Return a conversation in a storable form, and notes about what it lost. Raises Unreadable."""
    notes: list[str] = []
    messages = [
        msgspec.structs.replace(
            each,
            text=str(storable(each.text)) if each.text.strip() else "",
            reasoning=str(storable(each.reasoning)),
        )
        for each in conversation.messages
        if each.text.strip() or each.role in ("assistant", "system")
    ]
    _refuse_too_large(messages)
    if conversation.source != "parley":
        messages = list(_without_surplus_rules(messages, notes))
    title = mended_name(str(storable(conversation.title)))
    if _MENDED in title:
        notes.append(f"its title has characters that can’t be stored, which became {_MENDED}")
    whole = msgspec.structs.replace(
        conversation,
        title=title,
        tags=tuple(_tags(conversation.tags, notes)),
        model=_model(conversation.model, notes),
        messages=tuple(_with_usable_models(messages, notes)),
    )
    return whole, tuple(notes[:NOTES])


def _refuse_too_large(messages: list[ImportedMessage]) -> None:
    if not any(each.text and each.role in ("user", "assistant") for each in messages):
        raise Unreadable("it has no text from a person or a model")
    if len(messages) > MESSAGES:
        raise Unreadable(f"it has {len(messages):,} messages; the limit is {MESSAGES:,}")
    for place, each in enumerate(messages, 1):
        for size in (len(each.text), len(each.reasoning)):
            if size > MESSAGE_CHARS:
                raise Unreadable(f"message {place} has {size:,} characters; the limit is {MESSAGE_CHARS:,}")
    size = sum(len(each.text) + len(each.reasoning) for each in messages)
    if size > CONVERSATION_CHARS:
        raise Unreadable(f"it has {size:,} characters; the limit is {CONVERSATION_CHARS:,}")


def _without_surplus_rules(
    messages: Iterable[ImportedMessage], notes: list[str]
) -> Iterator[ImportedMessage]:
    """Yield messages without system messages that are there again, or that are too many to hold together."""
    seen: set[str] = set()
    left, cut = RULES_CHARS, False
    for message in messages:
        if message.role != "system":
            yield message
        elif message.text and message.text not in seen:
            if len(message.text) <= left:
                yield message
                left -= len(message.text)
            elif not cut:
                cut = True
                notes.append(f"system messages beyond {RULES_CHARS:,} characters were left out")
            seen.add(message.text)


def _tags(tags: Iterable[str], notes: list[str]) -> Iterator[str]:
    """Yield the tags that a session can have, each once and sorted."""
    usable: set[str] = set()
    for place, each in enumerate(tags, 1):
        tag = as_tag(each)
        if _is_damaged(tag):
            notes.append(f"tag {place} has characters that can’t be stored, so it was left out")
        elif len(tag) > TAG_CHARS:
            notes.append(f"tag {place} has more than {TAG_CHARS} characters, so it was left out")
        elif tag:
            usable.add(tag)
    if len(usable) > TAGS:
        notes.append(f"it has {len(usable)} tags; {TAGS} were imported")
    yield from sorted(usable)[:TAGS]


def _with_usable_models(messages: Iterable[ImportedMessage], notes: list[str]) -> Iterator[ImportedMessage]:
    for place, message in enumerate(messages, 1):
        usable = _model(message.model, notes, f" in message {place}")
        yield message if usable == message.model else msgspec.structs.replace(message, model=usable)


def _model(name: str | None, notes: list[str], where: str = "") -> str | None:
    """Return the name of a model; None, with a note, if no model can have it."""
    if name is None or (name.isprintable() and len(name) <= NAME_CHARS and not _is_damaged(name)):
        return name
    if len(notes) < NOTES:
        why = "is too long" if len(name) > NAME_CHARS else "has characters that can’t be stored"
        notes.append(f"the model’s name{where} {why}, so it was left out")
    return None


def _is_damaged(name: str) -> bool:
    """Return whether a name has characters that can't be stored, or had some that JSON can't hold."""
    return _MENDED in name or control_in(name) is not None
