"""The four outcomes of a vote, seen from the left side, and the words that files use for them."""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType


class Outcome(IntEnum):
    """A person's preference between two replies; its value is the column in counts."""

    WIN = 0
    """The left reply is better."""

    LOSS = 1
    """The right reply is better."""

    TIE = 2
    BOTH_BAD = 3


SCORES = (1.0, 0.0, 0.5, 0.5)
"""The score of the left side, by outcome."""

WORDS: Mapping[str, Outcome] = MappingProxyType(
    {
        "model_a": Outcome.WIN,
        "model_b": Outcome.LOSS,
        "tie": Outcome.TIE,
        "tie (bothbad)": Outcome.BOTH_BAD,
        "both_bad": Outcome.BOTH_BAD,
        "bothbad": Outcome.BOTH_BAD,
    }
)
"""LMArena's words in the column `winner`, and two ways in which others write “tie (bothbad)”."""


def outcome_of(word: object) -> Outcome | None:
    """Return the outcome that a word names, or None; case and surrounding space do not matter."""
    return WORDS.get(word.strip().lower()) if isinstance(word, str) else None
