"""Ratings: votes in, standings out. Pure mathematics.

NumPy and SciPy are loaded when one of the names below is first used, so that `parley.ratings.elo` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parley.ratings.counts import Counts
    from parley.ratings.outcomes import Outcome
    from parley.ratings.rating import RatingOptions, rate, rate_counts, rate_votes
    from parley.ratings.standings import Anchor
    from parley.ratings.votes import Votes, votes_of

__all__ = [
    "Anchor",
    "Counts",
    "Outcome",
    "RatingOptions",
    "Votes",
    "rate",
    "rate_counts",
    "rate_votes",
    "votes_of",
]

_HOMES = {
    "Anchor": "standings",
    "Counts": "counts",
    "Outcome": "outcomes",
    "RatingOptions": "rating",
    "Votes": "votes",
    "rate": "rating",
    "rate_counts": "rating",
    "rate_votes": "rating",
    "votes_of": "votes",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"parley.ratings.{_HOMES[name]}"), name)
