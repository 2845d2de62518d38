"""A conversation from a file, whichever program wrote it."""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec

from parley.features.session_files.schemas import Source

_MILLISECONDS = 1e11
"""A larger number of seconds is in milliseconds."""


LEFT_OUT = "*[attachment left out]*"
"""The text in place of content that is not imported."""


class Unreadable(Exception):
    """A conversation that cannot be imported; the text says why."""


class ImportedMessage(msgspec.Struct, frozen=True):
    """A message: `role` is user, assistant or system; `model` is as the file names it."""

    role: str
    text: str
    model: str | None = None
    reasoning: str = ""


class Exchange(msgspec.Struct, frozen=True):
    """A question with its answer; either may be empty. `model` answered.

    `rules` are the first of the system messages that hold here, and the one after the last; several hold together.
    """

    question: str
    answer: str
    model: str | None
    rules: tuple[int, int]
    reasoning: str


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation. `key` identifies it within its source, the same in every export.

    `model` answered where no message names one. `branch_of` is the session of which it was another branch. `edited`:
    somebody changed what Parley had exported.
    """

    source: Source
    key: str
    title: str
    created_at: datetime | None
    updated_at: datetime | None
    tags: tuple[str, ...] = ()
    archived: bool = False
    pinned: bool = False
    model: str | None = None
    branch_of: str | None = None
    edited: bool = False
    messages: tuple[ImportedMessage, ...]

    def exchanges(self) -> list[Exchange]:
        """Return questions with their answers; several in a row become one.

        In Parley's files a system prompt holds until the next one, elsewhere a later one adds to it.
        """
        drafts: list[_Draft] = []
        first = last = 0
        before = ""
        for message in self.messages:
            if message.role == "system":
                if self.source == "parley" and before != "system":
                    first = last
                last += 1
            elif message.role == "user":
                if not drafts or drafts[-1].answers or before == "system":
                    drafts.append(_Draft())
                drafts[-1].questions.append(message.text)
            elif message.role == "assistant":
                if not drafts:
                    drafts.append(_Draft())
                drafts[-1].answers.append(message)
            if drafts and message.role != "system":
                drafts[-1].rules = (first, last)
            before = message.role
        return _with_models([_exchange(draft) for draft in drafts], self.model)

    def system_prompt(self, rules: tuple[int, int]) -> str:
        """Return the system messages of an exchange as one text."""
        texts = [each.text for each in self.messages if each.role == "system"]
        return "\n\n".join(filter(None, texts[slice(*rules)]))


@dataclass
class _Draft:
    questions: list[str] = field(default_factory=list[str])
    answers: list[ImportedMessage] = field(default_factory=list[ImportedMessage])
    rules: tuple[int, int] = (0, 0)


def _exchange(draft: _Draft) -> Exchange:
    answers = draft.answers
    return Exchange(
        "\n\n".join(filter(None, draft.questions)),
        _joined([each for each in answers if each.text]),
        next((each.model for each in reversed(answers) if each.model), None),
        draft.rules,
        "\n\n".join(each.reasoning for each in answers if each.reasoning),
    )


def _with_models(exchanges: list[Exchange], usual: str | None) -> list[Exchange]:
    """Return the exchanges, each without a model with that of the one before it, else of the first that has one."""
    model = next((each.model for each in exchanges if each.model), usual)
    result: list[Exchange] = []
    for each in exchanges:
        model = each.model or model
        result.append(msgspec.structs.replace(each, model=model))
    return result


def moment(seconds: object) -> datetime | None:
    """Return a time as files have it: seconds or milliseconds since 1970, or ISO 8601; None if it is neither."""
    try:
        if isinstance(seconds, str):
            time = datetime.fromisoformat(seconds)
            return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float):
            return None
        if not math.isfinite(seconds) or seconds <= 0:
            return None
        return datetime.fromtimestamp(seconds / 1000 if seconds > _MILLISECONDS else seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _joined(answers: list[ImportedMessage]) -> str:
    """Return answers as one text, each under its model's name where several models answered."""
    several = len({each.model for each in answers}) > 1
    return "\n\n".join(
        f"**{each.model}**\n\n{each.text}" if several and each.model else each.text for each in answers
    )
