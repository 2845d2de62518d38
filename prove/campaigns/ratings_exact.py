"""Ratings under attack: tables of every shape, each compared with its exact maximum."""

import math
import random

import msgspec
import numpy as np

from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.counts import Counts
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS
from prove.campaign import Batch, Tally

LIMIT = 1e-6


class Exactness:
    """Tables with any number of models and votes: sparse, lopsided, in pieces, all ties, all wins."""

    name = "ratings-exact"
    guarantee = (
        "Every table is within 1e-6 points of the exact maximum, and its intervals are "
        "finite, whatever its shape."
    )
    trials = 5_000
    batch = 500
    sample = 200

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, error=0.0)

    def control(self, batch: Batch) -> Tally:
        """One strength is off by a hundred-thousandth of a point."""
        return self._tally(batch, error=1e-5 / POINTS)

    def _tally(self, batch: Batch, *, error: float) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            counts = a_table(batch.chance(trial))
            fitted = fit(counts.pairs())
            moved = fitted.theta.copy()
            moved[0] += error
            off = POINTS * distance_to_maximum(counts, msgspec.structs.replace(fitted, theta=moved))
            tally.note("points", off)
            variance = np.diagonal(fitted.covariance)
            if not off <= LIMIT:
                tally.failures.append(
                    f"trial {trial}: {off:.2e} points from the maximum, {len(moved)} models"
                )
            if not (np.isfinite(variance).all() and (variance > -1e-9).all()):
                tally.failures.append(f"trial {trial}: a variance is {variance.min()}")
            tally.trials += 1
            batch.step()
        return tally

    def summary(self, tally: Tally) -> str:
        return f"at most {max(tally.figures['points'], default=math.nan):.1e} points from the maximum"


def a_table(chance: random.Random) -> Counts:
    """Make a table of a random shape."""
    size = chance.choice((2, 3, 5, 12, 40))
    counts = Counts(f"m{place}" for place in range(size))
    spread, ties = chance.choice((0.0, 0.5, 3.0)), chance.choice((0.0, 0.3, 1.0))
    theta = [chance.gauss(0.0, spread) for _ in range(size)]
    pieces = chance.choice((1, 1, 1, 2, 3))
    for _ in range(chance.choice((1, size, 4 * size, 40 * size))):
        one, other = chance.sample(range(size), 2)
        if one % pieces != other % pieces:
            continue
        won = chance.random() < 1.0 / (1.0 + math.exp(theta[other] - theta[one]))
        outcome = Outcome.WIN if won else Outcome.LOSS
        if chance.random() < ties:
            outcome = chance.choice((Outcome.TIE, Outcome.BOTH_BAD))
        counts.add(f"m{one}", f"m{other}", outcome, chance.choice((1, 1, 1, 100)))
    return counts


def distance_to_maximum(counts: Counts, fitted: Fit) -> float:
    """Return the length of a Newton step from the fit, computed from the counts vote by vote with dense matrices."""
    size = len(fitted.theta)
    gradient, information = np.zeros(size), np.zeros((size, size))
    for i, j in zip(*np.nonzero(counts.table.any(axis=2)), strict=True):
        win, loss, tie, bad = (int(number) for number in counts.table[i, j])
        votes = win + loss + tie + bad
        p = 1.0 / (1.0 + math.exp(fitted.theta[j] - fitted.theta[i]))
        pull = win + (tie + bad) / 2 - votes * p
        gradient[i] += pull
        gradient[j] -= pull
        information[[i, j], [i, j]] += votes * p * (1 - p)
        information[[i, j], [j, i]] -= votes * p * (1 - p)
    for place in np.flatnonzero(fitted.provisional):
        away = -fitted.prior.centre.copy()
        away[place] += 1.0
        gradient -= fitted.prior.precision * away * (away @ fitted.theta)
        information += fitted.prior.precision * np.outer(away, away)
    step = np.linalg.pinv(information, hermitian=True) @ gradient
    return float(np.ptp(step))


CAMPAIGNS = [Exactness()]
