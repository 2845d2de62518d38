"""Half widths of intervals: the ordinary ones, and bands that stay valid however often one looks."""

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.scale import POINTS, Z95

ALPHA = 0.05
TIGHT_AT = 20.0
"""The half width in points of the ordinary interval at which a band is tightest."""

HalfWidths: TypeAlias = Callable[[Floats], Floats]
"""From variances, of ratings or of differences, to the half widths of their 95% intervals: a new array."""


def half_widths(variance: Floats) -> Floats:
    """Return 1.95996 √V: right 95 times in 100 for one look, planned beforehand."""
    half = np.maximum(variance, 0.0)
    np.sqrt(half, out=half)
    half *= Z95
    return half


def anytime_half_widths(variance: Floats) -> Floats:
    """Return half widths of a confidence sequence: with chance 1 − ALPHA the truth stays inside at all looks.

    The asymptotic sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (arXiv 2103.06476, theorem 2.2), with
    information 1/V as its time: √(V (1 + ηV) ln((1 + 1/(ηV)) / ALPHA²)). η places TIGHT_AT (their appendix B.1).
    """
    surprise = -2.0 * math.log(ALPHA)
    eta = (Z95 * POINTS / TIGHT_AT) ** 2 / (surprise + math.log(1.0 + surprise))
    variance = np.maximum(variance, 0.0)
    scaled = eta * variance
    with np.errstate(divide="ignore", invalid="ignore"):
        width = np.sqrt(variance * (1.0 + scaled) * (np.log1p(1.0 / scaled) + surprise))
    return np.where(variance > 0.0, width, 0.0)
