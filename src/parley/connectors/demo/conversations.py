"""Recorded conversations: the format of the data files."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

import msgspec

from parley.connectors.demo.wordings import Wordings

SHIPPED = Path(__file__).with_name("conversations")
EVERYBODY = "any"
"""Names all characters that are not listed."""

Texts: TypeAlias = Mapping[str, str]
Replies: TypeAlias = Mapping[str, str | tuple[str, ...]]
"""Each character's reply; the seed chooses one of several texts."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a data file; unknown names are errors.

    Texts may have slots such as `{{question}}`: a line with a slot that has no value is dropped.
    """


class Listed(Record, frozen=True, kw_only=True):
    """A prompt's way to list answers: the marks around the id of each, and around its text."""

    id: tuple[str, str]
    text: tuple[str, str]


class Situation(Record, frozen=True, kw_only=True):
    """A mode's request to a seat, recognized by texts in its messages.

    All of `when` must be in the system message or the last one; the situation with most of them counts, or else the
    last. The question is between the two marks of `question`. `form` is the reply, `fields` give its slots by
    character, `unrecorded` those for unknown questions. It is sent within `within_s` seconds. Missing values come
    from the situation named by `like`.
    """

    name: str
    when: tuple[str, ...]
    like: str = ""
    question: tuple[str, str] = ("", "")
    form: str = ""
    fields: Mapping[str, Texts] = {}
    unrecorded: Texts = {}
    answers: Listed | None = None
    within_s: float | None = None

    def after(self, other: "Situation") -> "Situation":
        """Return this situation with missing values from another one."""
        ours = self.fields.get(EVERYBODY, {})
        fields: dict[str, Texts] = dict(self.fields)
        for name, texts in other.fields.items():
            others = {field: text for field, text in texts.items() if field not in ours}
            fields[name] = {**others, **self.fields.get(name, {})}
        return msgspec.structs.replace(
            self,
            question=self.question if all(self.question) else other.question,
            form=self.form or other.form,
            fields=fields,
            unrecorded={**other.unrecorded, **self.unrecorded},
            answers=self.answers or other.answers,
            within_s=self.within_s or other.within_s,
        )


class Conversation(Record, frozen=True, kw_only=True):
    """A question with its replies and reasoning by character.

    `texts` are slots for follow-ups, `parts` a situation's fields by character. One that is not `listed` is small talk.
    """

    question: str
    wordings: tuple[str, ...] = ()
    language: str = "en"
    listed: bool = True
    replies: Replies
    reasoning: Texts = {}
    texts: Texts = {}
    parts: Mapping[str, Mapping[str, Texts]] = {}


class FollowUp(Record, frozen=True, kw_only=True):
    """Replies about the previous question; `otherwise` if a text for it is missing."""

    wordings: tuple[str, ...]
    replies: Replies
    otherwise: Replies
    reasoning: Texts = {}


class Unrecorded(Record, frozen=True, kw_only=True):
    """Replies to unknown questions, by language."""

    language: str
    replies: Replies
    reasoning: Texts = {}


class Library(Record, frozen=True, kw_only=True, dict=True):
    """All recorded conversations. Weak words say little about a question, ignored ones nothing."""

    weak_words: tuple[str, ...] = ()
    ignored_words: tuple[str, ...] = ()
    situations: tuple[Situation, ...] = ()
    conversations: tuple[Conversation, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    unrecorded: tuple[Unrecorded, ...] = ()

    @cached_property
    def wordings(self) -> Wordings[Conversation | FollowUp]:
        """The conversations and follow-ups, indexed by wording."""
        question_texts = [(text, one) for one in self.conversations for text in (one.question, *one.wordings)]
        followed = [(text, one) for one in self.follow_ups for text in one.wordings]
        return Wordings([*question_texts, *followed], self.weak_words, self.ignored_words)

    def find(self, question: str) -> Conversation | FollowUp | None:
        """Return the recording for a question; None if there is none."""
        return self.wordings.find(question)

    def nearest(self, question: str, count: int) -> list[str]:
        """Return up to `count` recorded questions, the most similar first."""
        near = [
            one.question
            for one in self.wordings.nearest(question)
            if isinstance(one, Conversation) and one.listed
        ]
        return near[:count]


@cache
def read_library(*folders: Path) -> Library:
    """Read the data files of all folders. Raises ValueError that names the file."""
    read = [_read(path) for folder in folders for path in sorted(folder.glob("*.toml"))]
    return Library(
        weak_words=tuple(word for one in read for word in one.weak_words),
        ignored_words=tuple(word for one in read for word in one.ignored_words),
        situations=_completed([each for one in read for each in one.situations]),
        conversations=tuple(each for one in read for each in one.conversations),
        follow_ups=tuple(each for one in read for each in one.follow_ups),
        unrecorded=tuple(each for one in read for each in one.unrecorded),
    )


def _completed(situations: Sequence[Situation]) -> tuple[Situation, ...]:
    completed: dict[str, Situation] = {}
    for one in situations:
        completed[one.name] = one.after(completed[one.like]) if one.like else one
    return tuple(completed.values())


def _read(path: Path) -> Library:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Library)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path.name}: {error}") from None
