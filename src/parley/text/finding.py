"""Finding: where a folded phrase stands in a text as it was written, in one pass over the text."""

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

from parley.text.folding import folded

PIECE = 1_000
"""Code points that are folded at once; only around a match is a text looked at letter by letter."""

LETTER = 30
"""The marks on one letter that are taken with it."""

LONGEST = 4_000
"""A piece ends here at the latest, though a letter may be torn from its marks."""


def find_folded(text: str, phrase: str) -> tuple[int, int] | None:
    """Return where a text has a folded phrase, first and after its last code point; None if nowhere.

    The text has single spaces. A letter that folds to several, or several that fold to one, count as a whole.
    """
    starts: list[int] = []
    lengths: list[int] = [0]
    window, before = "", 0
    for start, piece in _pieces(text):
        plain = _folded_piece(piece)
        starts.append(start)
        lengths.append(lengths[-1] + len(plain))
        window += plain
        at = window.find(phrase)
        if at >= 0:
            first, last = before + at, before + at + len(phrase) - 1
            return _original(text, starts, lengths, first), _original(text, starts, lengths, last, end=True)
        beyond = max(0, len(window) - len(phrase) + 1)
        before, window = before + beyond, window[beyond:]
    return None


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the pieces of a text and where they begin; none begins with a mark on the letter before."""
    start = 0
    while start < len(text):
        end = min(start + PIECE, len(text))
        while end < len(text) and end - start < LONGEST and not _begins(text[end]):
            end += 1
        yield start, text[start:end]
        start = end


def _begins(letter: str) -> bool:
    """Return whether nothing that comes before a letter can change it or be changed by it."""
    return letter.isascii() or "\u3400" <= letter <= "\u9fff" or unicodedata.category(letter) == "Lu"


def _folded_piece(piece: str) -> str:
    plain = folded(piece)
    return (" " if piece[:1] == " " else "") + plain + (" " if len(piece) > 1 and piece[-1] == " " else "")


def _original(text: str, starts: list[int], lengths: list[int], at: int, *, end: bool = False) -> int:
    """Return where the text has its folded form's code point `at` begin, or end."""
    number = bisect_right(lengths, at, hi=len(starts)) - 1
    start, within = starts[number], at - lengths[number]
    here, place = 0, start
    for letter in _letters(text, start, starts[number + 1] if number + 1 < len(starts) else len(text)):
        here += len(_folded_piece(letter))
        if here > within:
            return place + len(letter) if end else place
        place += len(letter)
    return place


def _letters(text: str, start: int, stop: int) -> Iterator[str]:
    """Yield the letters of a part of a text, each with the marks on it."""
    first = start
    for at in range(start + 1, min(stop, start + LONGEST)):
        if not _joins(text[at]) or at - first > LETTER:
            yield text[first:at]
            first = at
    if first < stop:
        yield text[first:stop]


def _joins(letter: str) -> bool:
    """Return whether a code point is a part of the letter before: a mark, or a later part of a Korean syllable."""
    return bool(unicodedata.combining(letter)) or "\u1160" <= letter <= "\u11ff" or letter in "\uff9e\uff9f"
