"""Words of a text in any script, and their stems."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

LONGEST = 40
"""Letters of a word that are read."""

_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
_UNSPACED = re.compile(
    r"[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]+"
)
_ELISION = re.compile(r"(?:l|d|j|n|s|c|m|t|qu|jusqu|lorsqu|puisqu)'(?=\w)")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'"})
_SUFFIXES = """
    ations ation ments ment ungen ingly edly ings ing ions ion ung ies ors ers ern ent ant ées ed es or er en em ly
    ée és ait s e n é
""".split()  # noqa: SIM905
_SHORT_STEMS = frozenset({"s", "e", "es", "ed", "ing"})


class Word(NamedTuple):
    """A word in lower case, and its place."""

    text: str
    start: int
    end: int


def words(text: str, start: int = 0, end: int | None = None) -> Iterator[Word]:
    """Yield the words of text[start:end] in order: letters and digits, apostrophes inside.

    Scripts without spaces between words give pairs of characters. An elided article (l'eau) is cut off.
    """
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        if _UNSPACED.search(match[0]) is None:
            yield _spaced(match)
        else:
            yield from _pairs(match)


def _spaced(match: re.Match[str]) -> Word:
    word = match[0][:LONGEST].translate(_APOSTROPHES).lower()
    if "'" in word and (elision := _ELISION.match(word)):
        return Word(word[elision.end() :], match.start() + elision.end(), match.end())
    return Word(word.removesuffix("'s"), match.start(), match.end())


def _pairs(match: re.Match[str]) -> Iterator[Word]:
    """Yield the overlapping pairs of a run without spaces, and the text between such runs as words."""
    run, offset = match[0], match.start()
    at = 0
    for part in _UNSPACED.finditer(run):
        if at < part.start():
            yield Word(run[at : part.start()][:LONGEST].lower(), offset + at, offset + part.start())
        if part.end() - part.start() == 1:
            yield Word(part[0], offset + part.start(), offset + part.end())
        for number in range(part.start(), part.end() - 1):
            yield Word(run[number : number + 2], offset + number, offset + number + 2)
        at = part.end()
    if at < len(run):
        yield Word(run[at:][:LONGEST].lower(), offset + at, offset + len(run))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a rough stem: the word without one ending, at most seven letters."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= (3 if suffix in _SHORT_STEMS else 4):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:7]
