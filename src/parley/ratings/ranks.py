"""Ranks: by plain order, by intervals (LMArena's rule), by differences, which is sharper."""

from collections.abc import Callable

import numpy as np

from parley.ratings.arrays import Flags, Floats, Integers
from parley.ratings.intervals import HalfWidths, half_widths

CHUNK = 1 << 15
"""Differences that are looked at together: few enough to stay in a processor's cache."""

SAME = 1e-9
"""Below this a difference is rounding."""


def rank_apart(provisional: Flags, rank: Callable[[Flags], Integers]) -> Integers:
    """Return ranks that put every provisional model behind all others; `rank` ranks those that are chosen."""
    if not provisional.any():
        return rank(~provisional)
    ranks = np.empty(len(provisional), dtype=np.int64)
    ranks[~provisional] = rank(~provisional)
    ranks[provisional] = np.count_nonzero(~provisional) + rank(provisional)
    return ranks


def rank_by_order(rating: Floats) -> Integers:
    """Return 1 + the number of higher ratings; equal ratings share a rank."""
    return 1 + len(rating) - np.searchsorted(np.sort(rating), rating + SAME, side="right")


def rank_by_intervals(lower: Floats, upper: Floats) -> Integers:
    """Return 1 + the number of models whose lower bound is above one's own upper bound (Rank (UB))."""
    return 1 + len(lower) - np.searchsorted(np.sort(lower), upper + SAME, side="right")


def rank_by_differences(theta: Floats, covariance: Floats, *, errors: HalfWidths = half_widths) -> Integers:
    """Return 1 + the number of models that are surely better: the interval of theta_j − theta_i is above zero.

    The variance is V_ii + V_jj − 2 V_ij: two intervals may overlap where the difference is sure.
    """
    variance = np.ascontiguousarray(np.diagonal(covariance))
    rank = np.ones(len(theta), dtype=np.int64)
    many = max(CHUNK // max(len(theta), 1), 1)
    for begin in range(0, len(theta), many):
        rows = slice(begin, begin + many)
        spread = -2.0 * covariance[rows]
        spread += variance
        spread += variance[rows, None]
        surely = errors(spread)
        np.maximum(surely, SAME, out=surely)
        # theta_j − theta_i > surely
        surely += theta[rows, None]
        rank[rows] += np.count_nonzero(theta > surely, axis=1)
    return rank
