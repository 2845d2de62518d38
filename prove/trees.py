"""A second classifier for attacks on blindness: boosted trees, which see what only several features together tell.

Gradient boosting on binned features (Friedman 2001): small trees, each on what the ones before it left.
"""

from collections.abc import Callable

import numpy as np

FOLDS = 5
BINS = 16
DEPTH = 3
TREES = 60
RATE = 0.08
LEAF = 30
RIDGE = 5.0

Rule = Callable[[np.ndarray], np.ndarray]
"""Tells a value for every row of binned features."""


def cross_validated(rows: list[list[float]], labels: list[int]) -> np.ndarray:
    """Return a score of every trial, by trees that have not seen it."""
    cells, truth = _binned(np.nan_to_num(np.array(rows, float))), np.array(labels, float)
    scores = np.zeros(len(truth))
    for fold in range(FOLDS):
        held_out = np.arange(len(truth)) % FOLDS == fold
        train, test = cells[~held_out], cells[held_out]
        left = truth[~held_out] - truth[~held_out].mean()
        for _ in range(TREES):
            rule = _grown(train, left, DEPTH)
            left = left - RATE * rule(train)
            scores[held_out] += RATE * rule(test)
    return scores


def _binned(features: np.ndarray) -> np.ndarray:
    """Return the number of each value's bin; the bins of column c begin at c × BINS."""
    shares = np.arange(1, BINS) / BINS
    columns = [
        np.searchsorted(np.unique(np.quantile(column, shares)), column, "right") for column in features.T
    ]
    return np.stack(columns, axis=1) + BINS * np.arange(features.shape[1])


def _grown(cells: np.ndarray, left: np.ndarray, depth: int) -> Rule:
    """Return a tree that tells what is left, of so many questions at most."""
    value = float(left.sum()) / (len(left) + RIDGE)
    cut = _best_cut(cells, left) if depth and len(left) >= 2 * LEAF else None
    if cut is None:
        return lambda asked: np.full(len(asked), value)
    column, bin_ = cut
    low = cells[:, column] <= bin_
    below, above = _grown(cells[low], left[low], depth - 1), _grown(cells[~low], left[~low], depth - 1)

    def rule(asked: np.ndarray) -> np.ndarray:
        found, low = np.zeros(len(asked)), asked[:, column] <= bin_
        found[low], found[~low] = below(asked[low]), above(asked[~low])
        return found

    return rule


def _best_cut(cells: np.ndarray, left: np.ndarray) -> tuple[int, int] | None:
    """Return the column and the last bin of the lower part, where both parts are large enough."""
    width = cells.shape[1]
    weights = np.repeat(left, width)
    below = np.bincount(cells.ravel(), minlength=width * BINS).reshape(width, BINS).cumsum(1)[:, :-1]
    sums = np.bincount(cells.ravel(), weights, width * BINS).reshape(width, BINS).cumsum(1)[:, :-1]
    above, rest = len(left) - below, left.sum() - sums
    gain = sums**2 / (below + RIDGE) + rest**2 / (above + RIDGE)
    gain[(below < LEAF) | (above < LEAF)] = -1.0
    column, cut = divmod(int(gain.argmax()), BINS - 1)
    return (column, column * BINS + cut) if gain[column, cut] > 0 else None
