"""The figures of a run's columns, and of two of them compared row by row."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import NamedTuple

Scores = Mapping[int, Sequence[float]]
"""The scores of a column by the place of their row, one for each repeat."""

_POWER_Z, _LEVEL_Z = 0.8416, 1.96
"""Quantiles of a standard normal variable: a power of 0.8 at a level of 0.05."""


class Mean(NamedTuple):
    """A mean over rows with its 95% interval. `sd_repeats` is the spread over the repeats of a row."""

    rows: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    sd_rows: float | None = None
    sd_repeats: float | None = None


class Difference(NamedTuple):
    """The mean difference over shared rows, with its interval, and an exact test of the rows that differ."""

    rows: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    better: int = 0
    worse: int = 0
    p: float | None = None
    rows_needed: int | None = None


def mean_of(scores: Scores) -> Mean:
    """Return the mean with an interval clustered by row: repeats of a row are not independent."""
    means = [fmean(each) for each in scores.values() if each]
    if not means:
        return Mean(0)
    mean, bounds = fmean(means), _bounds(means)
    repeated = [_variance(each) for each in scores.values() if len(each) > 1]
    return Mean(
        rows=len(means),
        mean=mean,
        low=None if bounds is None else bounds[0],
        high=None if bounds is None else bounds[1],
        sd_rows=_spread(means) if len(means) > 1 else None,
        sd_repeats=math.sqrt(fmean(repeated)) if repeated else None,
    )


def difference_of(first: Scores, second: Scores) -> Difference:
    """Return the second column less the first, paired by row."""
    shared = [place for place in first if first[place] and second.get(place)]
    differences = [fmean(second[place]) - fmean(first[place]) for place in shared]
    if not differences:
        return Difference(0)
    mean, bounds = fmean(differences), _paired_bounds(differences)
    better = sum(each > 1e-9 for each in differences)
    worse = sum(each < -1e-9 for each in differences)
    return Difference(
        rows=len(differences),
        mean=mean,
        low=None if bounds is None else bounds[0],
        high=None if bounds is None else bounds[1],
        better=better,
        worse=worse,
        p=sign_test(better, worse),
        rows_needed=_needed(differences),
    )


def pooled(columns: Sequence[Scores]) -> Scores:
    """Return the scores of several columns as one: the mean of each row that all of them have."""
    places = sorted(columns[0]) if columns else []
    return {
        place: [fmean(fmean(column[place]) for column in columns)]
        for place in places
        if all(column.get(place) for column in columns)
    }


def sign_test(better: int, worse: int) -> float | None:
    """Return the exact two-sided p of so many rows better and worse (McNemar's for pass and fail)."""
    changed = better + worse
    if not changed:
        return None
    tail = sum(math.comb(changed, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**changed)


def _bounds(means: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95% interval of a mean of row means: Wilson's for pass and fail, else Student's."""
    count = len(means)
    if count < 2:
        return None
    if all(each in (0, 1) for each in means) or _spread(means) < 1e-12:
        share, spread = fmean(means), _LEVEL_Z**2 / count
        half = _LEVEL_Z * math.sqrt(share * (1 - share) / count + spread / (4 * count))
        low, high = ((share + spread / 2 + sign * half) / (1 + spread) for sign in (-1, 1))
    else:
        low, high = _student(means)
    return max(0.0, low), min(1.0, high)


def _paired_bounds(differences: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95% interval of a mean difference: Agresti and Min's (2005) for pass and fail, else Student's.

    Theirs adds half a row to each of the four ways in which two versions can pass and fail, so that rows which all
    agree do not look like certainty.
    """
    count = len(differences)
    if count < 2:
        return None
    if all(each in (-1, 0, 1) for each in differences) or _spread(differences) < 1e-12:
        better = sum(max(0.0, each) for each in differences) + 0.5
        worse = sum(max(0.0, -each) for each in differences) + 0.5
        mean = (better - worse) / (count + 2)
        half = _LEVEL_Z * math.sqrt((better + worse) / (count + 2) - mean**2) / math.sqrt(count + 2)
        low, high = mean - half, mean + half
    else:
        low, high = _student(differences)
    return max(-1.0, low), min(1.0, high)


def _variance(values: Sequence[float]) -> float:
    # The library's is exact in fractions, and twenty times as slow.
    mean = fmean(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


def _spread(values: Sequence[float]) -> float:
    return math.sqrt(_variance(values))


@cache
def _quantile(freedom: int) -> float:
    from scipy import stats

    return float(stats.t.ppf(0.975, freedom))


def _student(values: Sequence[float]) -> tuple[float, float]:
    mean = fmean(values)
    half = _quantile(len(values) - 1) * _spread(values) / math.sqrt(len(values))
    return mean - half, mean + half


def _needed(differences: Sequence[float]) -> int | None:
    """Return the rows that would settle a difference like this one, at 80% power; None if there is none."""
    if len(differences) < 2:
        return None
    mean, spread = fmean(differences), _spread(differences)
    if abs(mean) < 1e-9:
        return None
    return max(2, math.ceil(((_LEVEL_Z + _POWER_Z) * spread / mean) ** 2))
