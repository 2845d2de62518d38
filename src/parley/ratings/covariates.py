"""Bradley-Terry with covariates: logit P(left wins) = theta_left − theta_right + x·beta, fitted exactly.

Newton's method over all votes, in chunks that fit into the processor's cache; the covariance is the sandwich over theta
and beta together.
"""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from parley.kernel.errors import Invalid
from parley.ratings import blas, laplacian
from parley.ratings.arrays import Floats, Integers
from parley.ratings.laplacian import Laplacian
from parley.ratings.prior import Prior
from parley.ratings.scale import POINTS, PRIOR_SD

CHUNK = 1 << 15
SAMPLE = 200_000
TURNED = 4
KEYS_MAX = 1 << 24
STEPS_MAX = 50
STEP_SMALL = 1e-6
"""A Newton step below this leaves an error of its square."""

DISTINCT = 1e-9
"""The least share of its information, 1 − R², that the models and other covariates may leave a covariate.

A copy of another covariate is left about 1e-16, one with a millionth of noise 1e-12: rounding cannot decide. At 1e-9
the interval of an effect is 30,000 times as wide as it would be alone.
"""


class Rows(msgspec.Struct, frozen=True, eq=False):
    """Votes sorted by pair, seen from the side of the pair's first model. Build them with `sorted_rows`."""

    size: int
    """Number of models."""
    first: Integers
    second: Integers
    ends: Integers
    """The index at which each pair's rows end."""
    won: NDArray[np.float32]
    """The score of `first` in each row: 1, 0 or a half."""
    x: NDArray[np.float32]
    """[covariate, row]."""
    weight: NDArray[np.float32] | None = None
    """The votes that a row stands for; 1 without it."""


class CovariateFit(msgspec.Struct, frozen=True, eq=False):
    """Strengths with mean zero, and what one unit of each covariate adds to the log-odds."""

    theta: Floats
    beta: Floats
    information: Floats
    """H⁺ over (theta, beta)."""
    covariance: Floats
    """The sandwich over (theta, beta)."""


class _Moments(msgspec.Struct, frozen=True, eq=False):
    """Sums over votes at one point: of residuals (gradient), or of any weights (information and meat)."""

    pair: Floats
    pair_x: Floats
    """[covariate, pair]."""
    x: Floats


