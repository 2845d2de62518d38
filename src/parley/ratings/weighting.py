"""Weighted ratings: what the table would be had every pair of models been drawn equally often."""

import numpy as np
from scipy.sparse import csr_matrix

from parley.ratings.arrays import Codes, Floats, sums
from parley.ratings.bradley_terry import STEPS_MAX, Fit, fit
from parley.ratings.clusters import NEVER, VALUES, information_of, numbered, scores_by_voter
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.lines import WeightedRatings, WeightedShift
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes

FEWEST = 30
"""With fewer votes whose chance of being drawn is known, nothing is said."""

ALIKE = 1e-6
"""Weights that differ by less are the same: the votes are weighted as they are."""

STEP_SMALL = 1e-10


def weighted_ratings(
    votes: Votes, chance: Floats, *, errors: HalfWidths = half_widths
) -> WeightedRatings | None:
    """Return by how much each rating moves where a vote counts 1 / its pair's chance of being drawn.

    Horvitz & Thompson (1952): so each pair counts as if it had been drawn equally often, whichever the draw preferred.
    Where strengths explain the votes, ratings move by luck alone; a real shift shows pairs that no strength explains.
    `chance` is each vote's probability of its draw, NaN where it is unknown: those are left out. The interval is of the
    difference of both fits of the same votes, by voter where voters are known.

    Returns None where there are fewer than FEWEST such votes, or the chances are all alike.
    """
    known = np.isfinite(chance) & (chance > 0)
    if int(known.sum()) < FEWEST:
        return None
    votes = votes.where(known)
    weight: Floats = 1.0 / chance[known].astype(np.float64)
    weight /= weight.mean()
    if np.ptp(weight) < ALIKE:
        return None
    plain = fit(votes.pairs())
    theta = _weighted(plain, votes, weight)
    moved = theta - plain.theta
    moved -= moved[~plain.provisional].mean() if not plain.provisional.all() else moved.mean()
    half = errors(np.diagonal(_covariance(plain, votes, weight, theta)))
    shifts = [
        WeightedShift(model, *(round(POINTS * it, 4) for it in (move, move - width, move + width)))
        for model, move, width, provisional in zip(
            votes.models, moved.tolist(), half.tolist(), plain.provisional.tolist(), strict=True
        )
        if not provisional
    ]
    effective = float(weight.sum() ** 2 / (weight @ weight))
    return WeightedRatings(len(votes), round(effective, 1), tuple(shifts))


def _weighted(plain: Fit, votes: Votes, weight: Floats) -> Floats:
    """Return the strengths that maximise the weighted likelihood, by Newton's method from those of the plain fit."""
    theta = plain.theta
    for _ in range(STEPS_MAX):
        residual, known = _moments(votes, theta, weight)
        slope = sums(votes.left, residual, len(theta)) - sums(votes.right, residual, len(theta))
        step = _inverse(plain, votes, known) @ (slope - plain.prior.pull(theta))
        longest = float(np.abs(step).max(initial=0.0))
        theta = theta + step / max(1.0, longest)
        if longest <= STEP_SMALL:
            break
    return theta - theta.mean()


def _covariance(plain: Fit, votes: Votes, weight: Floats, theta: Floats) -> Floats:
    """Return the covariance of the difference of both fits: the sandwich of the difference of their scores."""
    voter = numbered(votes.voter) if votes.voter is not None else np.arange(len(votes), dtype=np.int32)
    ours, inverse = _scored(plain, votes, weight, theta, voter)
    theirs, other = _scored(plain, votes, np.ones_like(weight), plain.theta, voter)
    across: Floats = inverse @ (ours.T @ theirs).toarray() @ other
    both: Floats = (
        inverse @ (ours.T @ ours).toarray() @ inverse + other @ (theirs.T @ theirs).toarray() @ other
    )
    people = ours.shape[0]
    spread: Floats = (both - across - across.T) * people / max(people - 1, 1)
    return plain.prior.referred(spread)


def _scored(
    plain: Fit, votes: Votes, weight: Floats, theta: Floats, voter: Codes
) -> tuple[csr_matrix[np.float64], Floats]:
    """Return the scores of a fit [voter, model], and the inverse of its information."""
    residual, known = _moments(votes, theta, weight)
    return scores_by_voter(residual, votes, voter), _inverse(plain, votes, known)


def _moments(votes: Votes, theta: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return each vote's weighted residual w(y − p) and information w·p·q."""
    p = 1.0 / (1.0 + np.exp(theta[votes.right] - theta[votes.left]))
    return weight * (VALUES[votes.outcome] - p), weight * p * (1.0 - p)


def _inverse(plain: Fit, votes: Votes, known: Floats) -> Floats:
    """Return the pseudo-inverse of Σ known (e_left − e_right)(e_left − e_right)ᵀ and the prior's precision."""
    size, matrix = len(votes.models), information_of(known, votes)
    plain.prior.add_to(matrix)
    scale = max(float(known.sum()) / max(size, 1), NEVER)
    inverse = np.linalg.inv(matrix + scale / max(size, 1))
    return np.asarray(inverse - inverse.mean(), dtype=np.float64)
