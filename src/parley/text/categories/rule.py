"""A rule of a topic: what to look for in a prompt, how many points a match gives, and its name."""

import re
from collections.abc import Iterator
from functools import cached_property

import msgspec


class Rule(msgspec.Struct, frozen=True, dict=True):
    """A pattern, the points that a match gives, and its name in plain words. A topic needs one point.

    `source` is for text in lower case, unless the rule is `cased`: ignoring case takes several times as long.
    """

    says: str
    points: float
    source: str
    cased: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The source, compiled when it is first needed: all rules together take a twentieth of a second."""
        return re.compile(by_words(self.source), re.MULTILINE)

    def search(self, text: str, lowered: str) -> str | None:
        """Return what matches first in a text, which is given in lower case too; None if nothing does."""
        match = self.pattern.search(text if self.cased else lowered)
        if match is None:
            return None
        return text[match.start() : match.end()] if len(text) == len(lowered) else match[0]


def rule(says: str, points: float, *patterns: str, cased: bool = False) -> Rule:
    """Return a rule that looks for any of some patterns; their repetitions must have bounds."""
    return Rule(says, points, "|".join(patterns), cased)


def by_words(source: str) -> str:
    r"""Return a pattern that finds the same, with one `\b` for all alternatives that begin a word.

    Where each has its own, each looks for the beginnings of words by itself, which takes several times as long.
    """
    parts = list(_alternatives(source))
    begins = [part.removeprefix(r"\b") for part in parts if part.startswith(r"\b")]
    others = [part for part in parts if not part.startswith(r"\b")]
    return "|".join([*others, *([rf"\b(?:{'|'.join(begins)})"] if begins else [])])


def _alternatives(source: str) -> Iterator[str]:
    """Yield what stands between the `|` of a pattern that are in no group and in no class."""
    start = depth = 0
    for sign in re.finditer(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|[(|)]", source, re.DOTALL):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if sign[0] == "|" and depth == 0:
            yield source[start : sign.start()]
            start = sign.end()
    yield source[start:]
