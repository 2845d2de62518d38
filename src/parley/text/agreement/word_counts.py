"""The words that each answer uses most."""

import re
from collections import Counter
from collections.abc import Mapping

import msgspec

from parley.text.agreement.stop_words import stop_words_of
from parley.text.agreement.words import words

MOST_WORDS = 40

_LEFT_OUT = re.compile(
    r"(?:^|(?<=\n))[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?s:.*?)(?:\n[ \t>]*(?P=fence)[^\n]*|\Z)"
    r"|`[^`\n]{1,200}`|\b(?:https?|ftp)://[^\s<>)\]]+|\bwww\.[^\s<>)\]]+|</?[a-zA-Z][^<>\n]{0,200}>"
)


class WordCount(msgspec.Struct, frozen=True):
    """A word in lower case, how often it occurs in an answer, and its relative weight: 0 to 1."""

    word: str
    count: int
    weight: float


def count_words(
    answers: Mapping[str, str], confidences: Mapping[str, float | None]
) -> dict[str, tuple[WordCount, ...]]:
    """Return the most frequent words of each answer, at most MOST_WORDS, the most frequent first.

    Stop words, numbers, single letters, code and addresses are left out. The weight is count × confidence (1
    where none is given), divided by the greatest of all seats.
    """
    counts = {seat: _counts(text) for seat, text in answers.items()}
    trust = {
        seat: 1.0 if (confidence := confidences.get(seat)) is None else min(1.0, max(0.0, confidence))
        for seat in counts
    }
    most = (
        max((count * trust[seat] for seat, counted in counts.items() for _, count in counted), default=0.0)
        or 1.0
    )
    return {
        seat: tuple(WordCount(word, count, round(count * trust[seat] / most, 4)) for word, count in counted)
        for seat, counted in counts.items()
    }


def _counts(text: str) -> list[tuple[str, int]]:
    counted_words = [
        word.text
        for word in words(_LEFT_OUT.sub(" ", text))
        if len(word.text) > 1 and not word.text[0].isdigit()
    ]
    stops = stop_words_of(counted_words)
    counted = Counter(word for word in counted_words if word not in stops)
    return sorted(counted.items(), key=lambda entry: (-entry[1], entry[0]))[:MOST_WORDS]
