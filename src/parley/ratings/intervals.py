"""Half widths of intervals: the ordinary ones, and bands that stay valid however often one looks."""

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.scale import POINTS, Z95

TUNED = ((20.0, 0.03), (80.0, 0.015), (320.0, 0.005))
"""Bands by the half width in points of the ordinary interval at which each is tightest, and its share of 5%.

One band alone would be 2.6 times as wide as the ordinary interval at ± 100 points, and 9 times at ± 400.
"""

HalfWidths: TypeAlias = Callable[[Floats], Floats]
"""From variances, of ratings or of differences, to the half widths of their 95% intervals: a new array."""


def half_widths(variance: Floats) -> Floats:
    """Return 1.95996 √V: right 95 times in 100 for one look, planned beforehand."""
    half = np.maximum(variance, 0.0)
    np.sqrt(half, out=half)
    half *= Z95
    return half


def anytime_half_widths(
    variance: Floats, tuned: Sequence[tuple[float, float]] = TUNED, *, unit: float = POINTS
) -> Floats:
    """Return half widths of a confidence sequence: with a chance of 95% the truth stays inside at all looks.

    The narrowest of the bands in `tuned`, whose half widths are in `unit`s of √V: all of them hold together with that
    chance. Each is the asymptotic sequence of
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (arXiv 2103.06476, theorem 2.2), with information 1/V as its time:
    √(V (1 + ηV) ln((1 + 1/(ηV)) / α²)). η places where it is tightest (their appendix B.1).
    """
    variance = np.maximum(variance, 0.0)
    narrowest = np.full_like(variance, np.inf)
    for tight_at, alpha in tuned:
        surprise = -2.0 * math.log(alpha)
        eta = (Z95 * unit / tight_at) ** 2 / (surprise + math.log(1.0 + surprise))
        scaled = eta * variance
        with np.errstate(divide="ignore", invalid="ignore"):
            width = np.sqrt(variance * (1.0 + scaled) * (np.log1p(1.0 / scaled) + surprise))
        np.minimum(narrowest, width, out=narrowest)
    return np.where(variance > 0.0, narrowest, 0.0)
