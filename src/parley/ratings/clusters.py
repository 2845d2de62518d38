"""Intervals for votes of one person that are not independent: the sandwich clustered by voter."""

import msgspec
import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import stdtrit

from parley.kernel.errors import Invalid
from parley.ratings import blas, laplacian
from parley.ratings.arrays import Codes, Floats
from parley.ratings.bradley_terry import Fit, chances, doubt, known_before, squared_scores
from parley.ratings.outcomes import SCORES
from parley.ratings.scale import Z95
from parley.ratings.votes import NOBODY, Votes

VALUES = np.array(SCORES)

HEAVY = 0.02
"""For a voter with more than this share of a model's information the fit is solved without them."""

HEAVIEST = 200
"""So many voters at most, so that it takes bounded time."""

NEARLY_ALL = 0.95
"""The share of a heavy voter's information that is taken out: somebody who alone knows a model leaves some of it."""

NEVER = 1e-12


class Crowding(msgspec.Struct, frozen=True, eq=False):
    """The concentration of a model's votes on a few people; arrays by place of the model."""

    top_share: Floats
    """The largest share of one voter in the model's information, from 0 to 1."""

    effective: Floats
    """The effective number of voters: 1 / Σ share² (Kish 1965)."""


def clustered(fit: Fit, votes: Votes) -> Fit:
    """Return the fit with intervals for people as independent, not votes: the jackknife over voters (CR3).

    V = (G−1)/G Σ_voter d dᵀ, d = (H − H_voter)⁻¹ s being how far the voter's scores s move the strengths (Bell &
    McCaffrey 2002; one Newton step). It is widened so that 1.96 standard errors are as many as Student's t has at 95%
    with half as many degrees of freedom as effective voters, and never narrower than for independent votes. A vote
    without a voter is a cluster of its own. The strengths stay as they are. Raises Invalid where the votes have no
    voters, or one alone.
    """
    voter, weight, residual = _scored(fit, votes)
    scores = scores_by_voter(residual, votes, voter)
    shares = shares_of(weight, votes, voter)
    clusters = scores.shape[0]
    with blas.one_thread():
        squares: Floats = (scores.T @ scores).toarray()
        meat = fit.information @ squares @ fit.information
        for heavy in heaviest(shares):
            own = votes.where(voter == heavy)
            moved: Floats = fit.information @ scores[heavy].toarray()[0]
            known = fit.information @ information_of(weight[voter == heavy], own)
            without = left_out(known, moved)
            meat += np.outer(without, without) - np.outer(moved, moved)
        meat *= (clusters - 1) / clusters
        meat += fit.information @ (known_before(fit) + doubt_matrix(fit)) @ fit.information
        covariance = fit.prior.referred(meat)
    # Somebody who alone knows a model has placed it: that they agree with themselves is no certainty.
    spread = np.maximum(np.diagonal(covariance), NEVER)
    least = np.sqrt(np.maximum(np.diagonal(fit.covariance) / spread, 1.0))
    wider = least * student(_crowding(shares).effective)
    return msgspec.structs.replace(fit, covariance=covariance * np.outer(wider, wider))


def crowding(fit: Fit, votes: Votes) -> Crowding:
    """Return how far each model's votes are those of a few people. Raises Invalid where the votes have no voters."""
    voter, weight, _ = _scored(fit, votes)
    return _crowding(shares_of(weight, votes, voter))


def _scored(fit: Fit, votes: Votes) -> tuple[Codes, Floats, Floats]:
    """Return the number of each vote's voter, the vote's information p·q, and its residual y − p."""
    if votes.voter is None:
        raise Invalid("judge", "Clustered intervals need a column that says who voted: judge.")
    p = 1.0 / (1.0 + np.exp(fit.theta[votes.right] - fit.theta[votes.left]))
    return several(numbered(votes.voter)), p * (1.0 - p), VALUES[votes.outcome] - p


def shares_of(weight: Floats, votes: Votes, voter: Codes) -> csr_matrix[np.float64]:
    """Return a matrix [voter, model] of the voter's share in the model's information."""
    shape = (int(voter.max(initial=-1)) + 1, len(votes.models))
    known = csr_matrix((weight, (voter, votes.left)), shape=shape)
    known = known + csr_matrix((weight, (voter, votes.right)), shape=shape)
    total = np.asarray(known.sum(axis=0), dtype=np.float64).reshape(-1)
    return csr_matrix(known.multiply(1.0 / np.maximum(total, NEVER)[None, :]))


def _crowding(shares: csr_matrix[np.float64]) -> Crowding:
    return Crowding(shares.max(axis=0).toarray().reshape(-1), effective(shares))


def effective(shares: csr_matrix[np.float64]) -> Floats:
    """Return the effective number of voters of each model: 1 / Σ share² (Kish 1965)."""
    squares = np.asarray(shares.multiply(shares).sum(axis=0), dtype=np.float64).reshape(-1)
    return 1.0 / np.maximum(squares, NEVER)


def heaviest(shares: csr_matrix[np.float64]) -> list[int]:
    """Return those voters whose share of some model's information is HEAVY, the heaviest first."""
    most = shares.max(axis=1).toarray().reshape(-1)
    order = np.argsort(-most, kind="stable")[:HEAVIEST]
    return [int(voter) for voter in order if most[voter] > HEAVY]


def left_out(known: Floats, moved: Floats) -> Floats:
    """Return (I − known)⁻¹ moved: how far somebody's scores move a fit that never had them.

    `moved` is how far they move the fit, `known` the inverse of its information times their information.
    """
    return np.asarray(np.linalg.solve(np.eye(len(moved)) - NEARLY_ALL * known, moved), dtype=np.float64)


def information_of(weight: Floats, votes: Votes) -> Floats:
    """Return Σ p·q (e_left − e_right)(e_left − e_right)ᵀ over some votes."""
    size = len(votes.models)
    cells = np.bincount(votes.left.astype(np.int64) * size + votes.right, weight, size * size)
    across: Floats = cells.reshape(size, size).astype(np.float64)
    across = across + across.T
    degree: Floats = np.diag(across.sum(axis=1))
    return degree - across


def student(effective: Floats) -> Floats:
    """Return by how much Student's t is wider than the normal distribution at 95%."""
    return np.asarray(stdtrit(np.maximum(effective / 2.0, 1.0), 0.975), dtype=np.float64) / Z95


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
