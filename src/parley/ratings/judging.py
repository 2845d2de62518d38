"""The trust that a judge deserves: its agreement with people, and its liking for a place and for length."""

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Floats, sums
from parley.ratings.influence import Clusters, Estimate

CHOICES = 3
"""Left, right, tie: the categories of agreement, in the order of Outcome; both bad is a tie."""

PSEUDO = 2.0
"""Observations that are added to those seen, so that a few that all agree do not make an interval a point."""

PRIOR_SD = 3.0
"""Standard deviation of the prior on the effect of a doubled length, in log odds: odds of twenty to one are usual."""

STEPS_MAX = 100
STEP_SMALL = 1e-10


class Agreement(msgspec.Struct, frozen=True):
    """The share of equal choices, and Cohen's kappa; null where chance alone would always agree."""

    share: Estimate
    kappa: Estimate | None


class LengthEffect(msgspec.Struct, frozen=True):
    """The change in the log odds of being preferred when an answer is twice as long as the other."""

    judge: Estimate
    people: Estimate
    difference: Estimate


def agreement(one: Codes, other: Codes, clusters: Clusters, weights: Floats | None = None) -> Agreement:
    """Return how far two series of choices (0 left, 1 right, 2 tie) agree. Raises Invalid without any."""
    weights = np.ones(len(one)) if weights is None else weights
    _check(one)
    return Agreement(
        share((one == other).astype(np.float64), clusters, weights), kappa(one, other, clusters, weights)
    )


def kappa(one: Codes, other: Codes, clusters: Clusters, weights: Floats) -> Estimate | None:
    """Return κ = (o − e) / (1 − e) (Cohen 1960), o being the share that agrees, e that expected by chance.

    The interval is that of the delta method (Fleiss, Cohen & Everitt 1969), with what each choice contributes summed by
    cluster, around the κ of the table with PSEUDO choices more, spread evenly over its cells.
    """
    cells = one.astype(np.int64) * CHOICES + other
    table = sums(cells, weights, CHOICES**2).reshape(CHOICES, CHOICES)
    seen, _ = _kappa(table)
    if seen is None:
        return None
    spread = PSEUDO / CHOICES**2
    fuller: Floats = table + spread
    centre, slopes = _kappa(fuller)
    influence = weights * slopes.reshape(-1)[cells] / fuller.sum()
    more = spread * float((slopes**2).sum()) / float(fuller.sum()) ** 2
    return clusters.estimate(seen, influence, (-1.0, 1.0), centre=centre, more=more)


def _kappa(table: Floats) -> tuple[float | None, Floats]:
    """Return κ of a table of counts, and by how much a choice in each cell moves it, times their number."""
    shares: Floats = table / table.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed, expected = float(np.trace(shares)), float(rows @ columns)
    if expected >= 1.0 - 1e-12:
        return None, np.zeros_like(shares)
    agrees: Floats = np.eye(len(shares)) - observed
    by_chance: Floats = columns[:, None] + rows[None, :] - 2.0 * expected
    slopes = (agrees * (1.0 - expected) - by_chance * (1.0 - observed)) / (1.0 - expected) ** 2
    return (observed - expected) / (1.0 - expected), slopes


def share(values: Floats, clusters: Clusters, weights: Floats | None = None) -> Estimate:
    """Return the mean of values from 0 to 1, with the interval of Agresti & Coull (1998) over clusters.

    PSEUDO values are added at each end. Raises Invalid without values.
    """
    return _bounded(values, clusters, (0.0, 1.0), ((0.0, PSEUDO), (1.0, PSEUDO)), weights)


def lean(values: Floats, clusters: Clusters) -> Estimate:
    """Return the mean of values from −1 to 1, with its interval; PSEUDO values are added (see ratings/rivals.py).

    Raises Invalid without values.
    """
    return _bounded(values, clusters, (-1.0, 1.0), ((-1.0, PSEUDO / 4), (1.0, PSEUDO / 4), (0.0, PSEUDO / 2)))


def _bounded(
    values: Floats,
    clusters: Clusters,
    bounds: tuple[float, float],
    added: tuple[tuple[float, float], ...],
    weights: Floats | None = None,
) -> Estimate:
    _check(values)
    weights = np.ones(len(values)) if weights is None else weights
    total = float(weights.sum()) + sum(weight for _, weight in added)
    centre = (float(weights @ values) + sum(weight * value for value, weight in added)) / total
    more = sum(weight * (value - centre) ** 2 for value, weight in added) / total**2
    influence: Floats = weights * (values - centre) / total
    mean = float(weights @ values / weights.sum())
    return clusters.estimate(mean, influence, bounds, centre=centre, more=more)


def length_effect(ratio: Floats, judge: Floats, people: Floats, clusters: Clusters) -> LengthEffect | None:
    """Return what a doubled length does to the judge's preferences, to people's, and to the one less the other.

    `ratio` is log2 of the left answer's length over the right one's; scores are the left answer's, from 0 to 1, a tie
    being half. logit P(left) = β · ratio, by maximum likelihood of the quasi-binomial (Papke & Wooldridge 1996) under a
    weak normal prior; sandwich intervals. Null where all answers are equally long.
    """
    if not len(ratio) or not np.any(ratio):
        return None
    (mine, moved, more), (theirs, shifted, also) = (_slope(ratio, scores) for scores in (judge, people))
    return LengthEffect(
        clusters.estimate(mine, moved, more=more),
        clusters.estimate(theirs, shifted, more=also),
        clusters.estimate(mine - theirs, moved - shifted, more=more + also),
    )


def _slope(ratio: Floats, scores: Floats) -> tuple[float, Floats, float]:
    """Return the slope, what each observation contributes to it, and the variance that the prior stands for."""
    beta, precision = 0.0, PRIOR_SD**-2
    for _ in range(STEPS_MAX):
        chance = 1.0 / (1.0 + np.exp(-beta * ratio))
        known = float(ratio**2 @ (chance * (1.0 - chance))) + precision
        step = (float(ratio @ (scores - chance)) - precision * beta) / known
        beta += max(-1.0, min(1.0, step))
        if abs(step) <= STEP_SMALL:
            break
    chance = 1.0 / (1.0 + np.exp(-beta * ratio))
    known = float(ratio**2 @ (chance * (1.0 - chance))) + precision
    return beta, ratio * (scores - chance) / known, precision / known**2


def _check(values: Codes | Floats) -> None:
    if not len(values):
        raise Invalid("votes", "There is no vote to compare a verdict with.", code="no_votes")
