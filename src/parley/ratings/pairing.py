"""Which two models meet next: chances of every pair, and a draw that tells its propensity."""

from random import Random

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats

UNIFORM_SHARE = 0.1
"""The least part of all draws that is equal, whatever the strategy: every pair keeps a known chance."""


class Draw(msgspec.Struct, frozen=True):
    """A drawn pair, by place in the list of models."""

    left: int
    right: int
    propensity: float
    """The chance of this pair, whichever side: stored with the vote, so that it can be weighted later."""


def weighted_pairs(weights: Floats) -> Floats:
    """Return the chances, [i, j] for i < j, when two different models are drawn by weight: in proportion to w_i·w_j.

    Equal weights make all pairs equal; a model that is down has weight 0. Raises Invalid for negative weights, and
    where fewer than two models can play.
    """
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise Invalid("weights", "Weights of models must be finite and not negative.")
    return _chances(weights[:, None] * weights[None, :])


def informative_pairs(
    information: Floats, theta: Floats, weights: Floats, *, uniform: float = UNIFORM_SHARE
) -> Floats:
    """Return the chances, [i, j] for i < j, by how much a vote narrows the table, mixed with equal ones.

    The A-optimal gain: one more vote between i and j lowers trace(H⁺) by I‖H⁺d‖² / (1 + I·dᵀH⁺d), with d = e_i − e_j
    and I = p·q (Sherman & Morrison 1950; Atkinson & Donev 1992).
    `information` is a fit's H⁺. `uniform` is at least UNIFORM_SHARE. A weight of 0 keeps a model out.
    """
    if not UNIFORM_SHARE <= uniform <= 1.0:
        raise Invalid("uniform", f"The equal part must be between {UNIFORM_SHARE} and 1.")
    p = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
    inform = p * (1.0 - p)
    gain = inform * _squared_distances(information @ information)
    gain /= 1.0 + inform * _squared_distances(information)
    equal = weighted_pairs((weights > 0).astype(np.float64))
    wanted = gain * weights[:, None] * weights[None, :]
    if not np.triu(wanted, 1).sum() > 0:
        return equal
    return (1.0 - uniform) * _chances(wanted) + uniform * equal


def draw(chances: Floats, random: Random) -> Draw:
    """Draw a pair from a matrix of chances; a fair coin decides who sits on the left."""
    size = len(chances)
    running: Floats = np.cumsum(np.triu(chances, 1).reshape(-1))
    i, j = divmod(int(np.searchsorted(running, random.random() * float(running[-1]), side="right")), size)
    left, right = (i, j) if random.random() < 0.5 else (j, i)
    return Draw(left, right, float(chances[i, j]))


def _chances(wanted: Floats) -> Floats:
    upper = np.triu(wanted, 1)
    total = float(upper.sum())
    if not total > 0:
        raise Invalid("weights", "At least two models must be able to play.", code="too_few_models")
    return upper / total


def _squared_distances(matrix: Floats) -> Floats:
    """Return (e_i − e_j)ᵀ M (e_i − e_j) for all i, j of a symmetric matrix."""
    diagonal: Floats = np.diagonal(matrix)
    return diagonal[:, None] + diagonal[None, :] - 2.0 * matrix
