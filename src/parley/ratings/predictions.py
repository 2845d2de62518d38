"""Predictions of a table for pairs of models."""

import math

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats
from parley.ratings.scale import POINTS, Z95, normal_cdf
from parley.ratings.standings import Standings


class PairPrediction(msgspec.Struct, frozen=True, kw_only=True):
    """The prediction for `model` against `other`."""

    model: str
    other: str
    chance: float
    """Expected share of the votes for `model`, a tie or both bad being half."""
    ci_lower: float
    ci_upper: float
    lead: float
    """Points by which `model` is ahead."""
    lead_error: float
    """Standard error of the lead, in points."""
    better: float
    """The chance that `model` is the better one, given the votes: Φ(lead / error)."""
    comparable: bool
    """True if votes connect the two at all."""


def predict(table: Standings, model: str, other: str) -> PairPrediction:
    """Predict a pair: sigmoid(theta_i − theta_j), its interval from var(theta_i − theta_j) = V_ii + V_jj − 2 V_ij.

    Raises NotFound for a model that has no votes, Invalid for a table without intervals.
    """
    one, two = table[model], table[other]
    lead, error = difference(table, model, other)
    low, high = lead - Z95 * error, lead + Z95 * error
    return PairPrediction(
        model=model,
        other=other,
        chance=_sigmoid(lead),
        ci_lower=_sigmoid(low),
        ci_upper=_sigmoid(high),
        lead=POINTS * lead,
        lead_error=POINTS * error,
        better=normal_cdf(lead / error) if error > 0 else 0.5,
        comparable=one.group == two.group,
    )


def difference(table: Standings, model: str, other: str) -> tuple[float, float]:
    """Return theta_i − theta_j and its standard error, in natural-log units."""
    known = table.uncertainty
    if known is None:
        raise Invalid("method", "Only a Bradley-Terry table predicts pairs with an interval.")
    i, j = known.models.index(table[model].model), known.models.index(table[other].model)
    v = known.covariance
    return float(known.theta[i] - known.theta[j]), math.sqrt(max(float(v[i, i] + v[j, j] - 2 * v[i, j]), 0.0))


def chance_matrix(theta: Floats) -> Floats:
    """Return the predicted chance of each model (row) against each other one (column); 1/2 against itself."""
    return 1.0 / (1.0 + np.exp(theta[None, :] - theta[:, None]))


def _sigmoid(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))
