"""What depends on the order and the looks of votes: Elo, times of votes, features of style."""

from array import array
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from parley.ratings import elo
from parley.text.style import FEATURES
from parley.workspace.standings.countable import Countable, outcome_of
from parley.workspace.standings.memory import Times

SCORES = (1.0, 0.0, 0.5, 0.5)
"""What the left side gets, by outcome."""

Ratings = dict[str, float]


class VoteSequence:
    """Elo and times by category, moved on by votes in their order."""

    def __init__(
        self, elos: Mapping[str, Ratings] | None = None, times: Mapping[str, Times] | None = None
    ) -> None:
        self._known_elos = elos or {}
        self._known_times = times or {}
        self.elos: dict[str, Ratings] = {}
        """Of the categories that moved."""
        self.times: dict[str, Times] = {}

    def take(self, votes: Iterable[Countable]) -> None:
        """Take in votes; those that are not counted move nothing."""
        for vote in votes:
            if vote.reason is not None:
                continue
            left, right, at, score = vote.left, vote.right, vote.at, SCORES[vote.outcome]
            for category in vote.categories:
                if (ratings := self.elos.get(category)) is None:
                    ratings = self.elos[category] = dict(self._known_elos.get(category, {}))
                    self.times[category] = dict(self._known_times.get(category, {}))
                ratings[left], ratings[right] = elo.update(
                    ratings.get(left, elo.INITIAL), ratings.get(right, elo.INITIAL), score
                )
                times = self.times[category]
                for model in (left, right):
                    known = times.get(model)
                    if known is None:
                        times[model] = (at, at)
                    elif at > known[1]:
                        times[model] = (known[0], at)
                    elif at < known[0]:
                        times[model] = (at, known[1])


class Revealed(msgspec.Struct):
    """A model's Elo as it was revealed last, after so many votes."""

    rating: float
    votes: int
    updated_at: datetime


class RevealedElo:
    """Elo as people were told it, moved by each vote when it was cast: also by one that was taken out later."""

    def __init__(self) -> None:
        self.models: dict[str, Revealed] = {}

    def take(self, vote: Any) -> None:
        """Take in a vote as a row, of those that were cast here, in their order."""
        models = (vote.left_model_id, vote.right_model_id)
        if vote.origin != "here" or not vote.rated or None in models:
            return
        left, right = (
            self.models.setdefault(model, Revealed(elo.INITIAL, 0, vote.created_at)) for model in models
        )
        if not vote.counted:
            return
        ratings = elo.update(left.rating, right.rating, SCORES[outcome_of(vote)])
        for side, rating in zip((left, right), ratings, strict=True):
            side.rating, side.votes, side.updated_at = rating, side.votes + 1, vote.created_at


class Looks:
    """Counted votes whose replies' features are known, as plain numbers: some fifty bytes for each."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.votes = array("i")
        """Left, right and outcome of each vote; models by their place."""
        self.features = array("f")
        """The left reply's features, then the right one's."""
        self.rows: dict[str, array[int]] = {}
        """By category: which votes are in it."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models by their place."""
        return tuple(self._places)

    def take(self, vote: Countable, style: Mapping[str, Any] | None) -> None:
        """Take in a vote, where it is counted and its style is known."""
        sides = [_features(style, side) for side in ("left", "right")] if style else []
        if vote.reason is not None or not sides or None in sides:
            return
        row = len(self.votes) // 3
        places = (self._places.setdefault(model, len(self._places)) for model in (vote.left, vote.right))
        self.votes.extend((*places, vote.outcome))
        for side in sides:
            self.features.extend(side or ())
        for category in vote.categories:
            self.rows.setdefault(category, array("i")).append(row)


def _features(style: Mapping[str, Any], side: str) -> tuple[float, ...] | None:
    """Return the features of one side in their order; None where one is missing."""
    try:
        found = msgspec.convert(style.get(side), dict[str, float])
        return tuple(found[name] for name in FEATURES)
    except (msgspec.ValidationError, KeyError):
        return None
