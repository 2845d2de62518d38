"""Standings: the ratings table made from votes, best model first."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from parley.kernel.errors import Invalid, NotFound
from parley.ratings.arrays import Codes, Flags, Floats, Integers
from parley.ratings.bradley_terry import Fit
from parley.ratings.intervals import Errors, plain_errors
from parley.ratings.outcomes import Outcome
from parley.ratings.ranks import rank_by_differences, rank_by_intervals
from parley.ratings.scale import DECIMALS, MEAN, POINTS
from parley.text.plain_words import did_you_mean


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One model's line in the table. Ratings and bounds are points, rounded to 1e-4."""

    model: str
    rating: float
    ci_lower: float | None
    """Lower bound of the 95% interval; None where the method has none (Elo)."""
    ci_upper: float | None
    rank_ub: int
    """1 + the number of models whose lower bound is above this one's upper bound."""
    rank: int
    """1 + the number of models that are better with 95% certainty, judged by the difference itself."""
    votes: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    win_rate: float
    """Share of the model's votes that it won, ties and both bad being half; 0.5 without votes."""
    provisional: bool
    """Whether the votes leave its strength open (no win, no loss, or never compared with most): a prior holds it."""
    group: int
    """Only models of the same group are comparable; 0 is the group with the most votes."""


class Uncertainty(msgspec.Struct, frozen=True, eq=False):
    """The exact strengths behind the table, before rounding, by place in `models`."""

    models: tuple[str, ...]
    theta: Floats
    covariance: Floats


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature of style is worth, in points per standard deviation, with its 95% interval."""

    feature: str
    points: float
    ci_lower: float
    ci_upper: float


class Anchor(msgspec.Struct, frozen=True):
    """A model whose rating is fixed; the others move along, and intervals stay as wide as they are."""

    model: str
    value: float


class Standings(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The table, and what predictions about pairs need."""

    standings: tuple[Standing, ...]
    votes: int
    method: str
    groups: int
    """Number of groups of models that were never compared with each other."""
    style: tuple[Effect, ...] = ()
    """What features of style are worth, where they were held constant."""
    uncertainty: Uncertainty | None = None
    """None where the method gives no intervals."""

    def __getitem__(self, model: str) -> Standing:
        """Return one model's line. Raises NotFound."""
        for standing in self.standings:
            if standing.model == model:
                return standing
        raise NotFound(f"There is no model “{model}” among the votes.")

    def public(self, *, least_votes: int = 5) -> tuple[Standing, ...]:
        """Return the lines of models with enough votes to be shown to everybody."""
        return tuple(standing for standing in self.standings if standing.votes >= least_votes)


class Columns(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What a method found out of each model, by place, in points and before rounding."""

    rating: Floats
    lower: Floats | None = None
    upper: Floats | None = None
    rank_ub: Integers
    rank: Integers
    provisional: Flags
    group: Codes


def standings_of(fit: Fit, *, anchor: Anchor | None = None, errors: Errors = plain_errors) -> Standings:
    """Make the table of a Bradley-Terry fit.

    `errors` gives the half widths of intervals and of differences alike, in natural-log units.
    Raises Invalid where the anchor is not among the models.
    """
    models = tuple(fit.pairs.models)
    half = errors(np.diagonal(fit.covariance))
    rating = anchored(models, POINTS * fit.theta + MEAN, anchor)
    lower, upper = rating - POINTS * half, rating + POINTS * half
    columns = Columns(
        rating=rating,
        lower=lower,
        upper=upper,
        rank_ub=rank_by_intervals(lower, upper),
        rank=rank_by_differences(fit.theta, fit.covariance, errors=errors),
        provisional=fit.provisional,
        group=fit.group,
    )
    return Standings(
        standings=lines_of(models, fit.pairs.per_model(), columns),
        votes=fit.pairs.total,
        method="bradley-terry",
        groups=int(fit.group.max(initial=-1)) + 1,
        uncertainty=Uncertainty(models, fit.theta, fit.covariance),
    )


def anchored(models: Sequence[str], rating: Floats, anchor: Anchor | None) -> Floats:
    """Shift ratings so that the anchor has its value. Raises Invalid where it is not among the models."""
    if anchor is None:
        return rating
    if anchor.model not in models:
        near = did_you_mean(anchor.model, models)
        raise Invalid("anchor", f"The anchor “{anchor.model}” is not among the models{near}.")
    return rating + (anchor.value - rating[models.index(anchor.model)])


def lines_of(models: Sequence[str], numbers: Integers, columns: Columns) -> tuple[Standing, ...]:
    """Return a line for each model, best first; `numbers[model, outcome]` are its votes."""
    totals = numbers.sum(axis=1)
    halves = numbers[:, Outcome.TIE] + numbers[:, Outcome.BOTH_BAD]
    rates = np.where(totals > 0, (numbers[:, Outcome.WIN] + 0.5 * halves) / np.maximum(totals, 1), 0.5)
    # By what is shown: which of two equal models comes first must not hang on the last bits of either.
    keys = list(zip((-np.round(columns.rating, DECIMALS)).tolist(), models, strict=True))
    places = sorted(range(len(models)), key=keys.__getitem__)
    known = (columns.rank_ub, columns.rank, columns.provisional, columns.group, totals, rates)
    values = zip(
        [models[place] for place in places],
        *(_published(bound, places) for bound in (columns.rating, columns.lower, columns.upper)),
        *(column[places].tolist() for column in (*known, *(numbers[:, it] for it in Outcome))),
        strict=True,
    )
    return tuple(
        Standing(
            model=model,
            rating=rating,
            ci_lower=lower,
            ci_upper=upper,
            rank_ub=rank_ub,
            rank=rank,
            votes=votes,
            wins=wins,
            losses=losses,
            ties=ties,
            both_bad=both_bad,
            win_rate=rate,
            provisional=provisional,
            group=group,
        )
        for model, rating, lower, upper, rank_ub, rank, provisional, group, votes, rate, *told in values
        for wins, losses, ties, both_bad in (told,)
    )


def _published(values: Floats | None, places: Sequence[int]) -> list[Any]:
    return [None] * len(places) if values is None else np.round(values[places], DECIMALS).tolist()
