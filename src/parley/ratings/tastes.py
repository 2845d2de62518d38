"""Tastes: how far people differ from the table about single models, estimated from their votes."""

from collections.abc import Sequence

import numpy as np
from scipy.special import chdtr, chdtrc

from parley.ratings.arrays import Floats, sums
from parley.ratings.baseline import Ballots
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS

ASSUMED = 139.0 / POINTS
"""The size of tastes where too few votes show it, as a standard deviation in log-odds."""

LEAST_CELLS = 50
"""Pairs of a voter and a model that are needed for an estimate."""

LEAST_INFORMATION = 0.5
"""Of a voter about a model: two even prompts."""

CLIPPED = 4.0
"""Squared deviations above this count as this, so that a few who push a model do not widen what all may like."""

LARGEST = 3.0
STEPS = 30


def taste_size(voters: Sequence[Ballots]) -> float:
    """Return the standard deviation, in log-odds, of what a voter adds to a model's strength.

    Huber's proposal 2 (1964): the deviations r of each voter about each model, with information I, have the variance
    I + (taste² + v)·I², v being the table's own. Taste is what makes the mean of their clipped squares that of a
    normal distribution's.
    """
    cells = np.concatenate([np.zeros((0, 3)), *map(_cells, voters)])
    r, information, variance = cells[cells[:, 1] > LEAST_INFORMATION].T
    if len(r) < LEAST_CELLS:
        return ASSUMED
    weight = np.square(information / (1.0 + information))
    expected = float(chdtr(3.0, CLIPPED) + CLIPPED * chdtrc(1.0, CLIPPED))

    def excess(taste: float) -> float:
        spread = information + (taste * taste + variance) * np.square(information)
        return float(weight @ (np.minimum(r * r / spread, CLIPPED) - expected))

    low, high = 0.0, LARGEST
    if excess(low) <= 0.0:
        return low
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    return high


def _cells(voter: Ballots) -> Floats:
    """Return [model, (deviation, information, variance of the table)] of the models in a voter's decided votes."""
    decided = voter.votes.outcome < Outcome.TIE
    votes, lead = voter.votes.where(decided), voter.lead[decided]
    p = 1.0 / (1.0 + np.exp(-lead))
    residual = voter.weight[decided] * ((votes.outcome == Outcome.WIN) - p)
    information = voter.weight[decided] * p * (1.0 - p)
    size = len(votes.models)

    def both(values: Floats, sign: float) -> Floats:
        return sums(votes.left, values, size) + sign * sums(votes.right, values, size)

    informed = both(information, 1.0)
    doubt = both(information * voter.variance[decided], 1.0) / np.maximum(informed, 1e-300)
    return np.stack([both(residual, -1.0), informed, doubt], axis=1)
