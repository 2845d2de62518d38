"""Ranks that respect uncertainty: by intervals (LMArena's rule) and, sharper, by differences."""

import numpy as np

from parley.ratings.arrays import Floats, Integers
from parley.ratings.intervals import Errors, plain_errors

CHUNK = 1_000
SAME = 1e-9
"""Below this a difference is rounding."""


def rank_by_intervals(lower: Floats, upper: Floats) -> Integers:
    """Return 1 + the number of models whose lower bound is above one's own upper bound (Rank (UB))."""
    return 1 + len(lower) - np.searchsorted(np.sort(lower), upper + SAME, side="right")


def rank_by_differences(theta: Floats, covariance: Floats, *, errors: Errors = plain_errors) -> Integers:
    """Return 1 + the number of models that are surely better: the interval of theta_j − theta_i is above zero.

    The variance is V_ii + V_jj − 2 V_ij: two intervals may overlap where the difference is sure.
    """
    variance = np.diagonal(covariance)
    rank = np.ones(len(theta), dtype=np.int64)
    for begin in range(0, len(theta), CHUNK):
        rows = slice(begin, begin + CHUNK)
        lead = theta[None, :] - theta[rows, None]
        spread = -2.0 * covariance[rows]
        spread += variance
        spread += variance[rows, None]
        rank[rows] += np.count_nonzero(lead > np.maximum(errors(spread), SAME), axis=1)
    return rank
