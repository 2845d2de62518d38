"""The scale of scores: natural-log strengths become points, and standard errors become intervals."""

import math

POINTS = 400.0 / math.log(10.0)
"""Points per unit of natural-log strength: 400 points are odds of ten to one."""

MEAN = 1000.0
"""The mean of a table's scores, unless a named model is pinned to a value."""

Z95 = 1.959963984540054
"""The two-sided 95% point of the normal distribution."""

PRIOR_SD = 350.0
"""Standard deviation, in points, of the prior on models whose strength the votes leave open."""

DECIMALS = 4
"""Decimals of a published score."""


def normal_cdf(z: float) -> float:
    """Return the chance that a standard normal variable is at most `z`."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
