"""Finding the wording that matches a question, despite case, filler words and typos."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from parley.text.agreement.stop_words import stop_words_of
from parley.text.folding import folded

T = TypeVar("T")

ALIKE = 0.88
"""The similarity from which two wordings ask the same."""
NEAR = 0.3
"""The similarity from which a wording is offered."""
MOST_CHARACTERS, MOST_WORDS = 2_000, 60
"""The part of a question that is compared; no wording is longer."""
LEAST_LETTERS, SLIP = 5, 85
"""Words of at least this many letters match despite typos, from this ratio of rapidfuzz."""
STRONG, WEAK = 5, 1
"""Weights of words, and of words that say little; integers, so that their order does not matter."""

_TOKEN = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)*|[%+*/^=]|(?<=\d)\s*-\s*(?=\d)")
_SIGNS = str.maketrans("×÷−–", "*/--")
_THOUSANDS = re.compile(r"(?<=\d)[,\u202f\u00a0](?=\d{3}(?!\d))")


@dataclass(frozen=True)
class ParsedQuestion:
    """A parsed question: its words, and its numbers and signs, which must be equal."""

    words: frozenset[str]
    exact: tuple[str, ...]


class Wordings(Generic[T]):
    """Values, indexed by the wordings that ask for them."""

    def __init__(self, entries: Sequence[tuple[str, T]], weak: Iterable[str], ignored: Iterable[str]) -> None:
        self._weak, self._ignored = frozenset(weak), frozenset(ignored)
        self._entries = [(self._read(text), thing) for text, thing in entries]
        self._words = sorted({word for wording, _ in self._entries for word in wording.words})

    def find(self, text: str) -> T | None:
        """Return the value that a text asks for; None if no wording matches."""
        question = self._spelled(self._read(text))
        alike = [
            (likeness, one, thing)
            for likeness, one, thing in self._compared(question)
            if one.exact == question.exact
        ]
        best, _, thing = max(alike, key=lambda each: each[0], default=(0.0, None, None))
        return thing if best >= ALIKE else None

    def nearest(self, text: str) -> list[T]:
        """Return the values that a text may ask for, the most similar first."""
        near = [each for each in self._compared(self._spelled(self._read(text))) if each[0] >= NEAR]
        near.sort(key=lambda each: -each[0])
        return list({id(thing): thing for _, _, thing in near}.values())

    def _compared(self, question: ParsedQuestion) -> Iterator[tuple[float, ParsedQuestion, T]]:
        """Yield each wording's similarity: the weighted share of words that both have."""
        weak = self._weak | stop_words_of(question.words)

        def weight(words: Iterable[str]) -> int:
            return sum(WEAK if word in weak else STRONG for word in words)

        ours = weight(question.words)
        for one, thing in self._entries:
            if total := ours + weight(one.words):
                yield 2 * weight(question.words & one.words) / total, one, thing
            elif question.exact:
                yield float(question.exact == one.exact), one, thing

    def _read(self, text: str) -> ParsedQuestion:
        tokens = _TOKEN.findall(_THOUSANDS.sub("", folded(text[:MOST_CHARACTERS]).translate(_SIGNS)))[
            :MOST_WORDS
        ]
        return ParsedQuestion(
            frozenset(token for token in tokens if token[0].isalpha()) - self._ignored,
            tuple(token.strip() for token in tokens if not token[0].isalpha()),
        )

    def _spelled(self, question: ParsedQuestion) -> ParsedQuestion:
        """Return a question with typos replaced by known words."""
        return ParsedQuestion(frozenset(map(self._known, question.words)), question.exact)

    def _known(self, word: str) -> str:
        from rapidfuzz.fuzz import ratio
        from rapidfuzz.process import extractOne

        if len(word) < LEAST_LETTERS or word in self._words:
            return word
        match = extractOne(word, self._words, scorer=ratio, score_cutoff=SLIP)
        return match[0] if match else word
