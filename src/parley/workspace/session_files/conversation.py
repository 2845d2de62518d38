"""A conversation from a file, whichever program wrote it."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from parley.workspace.arena.schemas import storable
from parley.workspace.session_files.schemas import Source

MESSAGES, MESSAGE_CHARS = 10_000, 1_000_000
_MILLISECONDS = 1e11
"""A larger number of seconds is in milliseconds."""


class Unreadable(Exception):
    """A conversation that cannot be imported; the text says why."""


class Message(msgspec.Struct, frozen=True):
    """A message: `role` is user, assistant or system; `model` is as the file names it."""

    role: str
    text: str
    model: str | None = None


class Exchange(msgspec.Struct, frozen=True):
    """A question with its answer; either may be empty."""

    question: str
    answer: str


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation. `key` identifies it within its source, the same in every export."""

    source: Source
    key: str
    title: str
    created_at: datetime | None
    updated_at: datetime | None
    tags: tuple[str, ...] = ()
    messages: tuple[Message, ...]

    @property
    def model(self) -> str | None:
        """The model that answered last."""
        return next((each.model for each in reversed(self.messages) if each.model), None)

    @property
    def rules(self) -> str:
        """What a system message said."""
        return "\n\n".join(each.text for each in self.messages if each.role == "system")

    def exchanges(self) -> list[Exchange]:
        """Return questions with their answers; several in a row become one."""
        found: list[tuple[list[str], list[Message]]] = []
        for message in self.messages:
            if message.role == "user":
                if not found or found[-1][1]:
                    found.append(([], []))
                found[-1][0].append(message.text)
            elif message.role == "assistant":
                if not found:
                    found.append(([], []))
                found[-1][1].append(message)
        return [Exchange("\n\n".join(questions), _joined(answers)) for questions, answers in found]


def checked(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages with text, in a storable form. Raises Unreadable."""
    kept = tuple(
        msgspec.structs.replace(each, text=str(storable(each.text))) for each in messages if each.text.strip()
    )
    if not any(each.role == "user" or each.role == "assistant" for each in kept):
        raise Unreadable("it has no text from a person or a model")
    if len(kept) > MESSAGES:
        raise Unreadable(f"it has {len(kept):,} messages; the limit is {MESSAGES:,}")
    for place, each in enumerate(kept, 1):
        if len(each.text) > MESSAGE_CHARS:
            raise Unreadable(
                f"message {place} has {len(each.text):,} characters; the limit is {MESSAGE_CHARS:,}"
            )
    return kept


def moment(seconds: float | str | None) -> datetime | None:
    """Return a time as files have it: seconds or milliseconds since 1970, or ISO 8601; None if it is neither."""
    try:
        if isinstance(seconds, str):
            found = datetime.fromisoformat(seconds)
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        if seconds is None or not math.isfinite(seconds) or seconds <= 0:
            return None
        return datetime.fromtimestamp(seconds / 1000 if seconds > _MILLISECONDS else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _joined(answers: list[Message]) -> str:
    """Return answers as one text, each under its model's name where several models answered."""
    several = len({each.model for each in answers}) > 1
    return "\n\n".join(
        f"**{each.model}**\n\n{each.text}" if several and each.model else each.text for each in answers
    )
