"""Matrices Σ w (e_i − e_j)(e_i − e_j)ᵀ over pairs of models, and what Newton's method asks of them."""

from functools import lru_cache

import numpy as np
from scipy.linalg import lapack

from parley.ratings.arrays import Flags, Floats, Integers, sums

BLOCK = 512


class Laplacian:
    """The pattern of a Laplacian matrix: which pairs there are, each once with `first` < `second`."""

    def __init__(self, size: int, first: Integers, second: Integers) -> None:
        self.size = size
        self._first, self._second = first, second
        self._cells = first * size + second

    def upper(self, weights: Floats, *, fill: float = 0.0) -> Floats:
        """Return fill + Σ w (e_i − e_j)(e_i − e_j)ᵀ, of which only the upper triangle is right."""
        matrix = np.zeros((self.size, self.size))
        flat = matrix.reshape(-1)
        flat[self._cells] = -weights
        flat[:: self.size + 1] = -(matrix.sum(axis=0) + matrix.sum(axis=1))
        matrix += fill
        return matrix

    def divergence(self, flow: Floats) -> Floats:
        """Return Σ flow (e_i − e_j): `first` gets the flow of its pair and `second` loses it."""
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
    """Return A⁻¹, symmetric and whole, from A's Cholesky factor, which is lost."""
    half, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
    return whole(half.T)


@lru_cache(maxsize=4)
def _below_diagonal(size: int) -> Flags:
    return np.tri(size, k=-1, dtype=np.bool_)


def whole(upper: Floats) -> Floats:
    """Fill in the lower triangle of a symmetric matrix, in place; return it."""
    for begin in range(0, len(upper), BLOCK):
        end = begin + BLOCK
        upper[end:, begin:end] = upper[begin:end, end:].T
        square = upper[begin:end, begin:end]
        np.copyto(square, square.T.copy(), where=_below_diagonal(len(square)))
    return upper
