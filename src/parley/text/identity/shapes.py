"""Shapes: a stretch of text as one letter per word or phrase, by its function in a sentence."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from parley.text.identity.plain import plain

NAME, ANOTHER = "N", "n"
OTHER = "."
POSSESSIVE = "s"

_UNSPACED = "\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_INDIC = "\u0900-\u0dff"
_TOKEN = re.compile(
    rf"\A's\b|(?<=[\u0e00-\u0e7f]) (?=[\u0e00-\u0e7f])|[{_INDIC}]+|[{_UNSPACED}]|"
    rf"[^\W_{_UNSPACED}{_INDIC}]+(?:'[^\W_{_UNSPACED}{_INDIC}]+)*'?|\n|[^\w\s]"
)
_MARKS = {
    **dict.fromkeys(" ,;()[]|/，；（）", ","),
    **dict.fromkeys("-:=~：＝·", "-"),
    '"': '"',
    "'s": POSSESSIVE,
    **dict.fromkeys(".!?…", "!"),
    "\n": "!",
}
"""Marks in a shape: a short pause, a dash or colon, a quotation mark, an end."""

Phrase = tuple[str, ...]


def shape_of(text: str) -> str:
    """Return the shape of a plain text: for each phrase of the vocabulary its letter, for other words a dot.

    Mind that a phrase of several words is one letter. Marks that are in no class are left out.
    """
    return "".join(_letters(_TOKEN.findall(text.casefold())))


def _letters(tokens: list[str]) -> Iterator[str]:
    phrases = _phrases()
    at = 0
    while at < len(tokens):
        for phrase, letter in phrases.get(tokens[at], ()):
            if tuple(tokens[at : at + len(phrase)]) == phrase:
                yield letter
                at += len(phrase)
                break
        else:
            token = tokens[at]
            yield _MARKS.get(token, OTHER if token[0].isalnum() else "")
            at += 1


@cache
def _phrases() -> Mapping[str, list[tuple[Phrase, str]]]:
    """Return the phrases that begin with a word, the longest first; of two classes the first in the file has it."""
    letters: dict[Phrase, str] = {}
    text = re.sub(
        "(?m)^#.*$", "", files("parley.text.identity").joinpath("words.txt").read_text(encoding="utf-8")
    )
    for letter, written in re.findall(r"^\[(.)\]$([^\[]*)", text, re.MULTILINE):
        for part in written.split(","):
            if phrase := tuple(_TOKEN.findall(plain(" ".join(part.split())).casefold())):
                letters.setdefault(phrase, letter)
    by_first: dict[str, list[tuple[Phrase, str]]] = {}
    for phrase in sorted(letters, key=len, reverse=True):
        by_first.setdefault(phrase[0], []).append((phrase, letters[phrase]))
    return by_first
