"""Style control: ratings with the length and the looks of replies held constant."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats, sums
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import VALUES, doubt_matrix, numbered, scores_by_voter, several
from parley.ratings.covariates import CHUNK, CovariateFit, fit_rows, sorted_rows
from parley.ratings.intervals import half_widths
from parley.ratings.lines import StyleEffect
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes


def contrasts(left: NDArray[np.number], right: NDArray[np.number]) -> NDArray[np.float32]:
    """Return (a − b)/(a + b + 1) for [vote, feature] of either side (Li et al. 2024, LMArena's style control)."""
    one, other = left.astype(np.float32), right.astype(np.float32)
    difference = one - other
    difference /= one + other + np.float32(1.0)
    return difference


def fit_styled(votes: Votes, *, by_voter: bool = False) -> tuple[Fit, tuple[StyleEffect, ...]]:
    """Fit strengths and the effects of style together. Without features in the votes raises Invalid.

    Effects are per standard deviation of a feature. A feature that never differs is left out.
    """
    if votes.features is None:
        raise Invalid(
            "features", "Style control needs to know the replies: conversation_a and conversation_b."
        )
    plain = fit(votes.pairs())
    spread = _spread(votes.features)
    used = np.flatnonzero(spread > 0)
    x = votes.features[:, used] if len(used) < len(spread) else votes.features
    won = VALUES.astype(np.float32)[votes.outcome]
    rows = sorted_rows(len(votes.models), votes.left, votes.right, won, x)
    joint = fit_rows(rows, plain.prior, start=plain.theta)
    covariance = _clustered(votes, x, joint, plain) if by_voter else joint.covariance
    size = len(votes.models)
    rare = joint.information[:, :size]
    covariance = covariance + rare @ doubt_matrix(plain) @ rare.T
    fitted = Fit(
        plain.pairs,
        joint.theta,
        joint.information[:size, :size],
        plain.prior.referred(covariance[:size, :size]),
        plain.prior,
        plain.group,
        plain.provisional,
    )
    half = half_widths(np.diagonal(covariance)[size:])
    return fitted, tuple(
        _effect(
            votes.feature_names[feature],
            POINTS * spread[feature] * joint.beta[place],
            POINTS * spread[feature] * half[place],
        )
        for place, feature in enumerate(used.tolist())
    )


def _effect(feature: str, points: float, half: float) -> StyleEffect:
    low, middle, high = (round(float(value), 4) for value in (points - half, points, points + half))
    return StyleEffect(feature, middle, low, high)


def _spread(features: NDArray[np.floating]) -> Floats:
    """Return each feature's standard deviation around zero: swapping the sides of a vote changes nothing."""
    squares = np.zeros(features.shape[1])
    for begin in range(0, len(features), CHUNK):
        squares += np.square(features[begin : begin + CHUNK], dtype=np.float64).sum(axis=0)
    return np.sqrt(squares / max(len(features), 1))


def _clustered(votes: Votes, x: NDArray[np.floating], joint: CovariateFit, plain: Fit) -> Floats:
    """Return the sandwich over (theta, beta) whose meat sums the scores of each voter first."""
    if votes.voter is None:
        raise Invalid("judge", "Clustered intervals need a column that says who voted: judge.")
    voter = several(numbered(votes.voter))
    clusters, size = int(voter.max(initial=-1)) + 1, len(votes.models)
    lead = joint.theta[votes.left] - joint.theta[votes.right] + x @ joint.beta
    residual = VALUES[votes.outcome] - 1.0 / (1.0 + np.exp(-lead))
    strength = scores_by_voter(residual, votes, voter)
    style = np.stack([sums(voter, residual * column, clusters) for column in x.T], axis=1)
    theta_block: Floats = (strength.T @ strength).toarray()
    across = cast("Floats", strength.T @ style)
    small = clusters / max(clusters - 1, 1)
    meat = small * np.block([[theta_block, across], [across.T, style.T @ style]])
    prior = np.zeros((size, size))
    plain.prior.add_to(prior)
    meat[:size, :size] += prior
    return joint.information @ meat @ joint.information
