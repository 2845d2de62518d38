"""Position bias: whether the left side gets more votes than the models explain."""

import math

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.bradley_terry import fit
from parley.ratings.counts import Counts
from parley.ratings.covariates import fit_rows, sorted_rows
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS, Z95, normal_cdf


class PositionBias(msgspec.Struct, frozen=True, kw_only=True):
    """What sitting on the left is worth."""

    votes: int
    left_share: float
    """The left side's share of the votes, a tie or both bad being half."""
    advantage: float
    """Points that the left side is ahead, models held constant."""
    ci_lower: float
    ci_upper: float
    z: float
    p_value: float
    """Two-sided: how often fair sides would look at least as unequal."""


def position_bias(counts: Counts) -> PositionBias:
    """Test for an advantage of the left side by logit P(left wins) = theta_left − theta_right + gamma.

    A likelihood fit of all strengths and gamma together, with the sandwich (Wald's test). Raises Invalid without votes,
    and where models never changed sides or one side won every vote.
    """
    table = counts.table
    left, right = np.nonzero(table.any(axis=2))
    cells = table[left, right].astype(np.float64)
    if not len(left):
        raise Invalid("votes", "There are no votes yet.", code="no_votes")
    halves = cells[:, Outcome.TIE] + cells[:, Outcome.BOTH_BAD]
    weight = np.concatenate([cells[:, Outcome.WIN], cells[:, Outcome.LOSS], halves])
    won = np.repeat([1.0, 0.0, 0.5], len(left))
    used = weight > 0
    plain = fit(counts.pairs())
    rows = sorted_rows(
        len(plain.theta),
        np.tile(left, 3)[used],
        np.tile(right, 3)[used],
        won[used],
        np.ones((used.sum(), 1)),
        weight[used],
    )
    try:
        joint = fit_rows(rows, plain.prior, start=plain.theta)
    except Invalid:
        raise Invalid(
            "votes",
            "The votes do not tell the side from the models.",
            "No two models met both ways round, or one side won every vote.",
            code="position_undetermined",
        ) from None
    gamma, error = float(joint.beta[0]), math.sqrt(max(float(joint.covariance[-1, -1]), 0.0))
    z = gamma / error if error > 0 else 0.0
    return PositionBias(
        votes=counts.votes,
        left_share=float((won * weight).sum() / weight.sum()),
        advantage=POINTS * gamma,
        ci_lower=POINTS * (gamma - Z95 * error),
        ci_upper=POINTS * (gamma + Z95 * error),
        z=z,
        p_value=2.0 * normal_cdf(-abs(z)),
    )
