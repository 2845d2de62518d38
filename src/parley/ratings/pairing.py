"""The choice of the two models that meet next: the chance of every pair."""

import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats

UNIFORM_SHARE = 0.1
"""The part of all draws that is equal: every pair keeps a known chance."""


def weighted_pairs(weights: Floats) -> Floats:
    """Return the chances, [i, j] for i < j, when two different models are drawn by weight: in proportion to w_i·w_j.

    Equal weights make all pairs equal; a model that is down has weight 0. Raises Invalid for negative weights, and
    where fewer than two models can play.
    """
    if not np.isfinite(weights).all() or (weights < 0).any():
        raise Invalid("weights", "Weights of models must be finite and not negative.")
    return _chances(weights[:, None] * weights[None, :])


def informative_pairs(information: Floats, theta: Floats, weights: Floats) -> Floats:
    """Return the chances, [i, j] for i < j, by how much a vote narrows the table, mixed with equal ones.

    The A-optimal gain: one more vote between i and j lowers trace(H⁺) by I‖H⁺d‖² / (1 + I·dᵀH⁺d), with d = e_i − e_j
    and I = p·q (Sherman & Morrison 1950; Atkinson & Donev 1992).
    `information` is a fit's H⁺. A weight of 0 keeps a model out.
    """
    p = 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))
    inform = p * (1.0 - p)
    gain = inform * _squared_distances(information @ information)
    gain /= 1.0 + inform * _squared_distances(information)
    equal = weighted_pairs((weights > 0).astype(np.float64))
    wanted = gain * weights[:, None] * weights[None, :]
    if not np.triu(wanted, 1).sum() > 0:
        return equal
    return (1.0 - UNIFORM_SHARE) * _chances(wanted) + UNIFORM_SHARE * equal


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
