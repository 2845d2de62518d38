"""Ranks that respect uncertainty: by intervals (LMArena's rule) and, sharper, by differences."""

import numpy as np

from parley.ratings.arrays import Floats, Integers
from parley.ratings.scale import Z95

CHUNK = 1_000
SAME = 1e-9
"""Below this a difference is rounding."""


def rank_by_intervals(lower: Floats, upper: Floats) -> Integers:
    """Return 1 + the number of models whose lower bound is above one's own upper bound (Rank (UB))."""
    return 1 + len(lower) - np.searchsorted(np.sort(lower), upper + SAME, side="right")


def rank_by_differences(theta: Floats, covariance: Floats, *, z: float = Z95) -> Integers:
    """Return 1 + the number of models that are significantly better: theta_j − theta_i > z·sd(theta_j − theta_i).

    The variance is V_ii + V_jj − 2 V_ij: two intervals may overlap where the difference is sure.
    """
    variance = np.diagonal(covariance)
    rank = np.ones(len(theta), dtype=np.int64)
    for begin in range(0, len(theta), CHUNK):
        rows = slice(begin, begin + CHUNK)
        lead = theta[None, :] - theta[rows, None]
        bar = -2.0 * covariance[rows]
        bar += variance
        bar += variance[rows, None]
        bar *= z * z
        above = lead > SAME
        lead *= lead
        above &= lead > bar
        rank[rows] += np.count_nonzero(above, axis=1)
    return rank
