"""Voter integrity: evidence that a person's votes do not come from looking at the replies.

For each voter an e-value (Ville 1939; Shafer 2021): the likelihood of the votes under a mixture of plans, divided by
their likelihood under the baseline, a table fitted without the voter. Three things that honest people have are in the
baseline too, and both likelihoods are means over them: their own rate of ties, a taste for each model, of the size
that the crowd shows (`tastes`), and prompts that suit one model. A voter's votes on one prompt are one observation: the
geometric mean of their likelihood ratios, whose mean is at most one whatever they have in common (Hölder's inequality).

All that the ratio is made of is fixed before the voter's votes are seen: chances that sum to one for each vote, weights
that sum to at most one over the plans, and a table of the votes of others. Three things are not quite, and `make prove`
measures the false alarms with them: the voter is in the crowd that shows the size of tastes and how often each pair is
a tie, and was in the tables beside which flagged voters, whom the caller leaves out, were found.

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
"""The rates at which somebody with a plan may deviate from it, to one of the other outcomes at random."""

HONEST_SLIPS: Floats = np.array([0.05, 0.15])
"""The rates at which somebody with a plan about a model votes honestly instead; each is as likely as each of SLIPS."""

EVEN_SHARE = 0.5
"""The share of a pattern's weight that is spread evenly over the models; see `_Voter._chosen`."""

WEIGHTS: dict[Pattern, float] = {
    "pushes": 0.8,
    "against": 0.1,
    "always left": 0.025,
    "always right": 0.025,
    "tie spam": 0.05,
}

HIGHEST_LOG = 600.0

TIE_LEVELS: Floats = np.linspace(-4.0, 4.0, 17)
"""Additions to the log-odds of a tie by a person's own habit: an honest voter's rate is unknown."""

_HABITS: Floats = 1.0 / (1.0 + TIE_LEVELS**2 / 3.0) ** 2
_LOG_HABITS: Floats = np.log(_HABITS / _HABITS.sum())
"""A Student t prior with three degrees of freedom: also unusual habits are learnt after a few votes."""

_TASTES: Floats = np.linspace(-4.0, 4.0, 33)
_LOG_TASTES: Floats = -0.5 * _TASTES**2 - np.log(np.exp(-0.5 * _TASTES**2).sum())
"""A normal prior on a taste, in its standard deviations."""


class Flag(msgspec.Struct, frozen=True):
    """The evidence that a voter's votes are planned."""

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
    evidence = _examined(ballots, taste)
    if evidence is None or evidence.log_evidence <= math.log(THRESHOLD):
        return None
    model = None if evidence.model is None else ballots.votes.models[evidence.model]
    e_value = math.exp(min(evidence.log_evidence, HIGHEST_LOG))
    return Flag(e_value, evidence.pattern, model, len(ballots.votes), ballots.prompts)


def evidence_course(ballots: Ballots, taste: float, ends: Sequence[int]) -> list[float | None]:
    """Return the evidence of a voter's first `end` votes for each end, as log10 of the e-value.

    All are compared with the same baseline, that of all other voters' votes. None: fewer than LEAST_PROMPTS prompts.
    """
    evidence = (_examined(ballots.first(end), taste) for end in ends)
    return [None if it is None else it.log_evidence / math.log(10.0) for it in evidence]


