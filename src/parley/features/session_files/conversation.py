"""A conversation from a file, whichever program wrote it."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from parley.features.session_files.schemas import Source
from parley.kernel.request import storable

MESSAGES, MESSAGE_CHARS = 10_000, 1_000_000
_MILLISECONDS = 1e11
"""A larger number of seconds is in milliseconds."""


LEFT_OUT = "*[attachment left out]*"
"""What stands in place of what is not imported."""


class Unreadable(Exception):
    """A conversation that cannot be imported; the text says why."""


class Message(msgspec.Struct, frozen=True):
    """A message: `role` is user, assistant or system; `model` is as the file names it."""

    role: str
    text: str
    model: str | None = None
    reasoning: str = ""


class Exchange(msgspec.Struct, frozen=True):
    """A question with its answer; either may be empty. `model` answered; `rules` are its system prompt."""

    question: str
    answer: str
    model: str | None
    rules: str
    reasoning: str


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation. `key` identifies it within its source, the same in every export.

    `branch_of` is the session of which it was another branch. `edited`: somebody changed what Parley had exported.
    """

    source: Source
    key: str
    title: str
    created_at: datetime | None
    updated_at: datetime | None
    tags: tuple[str, ...] = ()
    archived: bool = False
    pinned: bool = False
    branch_of: str | None = None
    edited: bool = False
    messages: tuple[Message, ...]

    def exchanges(self) -> list[Exchange]:
        """Return questions with their answers; several in a row become one.

        In Parley's files a system prompt holds until the next one, elsewhere a later one adds to it.
        """
        found: list[tuple[list[str], list[Message], str]] = []
        rules: list[str] = []
        before = ""
        for message in self.messages:
            if message.role == "system":
                if self.source == "parley" and before != "system":
                    rules = []
                rules.append(message.text)
            elif message.role == "user":
                if not found or found[-1][1] or before == "system":
                    found.append(([], [], ""))
                found[-1][0].append(message.text)
            elif message.role == "assistant":
                if not found:
                    found.append(([], [], ""))
                found[-1][1].append(message)
            if found and message.role != "system":
                found[-1] = (*found[-1][:2], "\n\n".join(filter(None, rules)))
            before = message.role
        return _with_models([_exchange(*each) for each in found])


def _exchange(questions: list[str], answers: list[Message], rules: str) -> Exchange:
    return Exchange(
        "\n\n".join(filter(None, questions)),
        _joined([each for each in answers if each.text]),
        next((each.model for each in reversed(answers) if each.model), None),
        rules,
        "\n\n".join(each.reasoning for each in answers if each.reasoning),
    )


def _with_models(exchanges: list[Exchange]) -> list[Exchange]:
    """Return the exchanges, each without a model with that of the one before it, else of the first that has one."""
    model = next((each.model for each in exchanges if each.model), None)
    found: list[Exchange] = []
    for each in exchanges:
        model = each.model or model
        found.append(msgspec.structs.replace(each, model=model))
    return found


def checked(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Return the messages in a storable form, without empty ones of the person. Raises Unreadable."""
    kept = tuple(
        msgspec.structs.replace(
            each,
            text=str(storable(each.text)) if each.text.strip() else "",
            reasoning=str(storable(each.reasoning)),
        )
        for each in messages
        if each.text.strip() or each.role in ("assistant", "system")
    )
    if not any(each.text and each.role in ("user", "assistant") for each in kept):
        raise Unreadable("it has no text from a person or a model")
    if len(kept) > MESSAGES:
        raise Unreadable(f"it has {len(kept):,} messages; the limit is {MESSAGES:,}")
    for place, each in enumerate(kept, 1):
        if len(each.text) > MESSAGE_CHARS:
            raise Unreadable(
                f"message {place} has {len(each.text):,} characters; the limit is {MESSAGE_CHARS:,}"
            )
    return kept


def moment(seconds: object) -> datetime | None:
    """Return a time as files have it: seconds or milliseconds since 1970, or ISO 8601; None if it is neither."""
    try:
        if isinstance(seconds, str):
            found = datetime.fromisoformat(seconds)
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            return None
        if not math.isfinite(seconds) or seconds <= 0:
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
