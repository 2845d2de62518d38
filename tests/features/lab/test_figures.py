"""The figures of a run: intervals that hold, exact tests, and the rows that are still needed."""

import numpy as np
import pytest

from parley.features.lab.runs.figures import Scores, difference_of, mean_of, sign_test
from prove.paired_intervals import Setting, simulate


def by_row(*scores: float) -> Scores:
    return {place: [score] for place, score in enumerate(scores)}


def test_the_paired_interval_holds_the_truth_95_times_in_100() -> None:
    """The positive control: an interval that takes every answer as independent is too narrow."""
    random = np.random.default_rng(7)
    runs = [simulate(Setting(rows=40, repeats=3, lift=0.1, graded=True), random) for _ in range(1000)]
    assert 0.93 < np.mean([run.difference for run in runs]) < 0.97
    assert 0.93 < np.mean([run.mean for run in runs]) < 0.97
    assert np.mean([run.independent for run in runs]) < 0.93


def test_rows_that_all_agree_are_no_certainty() -> None:
    same = difference_of(by_row(*[1.0] * 20), by_row(*[1.0] * 20))
    assert same.mean == 0
    assert same.low == pytest.approx(-0.0891, abs=0.001)
    assert same.high == pytest.approx(0.0891, abs=0.001)
    mean = mean_of(by_row(*[1.0] * 20))
    assert (mean.mean, mean.high) == (1, pytest.approx(1))
    assert mean.low == pytest.approx(0.8389, abs=0.001)


def test_one_row_has_no_interval() -> None:
    assert mean_of(by_row(0.5)).low is None
    assert difference_of(by_row(0), by_row(1)).low is None
    assert difference_of({}, by_row(1)).rows == 0


def test_repeats_of_a_row_are_one_row() -> None:
    once = mean_of({0: [1.0], 1: [0.0], 2: [1.0]})
    often = mean_of({0: [1.0] * 50, 1: [0.0] * 50, 2: [1.0] * 50})
    assert (often.low, often.high) == (once.low, once.high)
    assert (often.sd_repeats, once.sd_repeats) == (0, None)
    assert mean_of({0: [0.0, 1.0], 1: [0.0, 1.0]}).sd_repeats == pytest.approx(0.7071, abs=1e-3)


def test_the_exact_test_is_that_of_mcnemar() -> None:
    assert sign_test(0, 0) is None
    assert sign_test(9, 1) == pytest.approx(0.0215, abs=1e-4)
    assert sign_test(5, 5) == 1
    compared = difference_of(by_row(0, 0, 1, 1, 0), by_row(1, 1, 1, 0, 1))
    assert (compared.better, compared.worse) == (3, 1)
    assert compared.p == pytest.approx(0.625)


def test_a_small_difference_needs_more_rows() -> None:
    first = by_row(*[0.5, 0.6, 0.4, 0.5] * 10)
    small = difference_of(first, by_row(*[0.6, 0.55, 0.5, 0.45] * 10))
    large = difference_of(first, by_row(*[0.9, 0.8, 0.9, 0.7] * 10))
    assert small.rows_needed is not None
    assert large.rows_needed is not None
    assert small.rows_needed > 40 > large.rows_needed
