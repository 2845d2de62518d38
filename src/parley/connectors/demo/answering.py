"""Answering: the recorded reply of a character in a conversation."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape

from parley.connectors.demo.characters import CHARACTERS, Character
from parley.connectors.demo.conversations import (
    EVERYBODY,
    Conversation,
    FollowUp,
    Library,
    Listed,
    Replies,
    Situation,
    Texts,
    Unrecorded,
)
from parley.kernel.messages import Message, sha256_text, text_of
from parley.text.categories.language import detect

OFFERED = 4
"""The questions that a character offers if it has no answer."""

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True)
class Speech:
    """A character's reply, and its reasoning before it. `within_s`: the time limit for sending it."""

    text: str
    reasoning: str = ""
    within_s: float | None = None


def answer(library: Library, character: Character, messages: Sequence[Message], seed: int) -> Speech:
    """Return the character's answer; the same for the same messages and seed."""
    conversation = "\x1e".join(f"{message.role}\x1f{text_of(message)}" for message in messages)
    rng = random.Random(f"{character.name}|{seed}|{sha256_text(conversation)}")  # noqa: S311 - a choice, not a secret
    situations = _situations(library, messages)
    speaker = _Speaker(library, _questions(messages, situations), rng)
    name = character.name.lower()
    if not situations:
        return Speech(speaker.reply(name), speaker.reasoning(name))
    situation = next((one for one in situations if one.name in speaker.parts), situations[0])
    text = speaker.part(name, situation, text_of(messages[-1]))
    return Speech(text, within_s=situation.within_s)


class _Speaker:
    """The recorded replies to a person's last question, with slots filled."""

    def __init__(self, library: Library, questions: Sequence[str], rng: random.Random) -> None:
        self._library, self._questions, self._rng = library, questions, rng
        self._about: Conversation | None = None
        entry = library.find(questions[-1])
        if isinstance(entry, Conversation):
            self._about = entry
        elif entry is not None:
            earlier = map(library.find, reversed(questions[:-1]))
            self._about = next((one for one in earlier if isinstance(one, Conversation) and one.listed), None)
        self._found = entry or _unrecorded(library, questions[-1])

    @property
    def parts(self) -> Mapping[str, Mapping[str, Texts]]:
        """The recorded fields by situation."""
        return self._found.parts if isinstance(self._found, Conversation) else {}

    def reply(self, name: str) -> str:
        """Return a character's reply."""
        return fill(self._rng.choice(self._variants(name)), self._slots)

    def reasoning(self, name: str) -> str:
        """Return a character's reasoning."""
        return fill(self._found.reasoning.get(name, ""), self._slots)

    def part(self, name: str, situation: Situation, question: str) -> str:
        """Return a character's reply in a situation, to the message `question`."""
        slots = {**self._slots, "reply": self.reply(name), "reasoning": self.reasoning(name)}
        if situation.answers:
            slots |= self._ids(situation.answers, question)
        unrecorded = {EVERYBODY: situation.unrecorded} if isinstance(self._found, Unrecorded) else {}
        for texts in (situation.fields, unrecorded, self.parts.get(situation.name, {})):
            fields = {**texts.get(EVERYBODY, {}), **texts.get(name, {})}
            slots |= {field: fill(text, slots) for field, text in fields.items()}
        return fill(situation.form, {field: text for field, text in slots.items() if text})

    @cached_property
    def _slots(self) -> dict[str, str]:
        offered = _offered(self._library, self._questions[-1], self._rng)
        return {
            **(self._about.texts if self._about else {}),
            "question": self._questions[-1],
            "questions": "\n".join(f"- “{question}”" for question in offered),
        }

    def _variants(self, name: str) -> Sequence[str]:
        entry = self._found
        if isinstance(entry, FollowUp) and not _has_slots(_of(entry.replies, name), self._slots):
            return _of(entry.otherwise, name)
        return _of(entry.replies, name)

    def _ids(self, listed: Listed, question: str) -> Texts:
        """Return the id under which each character's answer is listed."""
        shown = {one: _plain(unescape(text)) for one, text in _entries(listed, question)}
        ids: dict[str, str] = {}
        for name in (character.name.lower() for character in CHARACTERS.values()):
            parts = [
                {**by_name.get(EVERYBODY, {}), **by_name.get(name, {})} for by_name in self.parts.values()
            ]
            statements = {
                _plain(text)
                for text in (*self._variants(name), *(fields.get("reply", "") for fields in parts))
            }
            first = next((one for one, text in shown.items() if text and text in statements), None)
            if first is not None:
                ids[name] = first
                del shown[first]
        return ids


def fill(text: str, slots: Texts) -> str:
    """Fill the slots of a text; drop lines with a slot that has no value."""
    lines = (line for line in text.strip("\n").split("\n") if _has_slots((line,), slots))
    return "\n".join(_SLOT.sub(lambda slot: slots[slot[1]], line) for line in lines)


def _has_slots(texts: Sequence[str], slots: Texts) -> bool:
    return all(name in slots for text in texts for name in _SLOT.findall(text))


def _of(replies: Replies, name: str) -> Sequence[str]:
    statement = replies.get(name, replies.get(EVERYBODY, ""))
    return (statement,) if isinstance(statement, str) else statement


def _situations(library: Library, messages: Sequence[Message]) -> list[Situation]:
    """Return the situations that match messages, the most specific first."""
    heard = "\n".join(text_of(message) for message in (*messages[:1], *messages[-1:]))
    fitting = [one for one in reversed(library.situations) if all(text in heard for text in one.when)]
    return sorted(fitting, key=lambda one: -len(one.when))


def _questions(messages: Sequence[Message], situations: Sequence[Situation]) -> list[str]:
    """Return the person's questions, oldest first, without a mode's text around them."""
    marks = dict.fromkeys(one.question for one in situations)
    prompts = [text_of(message) for message in messages if message.role == "user"]
    return [
        next((between for pair in marks if (between := _between(text, *pair))), text) for text in prompts
    ] or [""]


def _between(text: str, opening: str, closing: str) -> str:
    start, mark, _ = text.rpartition(opening)
    if not mark:
        return ""
    return unescape(text[len(start) + len(mark) :].partition(closing)[0])


def _entries(listed: Listed, question: str) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of each listed answer."""
    opening, closing = listed.id
    for entry in question.split(opening)[1:]:
        yield entry.partition(closing)[0], entry.partition(listed.text[0])[2].partition(listed.text[1])[0]


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _unrecorded(library: Library, question: str) -> Unrecorded:
    detected = detect(question[:2_000])
    language = detected or ""
    fitting = [one for one in library.unrecorded if one.language == language]
    return (fitting or list(library.unrecorded))[0]


def _offered(library: Library, question: str, rng: random.Random) -> list[str]:
    """Return some recorded questions: similar ones first, then any in this language."""
    near = library.nearest(question, OFFERED // 2)
    language = _unrecorded(library, question).language
    listed = [one for one in library.conversations if one.listed and one.question not in near]
    others = [one.question for one in listed if one.language == language]
    rng.shuffle(others)
    others += [one.question for one in listed if one.language != language]
    return [*near, *others][:OFFERED]
