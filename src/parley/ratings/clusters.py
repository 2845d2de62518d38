"""Intervals for votes of one person that are not independent: the sandwich clustered by voter."""

import msgspec
import numpy as np
from scipy.sparse import csr_matrix

from parley.kernel.errors import Invalid
from parley.ratings import blas, laplacian
from parley.ratings.arrays import Codes, Floats
from parley.ratings.bradley_terry import Fit, chances, doubt, squared_scores
from parley.ratings.outcomes import SCORES
from parley.ratings.votes import NOBODY, Votes

VALUES = np.array(SCORES)


def clustered(fit: Fit, votes: Votes) -> Fit:
    """Return the fit with B = G/(G−1) Σ_voter s_v s_vᵀ, s_v being the sum of the voter's scores.

    Liang & Zeger 1986. A vote without a voter is a cluster of its own. The strengths stay as they are. Raises Invalid
    where the votes have no voters, or one alone.
    """
    if votes.voter is None:
        raise Invalid("judge", "Clustered intervals need a column that says who voted: judge.")
    lead = fit.theta[votes.left] - fit.theta[votes.right]
    residual = VALUES[votes.outcome] - 1.0 / (1.0 + np.exp(-lead))
    scores = scores_by_voter(residual, votes, several(numbered(votes.voter)))
    clusters = scores.shape[0]
    with blas.one_thread():
        squares: Floats = (scores.T @ scores).toarray()
        meat = squares * (clusters / max(clusters - 1, 1))
        fit.prior.add_to(meat)
        meat += doubt_matrix(fit)
        covariance = fit.prior.referred(fit.information @ meat @ fit.information)
    return msgspec.structs.replace(fit, covariance=covariance)


def several(voter: Codes) -> Codes:
    """Return voters' numbers as they are. Raises Invalid for one alone: one person's scores add up to zero.

    Their sum is the gradient, which is zero at the maximum: the interval would claim certainty.
    """
    if len(voter) and int(voter.max()) < 1:
        raise Invalid("judge", "Clustered intervals need the votes of several people.", code="one_voter")
    return voter


def scores_by_voter(residual: Floats, votes: Votes, voter: Codes) -> csr_matrix[np.float64]:
    """Return a matrix [voter, model] of Σ (y − p)(e_left − e_right) over each voter's votes."""
    shape = (int(voter.max(initial=-1)) + 1, len(votes.models))
    ours = csr_matrix((residual, (voter, votes.left)), shape=shape)
    return ours - csr_matrix((residual, (voter, votes.right)), shape=shape)


def doubt_matrix(fit: Fit) -> Floats:
    """Return what is added to the meat for votes too few to show their own scatter."""
    pairs, p = fit.pairs, chances(fit.pairs, fit.theta)
    lacking = doubt(pairs, p, squared_scores(pairs, p), fit.prior)
    return laplacian.symmetric(
        laplacian.Laplacian(len(pairs.models), pairs.first, pairs.second).upper(lacking)
    )


def numbered(voter: Codes) -> Codes:
    """Return voters numbered without gaps; each unknown voter gets a number of their own."""
    _, known = np.unique(voter, return_inverse=True)
    number = known.reshape(-1).astype(np.int32)
    strangers = np.flatnonzero(voter == NOBODY)
    if len(strangers):
        first = int(number.max()) + 1
        number[strangers] = np.arange(first, first + len(strangers), dtype=np.int32)
        number = np.unique(number, return_inverse=True)[1].reshape(-1).astype(np.int32)
    return number
