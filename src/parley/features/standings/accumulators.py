"""Accumulators: what votes come to when they are read one by one."""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from parley.features.standings.counts_delta import CountsDelta
from parley.features.standings.rated_votes import PendingVote, RatedVote, outcome_of, rated_vote
from parley.features.standings.snapshot import Snapshot, Times
from parley.ratings import elo
from parley.ratings.outcomes import SCORES
from parley.text.style import FEATURES

Ratings = dict[str, float]


class EloAndTimes:
    """Elo and vote times by category, which depend on the order of votes."""

    def __init__(
        self, elos: Mapping[str, Ratings] | None = None, times: Mapping[str, Times] | None = None
    ) -> None:
        """`elos` and `times` are those so far."""
        self._known_elos = elos or {}
        self._known_times = times or {}
        self.elos: dict[str, Ratings] = {}
        """Of the categories that changed."""
        self.times: dict[str, Times] = {}

    def add(self, vote: RatedVote) -> None:
        """Add the next vote; one that does not count changes nothing."""
        if vote.reason is not None:
            return
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


class VoteBatch:
    """Pending votes in their order, and what counting them changes; made in a thread."""

    def __init__(self, rows: Sequence[PendingVote], snapshot: Snapshot) -> None:
        from parley.features.standings.pair_counts import pair_delta

        self.number = len(rows)
        self.first_seq, self.last_seq = (rows[0].seq, rows[-1].seq) if rows else (0, 0)
        self.voters = Counter(row.voter_id for row in rows if row.voter_id is not None)
        self.delta = CountsDelta()
        self.order = EloAndTimes(snapshot.elos, snapshot.times)
        for row in rows:
            self.delta.add_replies(row.result)
            if (vote := rated_vote(row)) is not None:
                self.delta.add(vote)
                self.order.add(vote)
        self.rows = self.delta.rows()
        self.pairs = pair_delta(self.rows.pairs)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories whose counts change."""
        return tuple(dict.fromkeys(category for category, _ in self.pairs))

    def is_late(self, counted_up_to: int) -> bool:
        """Return whether later votes were counted before one of these."""
        return bool(self.number) and self.first_seq < counted_up_to


class RevealedRating(msgspec.Struct):
    """A model's Elo as last revealed, after so many votes."""

    rating: float
    votes: int
    updated_at: datetime


class RevealedElo:
    """Elo as voters saw it, updated by each vote when cast, even if excluded later.

    Only a vote that was withdrawn is taken out again, at the place where its voter took it back.
    """

    def __init__(self, withdrawn: Mapping[int, int]) -> None:
        """`withdrawn` maps each withdrawn vote to the last vote that was cast before its withdrawal, by `seq`."""
        self._withdrawn = withdrawn
        self._models: dict[str, RevealedRating] = {}
        self._due: list[tuple[int, RevealedRating, RevealedRating, float]] = []

    @property
    def models(self) -> dict[str, RevealedRating]:
        """Each model's Elo after all votes so far and all withdrawals."""
        self._take_back(None)
        return self._models

    def add(self, vote: Any) -> None:
        """Add the next vote, a row; one that was not cast here changes nothing."""
        models = (vote.left_model_id, vote.right_model_id)
        if vote.origin != "here" or not vote.rated or None in models:
            return
        self._take_back(vote.seq)
        left, right = (
            self._models.setdefault(model, RevealedRating(elo.INITIAL, 0, vote.created_at))
            for model in models
        )
        if not vote.counted:
            return
        before = left.rating
        ratings = elo.update(left.rating, right.rating, SCORES[outcome_of(vote)])
        for side, rating in zip((left, right), ratings, strict=True):
            side.rating, side.votes, side.updated_at = rating, side.votes + 1, vote.created_at
        if (last := self._withdrawn.get(vote.seq)) is not None:
            self._due.append((last, left, right, left.rating - before))

    def _take_back(self, before_seq: int | None) -> None:
        """Apply the withdrawals that came before a vote was cast; None for all."""
        if not self._due:
            return
        for last, left, right, gain in self._due:
            if before_seq is None or last < before_seq:
                left.rating, right.rating = left.rating - gain, right.rating + gain
                left.votes, right.votes = left.votes - 1, right.votes - 1
        self._due = [it for it in self._due if before_seq is not None and it[0] >= before_seq]


class StyleVotes:
    """Counted votes whose replies' style is known, in some fifty bytes each."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.votes = array("i")
        """Left, right and outcome of each vote; models by their place."""
        self.features = array("f")
        """The left reply's features, then the right one's."""
        self.rows: dict[str, array[int]] = {}
        """The votes in each category."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models by their place."""
        return tuple(self._places)

    def add(self, vote: RatedVote, style: Mapping[str, Any] | None) -> None:
        """Add a vote, if it counts and its style is known."""
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


class CrowdVotes:
    """Counted votes with who cast them and when, in some forty bytes each."""

    def __init__(self) -> None:
        self._models: dict[str, int] = {}
        self._voters: dict[str, int] = {}
        self.votes = array("i")
        """Left, right, outcome and voter of each vote; models and voters by their place."""
        self.chances = array("d")
        """The probability that the vote's pair was drawn; NaN where it is unknown."""
        self.times = array("q")
        """When each was cast, in whole seconds since 1970."""
        self.rows: dict[str, array[int]] = {}
        """The votes in each category."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models by their place."""
        return tuple(self._models)

    def add(self, vote: RatedVote, voter_id: str, propensity: float | None) -> None:
        """Add a vote, if it counts."""
        if vote.reason is not None:
            return
        row = len(self.votes) // 4
        models = (self._models.setdefault(model, len(self._models)) for model in (vote.left, vote.right))
        self.votes.extend((*models, vote.outcome, self._voters.setdefault(voter_id, len(self._voters))))
        self.chances.append(math.nan if propensity is None else propensity)
        self.times.append(int(vote.at.timestamp()))
        for category in vote.categories:
            self.rows.setdefault(category, array("i")).append(row)


class VoteTotals:
    """Everything that processed votes come to: counts, Elo and times, style, and the crowd."""

    def __init__(self) -> None:
        self.counts, self.order = CountsDelta(), EloAndTimes()
        self.style, self.crowd = StyleVotes(), CrowdVotes()

    def add(self, row: Any) -> None:
        """Add the next vote, given as columns."""
        if (vote := rated_vote(row)) is not None:
            self.counts.add(vote)
            self.order.add(vote)
            self.style.add(vote, row.style)
            self.crowd.add(vote, row.voter_id, row.propensity)


def _features(style: Mapping[str, Any], side: str) -> tuple[float, ...] | None:
    """Return the features of one side in their order; None where one is missing."""
    try:
        features = msgspec.convert(style.get(side), dict[str, float])
        return tuple(features[name] for name in FEATURES)
    except (msgspec.ValidationError, KeyError):
        return None
