"""Voter integrity: evidence, vote by vote, that a person's votes do not come from looking at the replies.

For each voter an e-process (Ville 1939; Shafer 2021): the likelihood of the votes under a mixture of patterns, divided
by their likelihood under the board that was fitted without the voter. How often an honest person calls a tie is not
known: both likelihoods are means over what it may be. For somebody whose every vote is drawn from what the board
expects of the pair, independently of the others, the chance of ever exceeding 100 is at most 1%, at any rate of ties
(measured by `make prove`). Real people have tastes that a board does not know, and are flagged more often: so a flag
is a reason to look, and takes no vote out.
"""

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.counts import Counts
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

ABOUT_MODELS: tuple[Pattern, ...] = ("pushes", "against")
HIGHEST_LOG = 600.0
ROOM = 8

TIE_LEVELS: Floats = np.linspace(-4.0, 4.0, 17)
"""What a person's own habit may add to the log-odds of a tie: an honest voter's rate is unknown."""

_HABITS: Floats = 1.0 / (1.0 + TIE_LEVELS**2 / 3.0) ** 2
_LOG_HABITS: Floats = np.log(_HABITS / _HABITS.sum())
"""A Student t prior with three degrees of freedom: also unusual habits are learnt after a few votes."""


class VoterReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a voter's votes look like."""

    voter: int
    votes: int
    """Votes that were taken as evidence."""
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
        self._rows: dict[int, int] = {}
        """The row in the arrays below of each model that was seen."""
        self._own: Floats = np.zeros((ROOM, len(TIE_LEVELS)))
        """The part of the log-likelihood under the board that is from battles of each model."""
        self._planned: Floats = np.zeros((ROOM, len(ABOUT_MODELS)))
        """Log-likelihood of those battles under pushing, and voting against, the model."""
        self._random = _LOG_HABITS.copy()
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
            row = self._row(model)
            self._own[row] += seen
            self._planned[row] += _hit(outcome == won), _hit(decided and outcome != won)
        self._random += np.log((1.0 - ties) * 0.5 if decided else ties)
        self._left += _hit(outcome == Outcome.WIN)
        self._ties += math.log(SLIP / 2 if decided else 1.0 - SLIP / 4)
        self.e_value = self._mixture()
        return self.e_value

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
        """Return log e-values [row of a model, pattern about models]: elsewhere such a voter follows the board."""
        seen = len(self._rows)
        elsewhere = _log_sums(self._null - self._own[:seen]) - _log_sums(self._null[None, :])
        return elsewhere[:, None] + self._planned[:seen]

    def _by_habit(self) -> dict[Pattern, float]:
        null, at_random = (float(_log_sums(it[None, :])[0]) for it in (self._null, self._random))
        return {"random": at_random - null, "always left": self._left - null, "tie spam": self._ties - null}


def examine_voters(votes: Votes, *, threshold: float = THRESHOLD) -> tuple[VoterReport, ...]:
    """Return a report of every voter with enough votes, in order of their numbers.

    Raises Invalid where the votes have no voters.
    """
    if votes.voter is None:
        raise Invalid("judge", "To examine voters, votes must say who voted: judge.")
    board = Board(votes.counts())
    order = np.argsort(votes.voter, kind="stable")
    voters, begins = np.unique(votes.voter[order], return_index=True)
    reports: list[VoterReport] = []
    for voter, places in zip(voters.tolist(), np.split(order, begins[1:]), strict=True):
        if voter != NOBODY and len(places) >= LEAST_VOTES:
            reports.append(examine_voter(votes.where(places), board, voter=voter, threshold=threshold))
    return tuple(reports)


def examine_voter(
    votes: Votes,
    board: Board,
    *,
    voter: int = NOBODY,
    own: Counts | None = None,
    least: int = 0,
    threshold: float = THRESHOLD,
) -> VoterReport:
    """Return the report of one voter, all of whose votes are in the board; `own` are all, where `votes` are the first.

    With `least`, only votes are evidence on models that others placed, with so many decided votes each: a board that
    is mostly the voter's own says nothing about the voter.
    """
    evidence = Evidence(len(votes.models))
    highest, after, pattern, model = 1.0, None, None, None
    for left, right, outcome, expected in _steps(votes, board, own, least):
        highest = max(highest, evidence.observe(left, right, outcome, expected))
        if after is None and highest > threshold:
            after = evidence.votes
            pattern, place = evidence.likeliest()
            model = None if place is None else votes.models[place]
    return VoterReport(
        voter=voter, votes=evidence.votes, e_value=highest, flagged_after=after, pattern=pattern, model=model
    )


def _steps(
    votes: Votes, board: Board, own: Counts | None, least: int
) -> Iterable[tuple[int, int, Outcome, tuple[float, float, float]]]:
    expected = board.without(votes, own)
    if least:
        known = board.knows(votes, least, own)
        votes, expected = votes.where(known), expected[known]
    lefts: list[int] = votes.left.tolist()
    rights: list[int] = votes.right.tolist()
    outcomes: list[int] = votes.outcome.tolist()
    rows: list[tuple[float, float, float]] = [tuple(row) for row in expected.tolist()]
    return zip(lefts, rights, map(Outcome, outcomes), rows, strict=True)


def _hit(hit: bool) -> float:
    """Return the log-likelihood of a vote under a plan that asks for one outcome."""
    return math.log(1.0 - SLIP if hit else SLIP / 2)


def _log_sums(values: Floats) -> Floats:
    """Return ln Σ exp of each row."""
    highest = values.max(axis=1, keepdims=True)
    return highest[:, 0] + np.log(np.exp(values - highest).sum(axis=1))