def _examined(ballots: Ballots, taste: float) -> "_Plan | None":
    """Return the plan that explains the votes best, with the evidence of all plans together."""
    if ballots.prompts < LEAST_PROMPTS:
        return None
    plans = list(_Voter(ballots, taste).plans())
    log_e = float(_log_sum(np.array([plan.log_evidence for plan in plans])))
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
        self._habits = float(_log_sum(_LOG_HABITS + self._by_habit.sum(axis=1)))

    def plans(self) -> Iterator[_Plan]:
        """Yield the evidence for each plan. Whoever has a plan about a model is honest about all others."""
        yield from self._about_models()
        decided = self._decided
        yield _plan("always left", self._one_side(decided & self._left_won))
        yield _plan("always right", self._one_side(decided & ~self._left_won))
        yield _plan("tie spam", _planned(self._weight(~decided), self._weight(decided)) - self._habits)

    def _about_models(self) -> Iterator[_Plan]:
        votes, weight = self._ballots.votes, np.tile(self._ballots.weight, 2)
        sides = np.concatenate([votes.left, votes.right])
        order = np.argsort(sides, kind="stable")
        models, starts = np.unique(sides[order], return_index=True)

        def per_model(values: Floats) -> Floats:
            """Return the sums over a model's battles of a value for each vote's left side, then each right side."""
            return np.add.reduceat(values[..., order], starts, axis=-1)

        decided, won = np.tile(self._decided, 2), np.concatenate([self._left_won, ~self._left_won])
        lead = np.concatenate([self._ballots.lead, -self._ballots.lead])
        by_taste = _log_sum(_LOG_TASTES[:, None] + per_model(decided * weight * self._by_taste(lead, won)))
        battles = per_model(np.tile(self._by_habit, 2))
        elsewhere = _log_sum((_LOG_HABITS + self._by_habit.sum(axis=1))[:, None] - battles)
        honest = by_taste + self._habits - elsewhere
        tie = _chance(np.tile(self._ballots.tie, 2))
        wins, losses = (1.0 - tie) * _chance(lead), (1.0 - tie) * _chance(-lead)
        seen = np.where(decided, np.where(won, wins, losses), tie)
        plans: tuple[tuple[Pattern, Flags, Floats, float], ...] = (
            ("pushes", decided & won, wins, 1.0),
            ("against", decided & ~won, losses, -1.0),
        )
        for pattern, hit, aimed, sign in plans:
            by_slips = _by_slips(per_model(weight * hit), per_model(weight * ~hit))
            planned = np.concatenate([by_slips, per_model(weight * _by_honest_slips(hit, aimed, seen))])
            log_evidence = _log_sum(planned) - math.log(len(planned)) - honest + self._chosen(sign)[models]
            for model, evidence in zip(models.tolist(), log_evidence.tolist(), strict=True):
                yield _plan(pattern, evidence, model)

    def _chosen(self, sign: float) -> Floats:
        """Return by model the log of how likely a plan is about it.

        Who pushes a strong model, or votes against a weak one, differs least from an honest voter. So that they are
        not found much later than others, part of the weight goes by strength: chosen before the voter's votes are seen,
        it keeps the evidence an e-value.
        """
        strong = np.exp(sign * self._ballots.strength - (sign * self._ballots.strength).max())
        return np.log(EVEN_SHARE / len(strong) + (1.0 - EVEN_SHARE) * strong / strong.sum())

    def _one_side(self, hit: Flags) -> float:
        """Return the log evidence that decided votes go to one side by plan, and not by taste."""
        decided, weight = self._decided, self._ballots.weight[self._decided]
        by_taste = self._by_taste(self._ballots.lead[decided], self._left_won[decided]) @ weight
        planned = _planned(self._weight(hit), self._weight(decided & ~hit))
        return planned - float(_log_sum(_LOG_TASTES + by_taste))

    def _by_taste(self, lead: Floats, won: Flags) -> Floats:
        """Return [taste, vote]: the log-likelihood that the side with this lead won, or lost, if it is liked so much.

        The tastes are symmetric, so that the mean over them is the same for the other side.
        """
        liked = lead + self._taste * _TASTES[:, None]
        return -np.logaddexp(0.0, np.where(won, -liked, liked))

    def _weight(self, chosen: Flags) -> float:
        return float(self._ballots.weight[chosen].sum())


def _plan(pattern: Pattern, log_evidence: float, model: int | None = None) -> _Plan:
    return _Plan(log_evidence + math.log(WEIGHTS[pattern]), pattern, model)


def _planned(hits: float, misses: float) -> float:
    """Return the log-likelihood under a plan that asks for one outcome."""
    return float(_log_sum(_by_slips(np.array(hits), np.array(misses)))) - math.log(len(SLIPS))


def _by_slips(hits: Floats, misses: Floats) -> Floats:
    """Return [slips, ...] the log-likelihood under a plan with so many slips to any outcome."""
    return np.multiply.outer(np.log(1.0 - SLIPS), hits) + np.multiply.outer(np.log(SLIPS / 2.0), misses)


def _by_honest_slips(hit: Flags, aimed: Floats, seen: Floats) -> Floats:
    """Return [slips, vote] the log-likelihood under a plan with so many honest votes.

    `aimed` and `seen` are the chances that the baseline gives the outcome asked for, and the one that came.
    """
    often = HONEST_SLIPS[:, None]
    return np.where(hit, np.log1p(-often * (1.0 - aimed)), np.log(often * seen))


def _chance(log_odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-log_odds))


def _log_sum(values: Floats) -> Floats:
    """Return ln Σ exp over the first axis."""
    highest = values.max(axis=0)
    return highest + np.log(np.exp(values - highest).sum(axis=0))
