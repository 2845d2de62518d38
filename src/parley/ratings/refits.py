"""Another fit of the same votes, weighted or with the side held constant, and how far it moves the ratings."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import ndtri

from parley.ratings import blas
from parley.ratings.arrays import Codes, Floats, sums
from parley.ratings.bradley_terry import STEPS_MAX, Fit
from parley.ratings.clusters import (
    NEVER,
    VALUES,
    effective,
    heaviest,
    information_of,
    left_out,
    numbered,
    scores_by_voter,
    shares_of,
    student,
)
from parley.ratings.intervals import HalfWidths
from parley.ratings.lines import RatingShift
from parley.ratings.scale import POINTS, Z95
from parley.ratings.votes import Votes

STEP_SMALL = 1e-10
ENDLESS = 20.0
"""A side worth more, in natural-log units, has no largest likelihood: 3,500 points."""


class Refit(NamedTuple):
    """Strengths with mean zero and the worth of the left side, in natural-log units, with what moves them.

    The parameters of a score are the models, then the left side.
    """

    theta: Floats
    left: float
    known: float
    """The information on the left side that the strengths leave; 0 where it is not fitted."""
    scores: csr_matrix[np.float64]
    """[voter, parameter]: the gradient of each voter's votes. A vote without a voter has a row of its own."""
    inverse: Floats
    """[parameter, parameter]: by how much a score moves each; the left side's are 0 where it is not fitted."""
    weight: Floats
    """[vote]: its information, weight p·q."""


def refit(plain: Fit, votes: Votes, *, weight: Floats | None = None, side: bool = False) -> Refit | None:
    """Maximise Σ weight ln P(outcome), logit P(left wins) = theta_left − theta_right + left, from `plain` on.

    `left` is 0 unless `side`. By Newton's method; None where one side got every vote that tells, so that no `left` is
    too large.
    """
    weight = np.ones(len(votes)) if weight is None else weight
    theta, left = plain.theta, 0.0
    with blas.one_thread():
        for _ in range(STEPS_MAX):
            here = _at(plain, votes, weight, theta, left, side=side)
            residual = here.residual
            slope = _net(votes, residual, len(theta)) - plain.prior.pull(theta)
            step = (float(residual.sum()) - float(here.pulled @ slope)) / here.known if side else 0.0
            moved: Floats = here.inverse @ slope - here.pulled * step
            longest = max(abs(step), float(np.abs(moved).max(initial=0.0)))
            theta, left = theta + moved / max(1.0, longest), left + step / max(1.0, longest)
            if abs(left) > ENDLESS:
                return None
            if longest <= STEP_SMALL:
                break
        return _described(_at(plain, votes, weight, theta, left, side=side), votes, theta, left)


def side_share(plain: Fit, votes: Votes) -> float:
    """Return the share of the information on the left side that the strengths leave, from 0 to 1.

    It is near 1 where sides are even, and 0 where they tell nothing that the models don't, as where one of them always
    sat on the left.
    """
    with blas.one_thread():
        here = _at(plain, votes, np.ones(len(votes)), plain.theta, 0.0, side=True)
    p = VALUES[votes.outcome] - here.residual
    return here.known / max(float((p * (1.0 - p)).sum()), NEVER)


def as_refit(plain: Fit, votes: Votes) -> Refit:
    """Return what moves the strengths of a fit as it is."""
    with blas.one_thread():
        here = _at(plain, votes, np.ones(len(votes)), plain.theta, 0.0, side=False)
        return _described(here, votes, plain.theta, 0.0)


