"""An operator's own categories, defined by words."""

import re
from collections.abc import Sequence

import msgspec

from parley.text.folding import folded

WORDS_MAX = 200
WORD_CHARS_MAX = 80


class OwnCategory(msgspec.Struct, frozen=True):
    """A category of the settings file. A prompt is in it with one of `any` and every one of `all`.

    Each is a word or phrase, in any case; one `*` in a word stands for any letters. Words are whole words: “tax” does
    not match “taxi”, “tax*” does. If `any` is empty, `all` alone decides.
    """

    id: str
    title: str
    description: str
    any: tuple[str, ...] = ()
    all: tuple[str, ...] = ()

    def match(self, text: str) -> tuple[str, ...]:
        """Return the words of a text that put it into this category; none where it is not in it."""
        plain = folded(text)
        matches: list[str] = []
        if self.any:
            hit = _pattern(self.any).search(plain)
            if hit is None:
                return ()
            matches.append(hit[0])
        for word in self.all:
            hit = _pattern((word,)).search(plain)
            if hit is None:
                return ()
            matches.append(hit[0])
        return tuple(dict.fromkeys(matches))


_PATTERNS: dict[tuple[str, ...], re.Pattern[str]] = {}


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Return what finds one of the words. Its time is linear in the text."""
    key = tuple(words)
    if key not in _PATTERNS:
        _PATTERNS[key] = re.compile("|".join(_one(folded(word)) for word in key))
    return _PATTERNS[key]


def _one(phrase: str) -> str:
    """Return the pattern of a phrase. A second star in one word would make it slow, and stands for itself."""
    inner = r"\s".join(
        r"\w{0,40}".join(re.escape(part) for part in word.split("*", 1)) for word in phrase.split()
    )
    # Scripts without spaces between words have no edges of words to look for.
    return f"{_edge(phrase[:1], '(?<!')}{inner}{_edge(phrase[-1:], '(?!')}"


def _edge(letter: str, opening: str) -> str:
    spaced = letter.isalnum() and not "\u0e00" <= letter <= "\u0eff" and letter < "\u3040"
    return rf"{opening}\w)" if spaced else ""
