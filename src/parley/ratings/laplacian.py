"""Matrices Σ w (e_i − e_j)(e_i − e_j)ᵀ over pairs of models, and how Newton's method solves with them."""

from functools import lru_cache

import numpy as np
from scipy.linalg import blas as scipy_blas
from scipy.linalg import lapack

from parley.ratings.arrays import Flags, Floats, Integers, sums

BLOCK = 512

HALVED_UP_TO = 1_500
"""Up to so many models a triangle is inverted by halves; beyond, the copies take too much memory."""

UNDIVIDED_UP_TO = 64
"""Up to so many models halving it would not be faster."""

DENSE = 8
"""A matrix with a pair in at least one of so many cells is summed by rows: that beats scattered pairs."""


class Laplacian:
    """The pattern of a Laplacian matrix: which pairs there are, each once with `first` < `second`."""

    def __init__(self, size: int, first: Integers, second: Integers) -> None:
        self.size = size
        self._first, self._second = first, second
        self._cells = first * size + second
        self._ones = np.ones(size)

    def upper(self, weights: Floats, *, fill: float = 0.0) -> Floats:
        """Return fill + Σ w (e_i − e_j)(e_i − e_j)ᵀ, of which only the upper triangle is right."""
        matrix = np.zeros((self.size, self.size))
        flat = matrix.reshape(-1)
        flat[self._cells] = -weights
        # BLAS sums faster, as a product with ones.
        flat[:: self.size + 1] = -(self._ones @ matrix + matrix @ self._ones)
        matrix += fill
        return matrix

    def divergence(self, flow: Floats) -> Floats:
        """Return Σ flow (e_i − e_j): `first` gets the flow of its pair and `second` loses it."""
        if DENSE * len(flow) >= self.size**2:
            matrix = np.zeros((self.size, self.size))
            matrix.reshape(-1)[self._cells] = flow
            return matrix @ self._ones - self._ones @ matrix
        got = sums(self._first, flow, self.size)
        got -= sums(self._second, flow, self.size)
        return got


def cholesky(upper: Floats) -> Floats:
    """Overwrite a matrix, of which only the upper triangle is read, with its Cholesky factor; return it.

    Raises LinAlgError where the matrix is not positive definite.
    """
    factor, info = lapack.dpotrf(upper.T, lower=1, clean=0, overwrite_a=1)
    if info != 0:
        raise np.linalg.LinAlgError("the information matrix is not positive definite")
    return factor


def solved(factor: Floats, vector: Floats) -> Floats:
    """Return A⁻¹·vector from A's Cholesky factor."""
    solution, _ = lapack.dpotrs(factor, vector, lower=1)
    return solution


def inverse(factor: Floats) -> Floats:
    """Return A⁻¹ in full from A's Cholesky factor, which is overwritten."""
    if len(factor) > HALVED_UP_TO:
        half, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    else:
        half, _ = lapack.dlauum(_triangle_inverse(factor), lower=1, overwrite_c=1)
    return symmetric(half.T)


def _triangle_inverse(lower: Floats) -> Floats:
    """Return the inverse of a lower triangle, what is above it being ignored: by halves, since products are faster."""
    size = len(lower)
    if size <= UNDIVIDED_UP_TO:
        inverted, _ = lapack.dtrtri(lower, lower=1)
        return inverted
    middle = size // 2
    inverse = np.empty((size, size), order="F")
    above, below = _triangle_inverse(lower[:middle, :middle]), _triangle_inverse(lower[middle:, middle:])
    mixed = scipy_blas.dtrmm(-1.0, below, lower[middle:, :middle], lower=1)
    inverse[:middle, :middle], inverse[middle:, middle:] = above, below
    inverse[middle:, :middle] = scipy_blas.dtrmm(1.0, above, mixed, side=1, lower=1, overwrite_b=1)
    return inverse


def between(inverse: Floats, meat: Floats) -> Floats:
    """Return A·B·A, A being symmetric with rows of sum zero and B given by its upper triangle, which is overwritten.

    With B + c·11ᵀ = C·Cᵀ it is (AC)(AC)ᵀ, which takes half the work of two products.
    """
    size = len(meat)
    lifted = meat + float(np.trace(meat)) / max(size, 1) ** 2
    factor, info = lapack.dpotrf(lifted.T, lower=1, clean=0, overwrite_a=1)
    if info != 0:
        return inverse @ symmetric(meat) @ inverse
    # With ten thousand models each matrix takes 800 MB, so free them early.
    del meat, lifted
    half = scipy_blas.dtrmm(1.0, factor, inverse.T, side=1, lower=1)
    del factor
    return symmetric(scipy_blas.dsyrk(1.0, half, lower=1).T)


@lru_cache(maxsize=4)
def _below_diagonal(size: int) -> Flags:
    return np.tri(size, k=-1, dtype=np.bool_)


def symmetric(upper: Floats) -> Floats:
    """Fill in the lower triangle of a symmetric matrix, in place; return it."""
    for begin in range(0, len(upper), BLOCK):
        end = begin + BLOCK
        upper[end:, begin:end] = upper[begin:end, end:].T
        square = upper[begin:end, begin:end]
        np.copyto(square, square.T.copy(), where=_below_diagonal(len(square)))
    return upper
