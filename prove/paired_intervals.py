"""The coverage of intervals: two versions of known quality answer rows of known difficulty, again and again."""

from typing import NamedTuple

import numpy as np

from parley.features.lab.runs.figures import Scores, difference_of, mean_of


class Setting(NamedTuple):
    """Rows, repeats, the better version's lift, and if scores are pass and fail or in between."""

    rows: int
    repeats: int
    lift: float
    graded: bool = False


SETTINGS = tuple(
    Setting(rows, repeats, lift, graded)
    for rows in (30, 80, 200)
    for repeats in (1, 3)
    for lift in (0.0, 0.12)
    for graded in (False, True)
)


class Simulated(NamedTuple):
    """If the truth is in the interval of the difference, of a mean, and of a mean of answers taken as independent."""

    difference: bool
    mean: bool
    independent: bool


EASE = (2.0, 2.0, 0.8)
"""The chance that a row is answered well is beta distributed, times a factor."""
TRUE_MEAN = EASE[2] * EASE[0] / (EASE[0] + EASE[1])


def simulate(setting: Setting, random: np.random.Generator) -> Simulated:
    """Return what one run says of two versions, on rows that are drawn anew."""
    chance = random.beta(EASE[0], EASE[1], setting.rows) * EASE[2]
    first = answers(random, chance, setting)
    second = answers(random, chance + setting.lift, setting)
    difference, mean = difference_of(first, second), mean_of(first)
    return Simulated(
        (difference.low or 0) <= setting.lift <= (difference.high or 0),
        (mean.low or 0) <= TRUE_MEAN <= (mean.high or 0),
        _independent(first, TRUE_MEAN),
    )


def answers(random: np.random.Generator, chance: "np.ndarray", setting: Setting) -> Scores:
    """Return the scores of one version: pass and fail, or the mean of four such checks."""
    checks = 4 if setting.graded else 1
    drawn = random.binomial(checks, chance[:, None], (setting.rows, setting.repeats)) / checks
    return {place: list(map(float, each)) for place, each in enumerate(drawn)}


def _independent(scores: Scores, truth: float) -> bool:
    """Return if the naive interval of a mean, which takes every answer as independent, has the truth inside."""
    every = np.array([score for each in scores.values() for score in each])
    return bool(abs(every.mean() - truth) <= 1.96 * float(every.std(ddof=1)) / np.sqrt(every.size))
