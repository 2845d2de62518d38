"""Standings: the ratings table made from votes, best model first."""

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from parley.kernel.errors import Invalid, NotFound
from parley.ratings.arrays import Codes, Flags, Floats, Integers
from parley.ratings.bradley_terry import Fit
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.lines import Line, StyleEffect
from parley.ratings.outcomes import Outcome
from parley.ratings.ranks import rank_apart, rank_by_differences, rank_by_intervals
from parley.ratings.scale import DECIMALS, MEAN, POINTS
from parley.text.plain_words import did_you_mean


class Uncertainty(msgspec.Struct, frozen=True, eq=False):
    """The exact strengths behind the table, before rounding, by place in `models`."""

    models: tuple[str, ...]
    theta: Floats
    covariance: Floats


class Anchor(msgspec.Struct, frozen=True):
    """A model whose rating is fixed; the others move along, and intervals stay as wide as they are."""

    model: str
    value: float


class Standings(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The table, and what predictions about pairs need."""

    standings: tuple[Line, ...]
    votes: int
    method: str
    groups: int
    """Number of groups of models that were never compared with each other."""
    style: tuple[StyleEffect, ...] = ()
    """The effects of features of style, where they were held constant."""
    uncertainty: Uncertainty | None = None
    """None where the method gives no intervals."""

    def __getitem__(self, model: str) -> Line:
        """Return one model's line. Raises NotFound."""
        for line in self.standings:
            if line.model == model:
                return line
        raise NotFound(f"There is no model “{model}” among the votes.")

    def public(self, *, least_votes: int = 5) -> tuple[Line, ...]:
        """Return the lines of models with enough votes to be shown to everybody."""
        return tuple(line for line in self.standings if line.votes >= least_votes)


class Columns(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A method's estimates of each model, by place, in points and before rounding."""

    rating: Floats
    lower: Floats | None = None
    upper: Floats | None = None
    rank_ub: Integers
    rank: Integers
    provisional: Flags
    group: Codes


def standings_of(fit: Fit, *, anchor: Anchor | None = None, errors: HalfWidths = half_widths) -> Standings:
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
        rank_ub=rank_apart(fit.provisional, lambda them: rank_by_intervals(lower[them], upper[them])),
        rank=rank_apart(
            fit.provisional,
            lambda them: rank_by_differences(
                fit.theta[them],
                fit.covariance if them.all() else fit.covariance[np.ix_(them, them)],
                errors=errors,
            ),
        ),
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


def lines_of(models: Sequence[str], numbers: Integers, columns: Columns) -> tuple[Line, ...]:
    """Return a line for each model, best first, provisional ones last; `numbers[model, outcome]` are its votes."""
    totals = numbers.sum(axis=1)
    halves = numbers[:, Outcome.TIE] + numbers[:, Outcome.BOTH_BAD]
    rates = np.where(totals > 0, (numbers[:, Outcome.WIN] + 0.5 * halves) / np.maximum(totals, 1), 0.5)
    # By the rounded rating: the order of equal models must not depend on the last bits.
    rounded = (-np.round(columns.rating, DECIMALS)).tolist()
    keys = list(zip(columns.provisional.tolist(), rounded, models, strict=True))
    places = sorted(range(len(models)), key=keys.__getitem__)
    known = (columns.rank_ub, columns.rank, columns.provisional, columns.group, totals, rates)
    values = zip(
        [models[place] for place in places],
        *(_published(bound, places) for bound in (columns.rating, columns.lower, columns.upper)),
        *(column[places].tolist() for column in (*known, *(numbers[:, it] for it in Outcome))),
        strict=True,
    )
    return tuple(
        Line(
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
        for model, rating, lower, upper, rank_ub, rank, provisional, group, votes, rate, *counted in values
        for wins, losses, ties, both_bad in (counted,)
    )


def _published(values: Floats | None, places: Sequence[int]) -> list[Any]:
    return [None] * len(places) if values is None else np.round(values[places], DECIMALS).tolist()
