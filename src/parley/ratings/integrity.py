"""Voter integrity: evidence that a person's votes do not come from looking at the replies.

For each voter an e-value (Ville 1939; Shafer 2021): the likelihood of the votes under a mixture of plans, divided by
their likelihood under the baseline, a table fitted without the voter. Three things that honest people have are in the
baseline too, and both likelihoods are means over them: their own rate of ties, a taste for each model, of the size
that the crowd shows (`tastes`), and prompts that suit one model. A voter's votes on one prompt are one observation: the
geometric mean of their likelihood ratios, whose mean is at most one whatever they have in common (Hölder's inequality).

The evidence is that of all votes so far: it falls when a voter votes like everybody else again.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from parley.ratings.arrays import Flags, Floats
from parley.ratings.baseline import Ballots
from parley.ratings.outcomes import Outcome

Pattern: TypeAlias = Literal["pushes", "against", "always left", "always right", "tie spam"]

THRESHOLD = 100.0

LEAST_PROMPTS = 10
"""Distinct prompts that a voter needs: on fewer, one prompt that suits a model looks like a plan."""

SLIPS: Floats = np.array([0.03, 0.1])
"""How often somebody who follows a plan may not; equally likely."""

WEIGHTS: dict[Pattern, float] = {
    "pushes": 0.8,
    "against": 0.1,
    "always left": 0.025,
    "always right": 0.025,
    "tie spam": 0.05,
}

HIGHEST_LOG = 600.0

TIE_LEVELS: Floats = np.linspace(-4.0, 4.0, 17)
"""What a person's own habit may add to the log-odds of a tie: an honest voter's rate is unknown."""

_HABITS: Floats = 1.0 / (1.0 + TIE_LEVELS**2 / 3.0) ** 2
_LOG_HABITS: Floats = np.log(_HABITS / _HABITS.sum())
"""A Student t prior with three degrees of freedom: also unusual habits are learnt after a few votes."""

_TASTES: Floats = np.linspace(-4.0, 4.0, 33)
_LOG_TASTES: Floats = -0.5 * _TASTES**2 - np.log(np.exp(-0.5 * _TASTES**2).sum())
"""A normal prior on a taste, in its standard deviations."""


class Flag(msgspec.Struct, frozen=True):
    """What makes a voter's votes look planned."""

    e_value: float
    """The evidence of all votes."""
    pattern: Pattern
    """The plan that explains the votes best."""
    model: str | None
    """The model that is pushed, or voted against."""
    votes: int
    """Votes that are evidence."""
    prompts: int
    """Distinct prompts among them."""


class _Plan(NamedTuple):
    log_evidence: float
    """Its weight included."""
    pattern: Pattern
    model: int | None


def examine_voter(ballots: Ballots, taste: float) -> Flag | None:
    """Return a flag for a voter whose evidence exceeds THRESHOLD; `taste` is what `taste_size` finds in the crowd."""
    found = _examined(ballots, taste)
    if found is None or found.log_evidence <= math.log(THRESHOLD):
        return None
    model = None if found.model is None else ballots.votes.models[found.model]
    e_value = math.exp(min(found.log_evidence, HIGHEST_LOG))
    return Flag(e_value, found.pattern, model, len(ballots.votes), ballots.prompts)


def evidence_course(ballots: Ballots, taste: float, ends: Sequence[int]) -> list[float | None]:
    """Return the evidence of a voter's first `end` votes for each end, as log10 of the e-value.

    All are compared with the same baseline, that of all other voters' votes. None: fewer than LEAST_PROMPTS prompts.
    """
    found = (_examined(ballots.first(end), taste) for end in ends)
    return [None if it is None else it.log_evidence / math.log(10.0) for it in found]


def _examined(ballots: Ballots, taste: float) -> "_Plan | None":
    """Return the plan that explains the votes best, with the evidence of all plans together."""
    if ballots.prompts < LEAST_PROMPTS:
        return None
    plans = list(_Voter(ballots, taste).plans())
    log_e = _log_sum(np.array([plan.log_evidence for plan in plans]))
    return max(plans, key=lambda plan: plan.log_evidence)._replace(log_evidence=log_e)


class _Voter:
    """Log-likelihoods of one voter's votes."""

    def __init__(self, ballots: Ballots, taste: float) -> None:
        self._ballots, self._taste = ballots, taste
        self._decided: Flags = ballots.votes.outcome < Outcome.TIE
        self._left_won: Flags = ballots.votes.outcome == Outcome.WIN
        ties = ballots.tie + TIE_LEVELS[:, None]
        sign = np.where(self._decided, 1.0, -1.0)
        self._by_habit: Floats = -ballots.weight * np.logaddexp(0.0, sign * ties)
        """[habit, vote]: of being decided, or a tie."""
        self._habits = self._tied(np.ones_like(self._decided))

    def plans(self) -> Iterator[_Plan]:
        """Yield the evidence for each plan. Whoever has a plan about a model is honest about all others."""
        votes, decided = self._ballots.votes, self._decided
        for model in np.unique(np.concatenate([votes.left, votes.right])).tolist():
            on_left = votes.left == model
            battles = on_left | (votes.right == model)
            elsewhere = self._tied(~battles) - self._habits - math.log(len(votes.models))
            yield _plan("pushes", self._follows(battles, on_left) + elsewhere, model)
            yield _plan("against", self._follows(battles, ~on_left) + elsewhere, model)
        yield _plan("always left", self._follows(decided, np.ones_like(decided)))
        yield _plan("always right", self._follows(decided, np.zeros_like(decided)))
        yield _plan("tie spam", _planned(self._weight(~decided), self._weight(decided)) - self._habits)

    def _follows(self, asked: Flags, for_left: Flags) -> float:
        """Return the log evidence that these votes go one way by plan, and not by taste."""
        hit = self._decided & (self._left_won == for_left)
        decided = asked & self._decided
        way = np.where(for_left, 1.0, -1.0)[decided]
        liked = way * self._ballots.lead[decided] + self._taste * _TASTES[:, None]
        came = np.where(hit[decided], 1.0, -1.0)
        by_taste = -np.logaddexp(0.0, -came * liked) @ self._ballots.weight[decided]
        planned = _planned(self._weight(asked & hit), self._weight(asked & ~hit))
        return planned - _log_sum(_LOG_TASTES + by_taste)

    def _tied(self, chosen: Flags) -> float:
        """Return the log-likelihood of which of these votes are ties, whatever the voter's habit."""
        return _log_sum(_LOG_HABITS + self._by_habit[:, chosen].sum(axis=1))

    def _weight(self, chosen: Flags) -> float:
        return float(self._ballots.weight[chosen].sum())


def _plan(pattern: Pattern, log_evidence: float, model: int | None = None) -> _Plan:
    return _Plan(log_evidence + math.log(WEIGHTS[pattern]), pattern, model)


def _planned(hits: float, misses: float) -> float:
    """Return the log-likelihood under a plan that asks for one outcome."""
    by_slips = hits * np.log(1.0 - SLIPS) + misses * np.log(SLIPS / 2.0)
    return _log_sum(by_slips) - math.log(len(SLIPS))


def _log_sum(values: Floats) -> float:
    """Return ln Σ exp."""
    highest = float(values.max())
    return highest + math.log(float(np.exp(values - highest).sum()))
