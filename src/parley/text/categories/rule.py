"""A rule of a topic: what to look for in a prompt, what a find is worth, and its name."""

import re
from functools import cached_property

import msgspec


class Rule(msgspec.Struct, frozen=True, dict=True):
    """What to look for, what a find is worth, and its name in plain words. A topic needs one point.

    `source` is for text in lower case, unless the rule is `cased`: ignoring case takes several times as long.
    """

    says: str
    points: float
    source: str
    cased: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The source, compiled when it is first needed: all rules together take a twentieth of a second."""
        return re.compile(self.source, re.MULTILINE)

    def search(self, text: str, lowered: str) -> str | None:
        """Return what matches first in a text, which is given in lower case too; None where nothing does."""
        match = self.pattern.search(text if self.cased else lowered)
        if match is None:
            return None
        return text[match.start() : match.end()] if len(text) == len(lowered) else match[0]


def rule(says: str, points: float, *patterns: str, cased: bool = False) -> Rule:
    """Return a rule that looks for any of some patterns; their repetitions must have bounds."""
    return Rule(says, points, "|".join(patterns), cased)
