"""The four-outcome forecast: win, loss, tie and both bad, with terms of each model's own.

A multinomial logit in which the pair (i, j) has the utilities (theta_i − theta_j)/2 for a win, the opposite for a
loss, t_i + t_j for a tie (Davidson 1970 with a tie term per model) and b_i + b_j for both bad. Strengths here are on
the scale of decided votes, so they are further apart than Bradley-Terry's, where a tie is half a win.
"""

import msgspec
import numpy as np

from parley.kernel.errors import Invalid, NotFound
from parley.ratings import blas
from parley.ratings.arrays import Floats, sums
from parley.ratings.pairs import Pairs

OWN_SD = 0.5
"""Prior standard deviation of a model's own tie and both-bad terms around what all models share."""

STRENGTH_SD = 3.0
"""A wide prior on strengths: it decides only where votes leave a strength open."""

STEPS_MAX = 100
STEP_SMALL = 1e-7


class OutcomeChances(msgspec.Struct, frozen=True, kw_only=True):
    """The chances of one vote's four outcomes; their sum is one."""

    win: float
    loss: float
    tie: float
    both_bad: float


class Forecast(msgspec.Struct, frozen=True, eq=False):
    """A fitted forecast. Arrays are by place in `models`, in natural-log units."""

    models: tuple[str, ...]
    theta: Floats
    tie: Floats
    both_bad: Floats

    def chances(self, left: str, right: str) -> OutcomeChances:
        """Return what to expect where the two meet. Raises NotFound, or Invalid for a model against itself."""
        if left == right:
            raise Invalid("right", f"{left} cannot meet itself.")
        for model in (left, right):
            if model not in self.models:
                raise NotFound(f"There is no model “{model}” among the votes.")
        i, j = self.models.index(left), self.models.index(right)
        win, loss, tie, both_bad = self.matrix(np.array([i]), np.array([j]))[0].tolist()
        return OutcomeChances(win=win, loss=loss, tie=tie, both_bad=both_bad)

    def matrix(self, left: np.ndarray, right: np.ndarray) -> Floats:
        """Return [vote, outcome] chances for places of models on either side."""
        return _softmax(_utilities(np.concatenate([self.theta, self.tie, self.both_bad]), left, right))


def fit_forecast(pairs: Pairs) -> Forecast:
    """Fit by penalised maximum likelihood (Newton), the shared levels of ties and both bad being free.

    Raises Invalid without votes.
    """
    if not pairs.total:
        raise Invalid("votes", "There are no votes yet.", code="no_votes")
    size = len(pairs.models)
    counts = np.stack([pairs.wins, pairs.losses, pairs.ties, pairs.both_bad], axis=1).astype(np.float64)
    penalty = _penalty(size)
    point = np.zeros(3 * size)
    with blas.one_thread():
        for _ in range(STEPS_MAX):
            gradient, information = _derivatives(pairs, counts, point)
            step = np.linalg.solve(information + penalty, gradient - penalty @ point)
            longest = 4.0 * float(np.abs(step).max())
            point = point + (1.0 if longest <= 1.0 else np.log1p(longest) / longest) * step
            if np.abs(step).max() <= STEP_SMALL:
                theta, tie, both_bad = point.reshape(3, size)
                return Forecast(tuple(pairs.models), theta, tie, both_bad)
    raise ArithmeticError("Newton's method did not come to rest")


def _utilities(point: Floats, left: np.ndarray, right: np.ndarray) -> Floats:
    theta, tie, both_bad = point.reshape(3, -1)
    half = 0.5 * (theta[left] - theta[right])
    return np.stack([half, -half, tie[left] + tie[right], both_bad[left] + both_bad[right]], axis=1)


def _softmax(utilities: Floats) -> Floats:
    raised = np.exp(utilities - utilities.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _penalty(size: int) -> Floats:
    """Return the prior's precision: strengths around 0; own terms around their common mean, which is free."""
    around_mean = (np.eye(size) - 1.0 / size) / OWN_SD**2
    # A model's level is seen with others' only; this hardly held mean keeps a table without ties finite.
    around_mean += np.full((size, size), 1.0 / size**2) / 10.0**2
    matrix = np.zeros((3 * size, 3 * size))
    matrix[:size, :size] = np.eye(size) / STRENGTH_SD**2
    matrix[size : 2 * size, size : 2 * size] = around_mean
    matrix[2 * size :, 2 * size :] = around_mean
    return matrix


_SIGNS = np.array([[0.5, -0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""Signs of the first model's terms (strength, tie, both bad) in the utilities."""

_MIRROR = np.array([-1.0, 1.0, 1.0])
"""The second model's terms count alike, but its strength against."""


def _derivatives(pairs: Pairs, counts: Floats, point: Floats) -> tuple[Floats, Floats]:
    """Return the gradient and the information of the likelihood over (theta, tie, both bad)."""
    size = len(pairs.models)
    chance = _softmax(_utilities(point, pairs.first, pairs.second))
    votes = counts.sum(axis=1)
    slope = (counts - votes[:, None] * chance) @ _SIGNS.T
    gradient = np.concatenate(
        [
            sums(pairs.first, s, size) + m * sums(pairs.second, s, size)
            for s, m in zip(slope.T, _MIRROR, strict=True)
        ]
    )
    mean = chance @ _SIGNS.T
    bend = np.einsum("po,ao,bo->pab", chance, _SIGNS, _SIGNS) - mean[:, :, None] * mean[:, None, :]
    bend *= votes[:, None, None]
    information = np.block(
        [[_block(pairs, bend[:, a, b], _MIRROR[a], _MIRROR[b]) for b in range(3)] for a in range(3)]
    )
    return gradient, information


def _block(pairs: Pairs, bend: Floats, row_sign: float, column_sign: float) -> Floats:
    """Return Σ bend·(e_i + r·e_j)(e_i + c·e_j)ᵀ over the pairs."""
    size = len(pairs.models)
    block = np.diag(sums(pairs.first, bend, size) + row_sign * column_sign * sums(pairs.second, bend, size))
    block[pairs.first, pairs.second] = column_sign * bend
    block[pairs.second, pairs.first] = row_sign * bend
    return block
