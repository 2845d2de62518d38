"""Voter integrity: evidence, vote by vote, that a person's votes do not come from looking at the replies.

For each voter an e-process (Ville 1939; Shafer 2021): the likelihood of the votes under a mixture of patterns, divided
by their likelihood under the baseline, a table fitted without the voter. How often an honest person calls a tie is not
known: both likelihoods are means over what it may be. For somebody whose every vote is drawn from what the baseline
expects of the pair, independently of the others, the chance of ever exceeding 100 is at most 1%, at any rate of ties
(measured by `make prove`). Real people have tastes that no table knows, and are flagged more often: so a flag is a
reason to look, and excludes no vote.
"""

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.baseline import Baseline
from parley.ratings.counts import Counts
from parley.ratings.outcomes import Outcome
from parley.ratings.votes import Votes

Pattern: TypeAlias = Literal["pushes", "against", "random", "always left", "tie spam"]

THRESHOLD = 100.0
SLIP = 0.03
"""How often somebody who follows a pattern does not."""

WEIGHTS: dict[Pattern, float] = {
    "pushes": 0.4,
    "against": 0.3,
    "random": 0.1,
    "always left": 0.1,
    "tie spam": 0.1,
}

ABOUT_MODELS: tuple[Pattern, ...] = ("pushes", "against")
HIGHEST_LOG = 600.0
SPARE_ROWS = 8

TIE_LEVELS: Floats = np.linspace(-4.0, 4.0, 17)
"""What a person's own habit may add to the log-odds of a tie: an honest voter's rate is unknown."""

_HABITS: Floats = 1.0 / (1.0 + TIE_LEVELS**2 / 3.0) ** 2
_LOG_HABITS: Floats = np.log(_HABITS / _HABITS.sum())
"""A Student t prior with three degrees of freedom: also unusual habits are learnt after a few votes."""


class Flag(msgspec.Struct, frozen=True):
    """What makes a voter's votes look planned."""

    e_value: float
    """The highest evidence at any time."""
    after: int
    """The number of votes after which it first exceeded THRESHOLD, of those taken as evidence."""
    pattern: Pattern
    """What the votes looked like most by then."""
    model: str | None
    """The model that is pushed, or voted against."""


class Evidence:
    """The e-process of one voter, to be given the votes in order."""

    def __init__(self, models: int) -> None:
        self._models = models
        self._null = _LOG_HABITS.copy()
        """Log-likelihood under the baseline by tie level, prior included."""
        self._rows: dict[int, int] = {}
        """The row in the arrays below of each model that was seen."""
        self._own: Floats = np.zeros((SPARE_ROWS, len(TIE_LEVELS)))
        """The part of that log-likelihood that is from battles of each model."""
        self._planned: Floats = np.zeros((SPARE_ROWS, len(ABOUT_MODELS)))
        """Log-likelihood of those battles under pushing, and voting against, the model."""
        self._random = _LOG_HABITS.copy()
        self._left = 0.0
        self._ties = 0.0
        self.votes = 0

    def observe(self, left: int, right: int, outcome: Outcome, expected: Sequence[float]) -> float:
        """Add a vote; return the e-value now. `expected` is its row of `Baseline.without`."""
        left_wins, right_wins, tie_log_odds = expected
        ties = 1.0 / (1.0 + np.exp(-(tie_log_odds + TIE_LEVELS)))
        decided = outcome in (Outcome.WIN, Outcome.LOSS)
        share = (left_wins if outcome == Outcome.WIN else right_wins) if decided else 1.0
        seen = np.log((1.0 - ties) * share if decided else ties)
        self.votes += 1
        self._null += seen
        for model, won in ((left, Outcome.WIN), (right, Outcome.LOSS)):
            row = self._row(model)
            self._own[row] += seen
            self._planned[row] += _hit(outcome == won), _hit(decided and outcome != won)
        self._random += np.log((1.0 - ties) * 0.5 if decided else ties)
        self._left += _hit(outcome == Outcome.WIN)
        self._ties += math.log(SLIP / 2 if decided else 1.0 - SLIP / 4)
        return self._mixture()

    def likeliest(self) -> tuple[Pattern, int | None]:
        """Return the pattern that explains the votes best, and the model that it is about."""
        by_model, by_habit = self._by_model(), self._by_habit()
        row, column = divmod(int(np.argmax(by_model)), len(ABOUT_MODELS))
        habit = max(by_habit, key=lambda key: by_habit[key])
        if by_habit[habit] > float(by_model.max()):
            return habit, None
        return ABOUT_MODELS[column], next(model for model, place in self._rows.items() if place == row)

    def _row(self, model: int) -> int:
        row = self._rows.setdefault(model, len(self._rows))
        if row == len(self._own):
            self._own = np.concatenate([self._own, np.zeros_like(self._own)])
            self._planned = np.concatenate([self._planned, np.zeros_like(self._planned)])
        return row

    def _mixture(self) -> float:
        about = np.array([WEIGHTS[pattern] for pattern in ABOUT_MODELS]) / self._models
        total = float(about.sum()) * (self._models - len(self._rows))
        total += float((np.exp(np.minimum(self._by_model(), HIGHEST_LOG)) @ about).sum())
        for pattern, value in self._by_habit().items():
            total += WEIGHTS[pattern] * math.exp(min(value, HIGHEST_LOG))
        return total

    def _by_model(self) -> Floats:
        """Return log e-values [row of a model, pattern about models]; such a voter is honest about other models."""
        seen = len(self._rows)
        elsewhere = _log_sums(self._null - self._own[:seen]) - _log_sums(self._null[None, :])
        return elsewhere[:, None] + self._planned[:seen]

    def _by_habit(self) -> dict[Pattern, float]:
        null, at_random = (float(_log_sums(it[None, :])[0]) for it in (self._null, self._random))
        return {"random": at_random - null, "always left": self._left - null, "tie spam": self._ties - null}


def examine_voter(first: Votes, baseline: Baseline, own: Counts, least: int) -> Flag | None:
    """Return a flag for a voter whose evidence ever exceeded THRESHOLD.

    `first` are the voter's first votes and `own` counts all of them; the baseline includes them. Only votes on models
    with at least `least` decided votes of others are evidence: few others say nothing about the voter.
    """
    known = baseline.knows(first, own, least)
    expected = baseline.without(first, own)[known]
    votes = first.where(known)
    evidence, highest, found = Evidence(len(votes.models)), 1.0, None
    columns = (votes.left.tolist(), votes.right.tolist(), votes.outcome.tolist(), expected.tolist())
    for left, right, outcome, row in zip(*columns, strict=True):
        highest = max(highest, evidence.observe(left, right, Outcome(outcome), row))
        if found is None and highest > THRESHOLD:
            found = (evidence.votes, *evidence.likeliest())
    if found is None:
        return None
    after, pattern, place = found
    return Flag(highest, after, pattern, None if place is None else votes.models[place])


def _hit(hit: bool) -> float:
    """Return the log-likelihood of a vote under a plan that asks for one outcome."""
    return math.log(1.0 - SLIP if hit else SLIP / 2)


def _log_sums(values: Floats) -> Floats:
    """Return ln Σ exp of each row."""
    highest = values.max(axis=1, keepdims=True)
    return highest[:, 0] + np.log(np.exp(values - highest).sum(axis=1))