def sorted_rows(
    size: int,
    left: NDArray[np.integer],
    right: NDArray[np.integer],
    won: NDArray[np.floating],
    x: NDArray[np.floating],
) -> Rows:
    """Sort rows by pair and turn them to the pair's first model.

    `won` is what the left side got: 1, 0 or a half. `x` is [row, covariate], left against right.
    """
    met, order, ends = _grouped(_keys(size, left, right))
    columns = np.empty((x.shape[1], len(order)), dtype=np.float32)
    mine = np.empty(len(order), dtype=np.float32)
    # What must be fetched from all over memory is packed into a byte: that is what takes the time.
    state = (2.0 * won).astype(np.uint8) + np.uint8(TURNED) * (left > right)
    for begin in range(0, len(order), CHUNK):
        rows = order[begin : begin + CHUNK]
        packed = state[rows]
        turned = packed >= TURNED
        gained = (packed & (TURNED - 1)) * np.float32(0.5)
        mine[begin : begin + CHUNK] = np.where(turned, 1.0 - gained, gained)
        columns[:, begin : begin + CHUNK] = (
            x[rows] * np.where(turned, np.float32(-1), np.float32(1))[:, None]
        ).T
    return Rows(size, met // size, met % size, ends, mine, columns)


def _keys(size: int, left: NDArray[np.integer], right: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return a number for each row's pair, in half the memory where it fits."""
    wide = np.int64 if size * size > KEYS_MAX else np.int32
    keys = np.minimum(left, right).astype(wide, copy=False)
    keys *= size
    keys += np.maximum(left, right).astype(wide, copy=False)
    return keys


def _grouped(keys: NDArray[np.integer]) -> tuple[Integers, NDArray[np.integer], Integers]:
    """Return the distinct keys, an order of rows that brings equal keys together, and where each key's rows end."""
    met, place = np.unique(keys, return_inverse=True) if keys.max(initial=0) > KEYS_MAX else (None, keys)
    number = np.bincount(place)
    # To read a matrix with one entry per row column by column is a counting sort, much faster than argsort.
    ones, rows = np.ones(len(keys), dtype=np.int8), np.arange(len(keys) + 1, dtype=np.int32)
    order = csr_matrix((ones, place, rows), shape=(len(keys), len(number))).tocsc().indices
    present = np.flatnonzero(number)
    distinct = present if met is None else met
    return distinct.astype(np.int64), order, np.cumsum(number[present])


def fit_rows(rows: Rows, prior: Prior, *, start: Floats) -> CovariateFit:
    """Maximise the likelihood over (theta, beta), theta starting from `start`.

    Raises Invalid where votes do not determine the effects (dependent covariates, or ones that always win).
    """
    engine = _Engine(rows, prior)
    point = np.concatenate([start - start.mean(), np.zeros(len(rows.x))])
    with blas.one_thread():
        if len(rows.won) > 4 * SAMPLE:
            point[rows.size :] = _first_guess(rows, point)
        point, information = _newton(engine, point)
        meat = engine.meat(point)
        covariance = information @ meat @ information
    size = rows.size
    return CovariateFit(point[:size], point[size:], information, covariance)


def _first_guess(rows: Rows, point: Floats) -> Floats:
    """Return beta fitted to a part of the votes; a wide prior holds models that are rare there."""
    everyone = Prior.on(np.ones(rows.size, dtype=np.bool_), sd=4 * PRIOR_SD / POINTS)
    try:
        return _newton(_Engine(_thinned(rows), everyone), point)[0][rows.size :]
    except Invalid:
        return point[rows.size :]


def _newton(engine: "_Engine", point: Floats) -> tuple[Floats, Floats]:
    """Return the maximum and H⁺ there."""
    size = engine.size
    for _ in range(STEPS_MAX):
        gradient, matrix = engine.derivatives(point)
        alone = np.diagonal(matrix)[size:].copy()
        try:
            factor = laplacian.cholesky(matrix)
        except np.linalg.LinAlgError:
            break
        # The square of a pivot is what the rows before it leave of the diagonal.
        if not (np.square(np.diagonal(factor)[size:]) > DISTINCT * alone).all():
            break
        step = laplacian.solved(factor, gradient)
        # The logistic loss is self-concordant (Bach 2010): a step this short never overshoots.
        longest = engine.longest_change(step)
        point = point + (1.0 if longest <= 1.0 else np.log1p(longest) / longest) * step
        if np.abs(step).max(initial=0.0) <= STEP_SMALL:
            information = laplacian.inverse(factor)
            information[:size, :size] -= information[:size, :size].mean()
            point[:size] -= point[:size].mean()
            return point, information
    raise Invalid(
        "features",
        "The votes do not show what each feature does.",
        "Some features depend on each other, or one of them decides every vote.",
        code="features_undetermined",
    )


class _Engine:
    """Derivatives of the penalised log-likelihood, gathered chunk by chunk."""

    def __init__(self, rows: Rows, prior: Prior) -> None:
        self.size = rows.size
        self._rows, self._prior = rows, prior
        self._laplacian = Laplacian(rows.size, rows.first, rows.second)
        self._reach = np.maximum(rows.x.max(axis=1, initial=0.0), -rows.x.min(axis=1, initial=0.0))

    def longest_change(self, step: Floats) -> float:
        """Return a bound on how much a step changes any row's log-odds."""
        theta, beta = step[: self.size], step[self.size :]
        return float(np.ptp(theta) + np.abs(beta) @ self._reach)

    def derivatives(self, point: Floats) -> tuple[Floats, Floats]:
        """Return the gradient and the upper triangle of the information."""
        (slope, curvature) = self._gather(point, squares=False)
        gradient = np.concatenate([self._laplacian.divergence(slope.pair), slope.pair_x.sum(axis=1)])
        gradient[: self.size] -= self._prior.pull(point[: self.size])
        scale = max(float(curvature.pair.sum()), self._prior.precision) / self.size
        return gradient, self._matrix(curvature, fill=scale / self.size)

    def meat(self, point: Floats) -> Floats:
        """Return Σ (y − p)² zzᵀ over the votes, z being (e_left − e_right, x), and the prior's precision."""
        (_, squares) = self._gather(point, squares=True)
        return laplacian.symmetric(self._matrix(squares, fill=0.0))

    def _matrix(self, moments: _Moments, *, fill: float) -> Floats:
        size, width = self.size, self.size + len(moments.x)
        matrix = np.zeros((width, width))
        block = self._laplacian.upper(moments.pair, fill=fill)
        self._prior.add_to(block)
        matrix[:size, :size] = block
        for column, flow in enumerate(moments.pair_x):
            matrix[:size, size + column] = self._laplacian.divergence(flow)
        matrix[size:, size:] = moments.x
        return matrix

    def _gather(self, point: Floats, *, squares: bool) -> tuple[_Moments, _Moments]:
        """Return the moments of residuals, and those of p·q or, with `squares`, of squared residuals."""
        rows = self._rows
        theta, beta = point[: self.size], point[self.size :]
        lead = theta[rows.first] - theta[rows.second]
        width, pairs = len(beta), len(lead)
        slopes, bends = (
            _Moments(np.zeros(pairs), np.zeros((width, pairs)), np.zeros((width, width))) for _ in "12"
        )
        for pair, part, starts, lengths in _chunks(rows.ends):
            x = rows.x[:, part].astype(np.float64)
            p = 1.0 / (1.0 + np.exp(-(np.repeat(lead[pair], lengths) + beta @ x)))
            residual = rows.won[part] - p
            weight = residual * residual if squares else p * (1.0 - p)
            if rows.weight is not None:
                residual *= rows.weight[part]
                weight *= rows.weight[part]
            for moments, values in ((slopes, residual), (bends, weight)):
                moments.pair[pair] += np.add.reduceat(values, starts)
                weighted = x * values
                moments.pair_x[:, pair] += np.add.reduceat(weighted, starts, axis=1)
                if moments is bends:
                    moments.x[:] += weighted @ x.T
        return slopes, bends


def _chunks(ends: Integers) -> Iterator[tuple[slice, slice, Integers, Integers]]:
    """Yield runs of rows: the places of their pairs, the rows, where each pair's begin in the run, and how many.

    A pair with many rows is spread over several runs.
    """
    begins = ends - np.diff(ends, prepend=0)
    for begin in range(0, int(ends[-1]) if len(ends) else 0, CHUNK):
        until = min(begin + CHUNK, int(ends[-1]))
        pairs = slice(
            int(np.searchsorted(ends, begin, side="right")), int(np.searchsorted(begins, until, side="left"))
        )
        starts = np.maximum(begins[pairs], begin) - begin
        lengths = np.diff(starts, append=until - begin)
        yield pairs, slice(begin, until), starts, lengths


def _thinned(rows: Rows) -> Rows:
    """Return every n-th row, weighted up: a first guess for the fit of all."""
    every = len(rows.won) // SAMPLE
    chosen = np.arange(every // 2, len(rows.won), every)
    pair = np.searchsorted(rows.ends, chosen, side="right")
    number = np.bincount(pair, minlength=len(rows.ends))
    met = np.flatnonzero(number)
    weight = np.full(len(chosen), every, dtype=np.float32)
    return Rows(
        rows.size,
        rows.first[met],
        rows.second[met],
        np.cumsum(number[met]),
        rows.won[chosen],
        rows.x[:, chosen],
        weight,
    )
