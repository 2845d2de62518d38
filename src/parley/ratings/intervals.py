"""Half widths of intervals: the ordinary ones, and bands that stay valid however often one looks."""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.scale import POINTS, Z95

TIGHT_AT = 20.0

Errors: TypeAlias = Callable[[Floats], Floats]
"""From variances, of ratings or of differences, to the half widths of their 95% intervals: a new array."""


def plain_errors(variance: Floats) -> Floats:
    """Return 1.95996 √V: right 95 times in 100 for one look, planned beforehand."""
    half = np.maximum(variance, 0.0)
    np.sqrt(half, out=half)
    half *= Z95
    return half


def anytime_errors(variance: Floats, *, alpha: float = 0.05, tight_at: float = TIGHT_AT) -> Floats:
    """Return half widths of a confidence sequence: with chance 1 − alpha the truth stays inside at all looks.

    The asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (arXiv 2103.06476, theorem 2.2), with
    information 1/V as its time: √(V (1 + ηV) ln((1 + 1/(ηV)) / alpha²)), where η fixes in advance for which ordinary
    interval, ± `tight_at` points, the band is tightest. Variances are in natural-log units.
    """
    eta = (Z95 * POINTS / tight_at) ** 2 / _tightest(alpha)
    variance = np.maximum(variance, 0.0)
    scaled = eta * variance
    with np.errstate(divide="ignore", invalid="ignore"):
        width = np.sqrt(variance * (1.0 + scaled) * (np.log1p(1.0 / scaled) - 2.0 * math.log(alpha)))
    return np.where(variance > 0.0, width, 0.0)


def _tightest(alpha: float) -> float:
    """Return v·ρ² at which the sequence is tightest for time v (their appendix B.1): −2 ln α + ln(1 − 2 ln α)."""
    double = -2.0 * math.log(alpha)
    return double + math.log(1.0 + double)
