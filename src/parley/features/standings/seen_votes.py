"""Votes as evidence of how a person votes."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from parley.ratings.outcomes import Outcome

Cells: TypeAlias = Sequence[tuple[str, str, Outcome, int]]
"""A voter's counted votes: left, right, outcome, and the number of such votes."""


class SeenVote(msgspec.Struct, frozen=True):
    """A vote as evidence."""

    left: str
    right: str
    outcome: Outcome
    prompt: str
    """The digest of the prompt."""
