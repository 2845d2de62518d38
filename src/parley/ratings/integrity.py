"""Voter integrity: evidence, vote by vote, that a person's votes do not come from looking at the replies.

For each voter an e-process (Ville 1939; Shafer 2021): the likelihood of the votes under a mixture of patterns, divided
by their likelihood under the board that was fitted without the voter. Whatever an honest person's rate of ties, the
chance that it ever exceeds 100 is at most 1%. Nothing is deleted: a vote gets a reason.
"""

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.left_out import Board
from parley.ratings.outcomes import Outcome
from parley.ratings.votes import NOBODY, Votes

Pattern: TypeAlias = Literal["pushes", "against", "random", "always left", "tie spam"]

THRESHOLD = 100.0
LEAST_VOTES = 5
SLIP = 0.03
"""How often somebody who follows a pattern does not."""

WEIGHTS: dict[Pattern, float] = {
    "pushes": 0.4,
    "against": 0.3,
    "random": 0.1,
    "always left": 0.1,
    "tie spam": 0.1,
}

TIE_LEVELS: Floats = np.linspace(-4.0, 4.0, 17)
"""What a person's own habit may add to the log-odds of a tie: an honest voter's rate is unknown."""

_HABITS: Floats = 1.0 / (1.0 + TIE_LEVELS**2 / 3.0) ** 2
_LOG_HABITS: Floats = np.log(_HABITS / _HABITS.sum())
"""A Student t prior with three degrees of freedom: also unusual habits are learnt after a few votes."""


class VoterReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a voter's votes look like."""

    voter: int
    votes: int
    e_value: float
    """The highest evidence there was at any time; above 100 the voter is flagged."""
    flagged_after: int | None
    """The number of votes after which it first exceeded 100."""
    pattern: Pattern | None
    """What the votes of a flagged voter look like most."""
    model: str | None
    """The model that is pushed, or voted against."""

    @property
    def flagged(self) -> bool:
        """Whether the evidence ever exceeded the threshold."""
        return self.flagged_after is not None


class Evidence:
    """The e-process of one voter. Feed it the votes in order, with what the board expects of each."""

    def __init__(self, models: int) -> None:
        self._models = models
        self._null = _LOG_HABITS.copy()
        """Log-likelihood under the board by tie level, prior included."""
        self._own: dict[int, Floats] = {}
        """The part of it that is from battles of a model."""
        self._pattern: dict[tuple[Pattern, int], float] = {}
        """Log-likelihood of those battles under pushing, or voting against, the model."""
        self._random = np.zeros_like(self._null)
        self._left = 0.0
        self._ties = 0.0
        self.votes = 0
        self.e_value = 1.0

    def observe(self, left: int, right: int, outcome: Outcome, expected: tuple[float, float, float]) -> float:
        """Take in a vote; return the e-value now. `expected` is a row of `Board.without`."""
        left_wins, right_wins, tie_log_odds = expected
        ties = 1.0 / (1.0 + np.exp(-(tie_log_odds + TIE_LEVELS)))
        decided = outcome in (Outcome.WIN, Outcome.LOSS)
        share = (left_wins if outcome == Outcome.WIN else right_wins) if decided else 1.0
        seen = np.log((1.0 - ties) * share if decided else ties)
        self.votes += 1
        self._null += seen
        for model, won in ((left, Outcome.WIN), (right, Outcome.LOSS)):
            self._own[model] = self._own.get(model, 0.0) + seen
            self._add("pushes", model, hit=outcome == won)
            self._add("against", model, hit=decided and outcome != won)
        self._random += np.log((1.0 - ties) * 0.5 if decided else ties)
        self._left += math.log(1.0 - SLIP if outcome == Outcome.WIN else SLIP / 2)
        self._ties += math.log(SLIP / 2 if decided else 1.0 - SLIP / 4)
        self.e_value = self._mixture()
        return self.e_value

    def likeliest(self) -> tuple[Pattern, int | None]:
        """Return the pattern that explains the votes best, and the model that it is about."""
        by_model, by_habit = self._by_model(), self._by_habit()
        about = max(by_model, key=lambda key: by_model[key])
        habit = max(by_habit, key=lambda key: by_habit[key])
        return about if by_model[about] >= by_habit[habit] else (habit, None)

    def _add(self, pattern: Pattern, model: int, *, hit: bool) -> None:
        likelihood = math.log(1.0 - SLIP if hit else SLIP / 2)
        self._pattern[pattern, model] = self._pattern.get((pattern, model), 0.0) + likelihood

    def _mixture(self) -> float:
        unseen = self._models - len(self._own)
        total = (WEIGHTS["pushes"] + WEIGHTS["against"]) * unseen / self._models
        for (pattern, _), value in self._by_model().items():
            total += WEIGHTS[pattern] / self._models * math.exp(min(value, 600.0))
        for pattern, value in self._by_habit().items():
            total += WEIGHTS[pattern] * math.exp(min(value, 600.0))
        return total

    def _by_model(self) -> dict[tuple[Pattern, int], float]:
        """Return log e-values of pushing and of voting against every model that was seen."""
        null = _log_sum(self._null)
        elsewhere = {model: _log_sum(self._null - own) - null for model, own in self._own.items()}
        return {key: elsewhere[key[1]] + value for key, value in self._pattern.items()}

    def _by_habit(self) -> dict[Pattern, float]:
        null = _log_sum(self._null)
        return {
            "random": _log_sum(self._random + _LOG_HABITS) - null,
            "always left": self._left - null,
            "tie spam": self._ties - null,
        }


def examine_voters(votes: Votes, *, threshold: float = THRESHOLD) -> tuple[VoterReport, ...]:
    """Return a report of every voter with enough votes, in order of their numbers.

    Raises Invalid where the votes have no voters.
    """
    if votes.voter is None:
        raise Invalid("judge", "To examine voters, votes must say who voted: judge.")
    board = Board(votes)
    order = np.argsort(votes.voter, kind="stable")
    voters, begins = np.unique(votes.voter[order], return_index=True)
    reports: list[VoterReport] = []
    for voter, places in zip(voters.tolist(), np.split(order, begins[1:]), strict=True):
        if voter != NOBODY and len(places) >= LEAST_VOTES:
            reports.append(_report(voter, votes.where(places), board, threshold))
    return tuple(reports)


def _report(voter: int, votes: Votes, board: Board, threshold: float) -> VoterReport:
    evidence = Evidence(len(votes.models))
    highest, after, pattern, model = 1.0, None, None, None
    for left, right, outcome, expected in _steps(votes, board):
        highest = max(highest, evidence.observe(left, right, outcome, expected))
        if after is None and highest > threshold:
            after = evidence.votes
            pattern, place = evidence.likeliest()
            model = None if place is None else votes.models[place]
    return VoterReport(
        voter=voter, votes=len(votes), e_value=highest, flagged_after=after, pattern=pattern, model=model
    )


def _steps(votes: Votes, board: Board) -> Iterable[tuple[int, int, Outcome, tuple[float, float, float]]]:
    expected = board.without(votes)
    lefts: list[int] = votes.left.tolist()
    rights: list[int] = votes.right.tolist()
    outcomes: list[int] = votes.outcome.tolist()
    rows: list[tuple[float, float, float]] = [tuple(row) for row in expected.tolist()]
    return zip(lefts, rights, map(Outcome, outcomes), rows, strict=True)


def _log_sum(values: Floats) -> float:
    highest = float(values.max())
    return highest + math.log(float(np.exp(values - highest).sum()))