def rating_shifts(plain: Fit, votes: Votes, other: Refit, *, errors: HalfWidths) -> tuple[RatingShift, ...]:
    """Return by how much `other` moves the rating of each model that is not provisional.

    The interval is of the difference of both fits of the same votes, by voter where voters are known: the jackknife of
    `clusters.clustered`, as weights make a few votes count for many. All intervals hold together 95 times in 100.
    """
    moved = other.theta - plain.theta
    settled = ~plain.provisional
    moved -= moved[settled].mean() if settled.any() else moved.mean()
    first = as_refit(plain, votes)
    voter = _voters(votes)
    people, size = first.scores.shape[0], len(moved)
    shares = [shares_of(it.weight, votes, voter) for it in (first, other)]
    with blas.one_thread():
        spread = _across(other, other) + _across(first, first)
        both = _across(other, first)
        spread -= both + both.T
        for heavy in heaviest(shares[0].maximum(shares[1])):
            own = voter == heavy
            mine = votes.where(own)
            within, without = (
                at_other - at_first
                for at_other, at_first in zip(
                    *(_moves(it, heavy, mine, it.weight[own]) for it in (other, first)), strict=True
                )
            )
            spread += np.outer(without, without) - np.outer(within, within)
        spread = spread[:size, :size] * (people - 1) / max(people, 1)
    half = errors(np.diagonal(plain.prior.referred(spread)))
    half *= student(np.minimum(*(effective(it) for it in shares)))
    # What is said is said of all models together (Bonferroni).
    half *= float(ndtri(1.0 - 0.025 / max(int(settled.sum()), 1))) / Z95
    return tuple(
        RatingShift(votes.models[at], *(round(POINTS * it, 4) for it in (move, move - width, move + width)))
        for at, (move, width) in enumerate(zip(moved.tolist(), half.tolist(), strict=True))
        if settled[at]
    )


def _moves(at: Refit, voter: int, votes: Votes, weight: Floats) -> tuple[Floats, Floats]:
    """Return how far a voter's scores move the parameters of the fit, and those of the fit without their votes."""
    size = len(votes.models)
    known = np.zeros_like(at.inverse)
    known[:size, :size] = information_of(weight, votes)
    across = _net(votes, weight, size)
    known[:size, size], known[size, :size], known[size, size] = across, across, weight.sum()
    moved: Floats = at.inverse @ at.scores[voter].toarray()[0]
    return moved, left_out(at.inverse @ known, moved)


def _voters(votes: Votes) -> Codes:
    """Return the number of each vote's voter; without voters each vote has its own."""
    return numbered(votes.voter) if votes.voter is not None else np.arange(len(votes), dtype=np.int32)


class _Local(NamedTuple):
    """The likelihood around a point."""

    residual: Floats
    """[vote]: weight (y − p)."""
    inverse: Floats
    """The pseudo-inverse of Σ weight p·q (e_left − e_right)(e_left − e_right)ᵀ and the prior's precision."""
    pulled: Floats
    """[model]: by how much a unit of the left side moves the strengths."""
    known: float
    weight: Floats
    """[vote]: weight p·q."""


def _at(plain: Fit, votes: Votes, weight: Floats, theta: Floats, left: float, *, side: bool) -> _Local:
    p = 1.0 / (1.0 + np.exp(theta[votes.right] - theta[votes.left] - left))
    residual, known = weight * (VALUES[votes.outcome] - p), weight * p * (1.0 - p)
    size, matrix = len(theta), information_of(known, votes)
    plain.prior.add_to(matrix)
    # Nothing tells all strengths from all strengths plus one: what is added there is taken out again.
    scale = max(float(known.sum()) / max(size, 1), NEVER)
    inverse = np.linalg.inv(matrix + scale / max(size, 1))
    inverse = np.asarray(inverse - inverse.mean(), dtype=np.float64)
    if not side:
        return _Local(residual, inverse, np.zeros(size), 0.0, known)
    across = _net(votes, known, size)
    pulled: Floats = inverse @ across
    left = max(float(known.sum() - across @ pulled), NEVER)
    return _Local(residual, inverse, pulled, left, known)


def _described(here: _Local, votes: Votes, theta: Floats, left: float) -> Refit:
    size, voter = len(theta), _voters(votes)
    by_model = scores_by_voter(here.residual, votes, voter)
    by_side = sums(voter, here.residual, by_model.shape[0])
    inverse = np.zeros((size + 1, size + 1))
    inverse[:size, :size] = here.inverse
    if here.known:
        along = np.append(-here.pulled, 1.0)
        inverse += np.outer(along, along) / here.known
    scores = csr_matrix(hstack([by_model, csr_matrix(by_side[:, None])]))
    return Refit(theta - theta.mean(), left, here.known, scores, inverse, here.weight)


def _across(one: Refit, other: Refit) -> Floats:
    squares: Floats = (one.scores.T @ other.scores).toarray()
    return one.inverse @ squares @ other.inverse


def _net(votes: Votes, values: Floats, size: int) -> Floats:
    """Return Σ value (e_left − e_right)."""
    return sums(votes.left, values, size) - sums(votes.right, values, size)
