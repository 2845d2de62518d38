"""A classifier for attacks on blindness: ranks of features, ridge regression, cross-validated AUC."""

import math

import numpy as np

FOLDS = 5
RIDGE = 5.0


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """Return the area under the ROC curve (Mann and Whitney 1947); ties count half."""
    ranks = _ranks(scores)
    ones = int(labels.sum())
    zeros = len(labels) - ones
    if not ones or not zeros:
        return 0.5
    return float((ranks[labels == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def spread(count: int) -> float:
    """Return the standard error of an AUC that is 0.5 in truth, for so many balanced trials."""
    return math.sqrt((count + 1) / (3 * count * count)) if count else 0.5


def cross_validated(rows: list[list[float]], labels: list[int]) -> np.ndarray:
    """Return a score of every trial, by a classifier that has not seen it.

    Features become ranks of what the training folds saw, so that no outlier weighs more than another;
    their weights come from a ridge regression.
    """
    features, truth = np.nan_to_num(np.array(rows, float)), np.array(labels, float)
    scores = np.zeros(len(truth))
    for fold in range(FOLDS):
        held_out = np.arange(len(truth)) % FOLDS == fold
        train, test = _as_ranks(features[~held_out], features[held_out])
        gram = train.T @ train + RIDGE * np.eye(train.shape[1])
        weights = np.linalg.solve(gram, train.T @ (truth[~held_out] - truth[~held_out].mean()))
        scores[held_out] = test @ weights
    return scores


def _as_ranks(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both as ranks within the training set, from −1 to 1; equal values share a rank."""
    ordered = np.sort(train, axis=0)

    def ranks(values: np.ndarray) -> np.ndarray:
        columns = [
            np.searchsorted(ordered[:, index], values[:, index], "left")
            + np.searchsorted(ordered[:, index], values[:, index], "right")
            for index in range(values.shape[1])
        ]
        return np.stack(columns, axis=1) / len(train) - 1.0

    return ranks(train), ranks(test)


def _ranks(values: np.ndarray) -> np.ndarray:
    ordered = np.sort(values)
    return (np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1) / 2
