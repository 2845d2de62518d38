"""Bradley-Terry: strengths that make the votes most likely, with their covariance (the sandwich).

The chance that i beats j is sigmoid(theta_i − theta_j) (Bradley & Terry 1952); a tie or both bad counts as half a win
for either. Where the maximum exists there is no prior. Where it does not (a model without a win or a loss, groups that
never met), a normal prior on the models concerned goes into the fit and into the covariance alike. So does a public
prior, where one is given: published votes that count as a number of votes.
"""

from contextlib import nullcontext

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings import blas, laplacian
from parley.ratings.arrays import Codes, Flags, Floats
from parley.ratings.comparability import comparability
from parley.ratings.conjugate import conjugate_step
from parley.ratings.laplacian import Laplacian
from parley.ratings.outcomes import Outcome
from parley.ratings.pairs import Pairs, shares
from parley.ratings.prior import Prior
from parley.ratings.public_prior import PriorVotes, PublicPrior
from parley.ratings.scale import POINTS, PRIOR_SD

MODELS_MAX = 12_000
"""The covariance of more models would take more than three gigabytes."""

SPARSE_ABOVE = 1_500
"""Above so many models Newton's steps are found by conjugate gradients, and BLAS may use every core."""

FEW_VOTES = 5
"""A model with fewer votes is not shown to everybody, and its votes' own scatter is not trusted."""

FEW_DECIDED = 3
"""Likewise the scatter of one with fewer decided votes: of n ties in a row up to 3/n may be luck (rule of three)."""

EXTREME = 300.0
"""Strengths up to here can be raised one by one without overflow; else it is done pair by pair."""

STEPS_MAX = 100
STEP_SHORT = 1e-3
"""After a Newton step below this the last factor serves for the rest."""

STEP_SMALL = 1e-7
"""A Newton step below this leaves an error of its square: far below 1e-10."""

STEP_TINY = 1e-10
"""A step below this with a factor that is nearly right leaves a thousandth of itself."""

POLISHING_MAX = 6


class Fit(msgspec.Struct, frozen=True, eq=False):
    """Strengths with mean zero, in natural-log units, and what is known of them. Places are those of `pairs`."""

    pairs: Pairs
    """One's own votes. With a public prior its pairs are among them, which may have none."""

    theta: Floats

    information: Floats
    """H⁺: the pseudo-inverse of the (penalised) Fisher information."""

    covariance: Floats
    """V = H⁺ B H⁺, the sandwich (Huber 1967; White 1982): right even where ties make votes vary less.

    B is the sum of the votes' squared scores, and what the priors know: the precision K, and Σ n·p·q of a public one.
    It is that of strengths less the mean of the models that are not provisional.
    """

    prior: Prior

    group: Codes
    """The number of the model's group; only models of one group can be compared."""

    provisional: Flags
    """True if a prior holds the model, since the votes alone leave its strength open."""

    public: PublicPrior | None = None
    """The published votes that count besides."""


def fit(pairs: Pairs, *, start: Floats | None = None, public: PublicPrior | None = None) -> Fit:
    """Maximise Σ S_ij ln p_ij + S_ji ln p_ji by Newton's method, warm-started from `start` where it is given.

    The result is the exact maximum to the last digits of double precision. Of `public`, the votes between the models of
    `pairs` are added to S. Raises Invalid for more models than MODELS_MAX.
    """
    if len(pairs.models) > MODELS_MAX:
        raise Invalid("models", f"One table holds at most {MODELS_MAX} models.", code="too_many_models")
    pairs, added = (pairs, None) if public is None else public.joined(pairs)
    compared = comparability(pairs, added)
    prior = Prior.on(~compared.settled, sd=PRIOR_SD / POINTS)
    objective = _Objective(pairs, prior, added)
    if not pairs.models:
        return _nothing(pairs, prior)
    with nullcontext() if len(pairs.models) > SPARSE_ABOVE else blas.one_thread():
        theta = _maximise(objective, _first_guess(pairs) if start is None else start)
        p = objective.chances(theta)
        information = laplacian.inverse(laplacian.cholesky(objective.information(p)))
        information -= information.mean()
        covariance = prior.referred(laplacian.between(information, objective.meat(p)))
    known = None if added is None else public
    return Fit(pairs, theta, information, covariance, prior, compared.group, ~compared.settled, known)


def _nothing(pairs: Pairs, prior: Prior) -> Fit:
    none, square = np.zeros(0), np.zeros((0, 0))
    return Fit(pairs, none, square, square, prior, none.astype(np.int32), none.astype(np.bool_))


def chances(pairs: Pairs, theta: Floats) -> Floats:
    """Return p: the chance that `first` beats `second`, for every pair."""
    if np.abs(theta).max(initial=0.0) > EXTREME:
        return 1.0 / (1.0 + np.exp(theta[pairs.second] - theta[pairs.first]))
    strength = np.exp(theta)
    ours, both = strength.take(pairs.first), strength.take(pairs.second)
    both += ours
    return np.divide(ours, both, out=both)


def squared_scores(pairs: Pairs, p: Floats) -> Floats:
    """Return Σ (y − p)² over each pair's votes: a win adds q², a loss p², a half (1/2 − p)²."""
    variances = np.square(1.0 - p)
    variances *= pairs.wins
    for number, score in ((pairs.losses, p), (pairs.halves, 0.5 - p)):
        scored = np.square(score)
        scored *= number
        variances += scored
    return variances


def doubt(pairs: Pairs, p: Floats, seen: Floats, prior: Prior) -> Floats:
    """Return what each pair's squared scores lack to n·p·q where a model of it is provisional or has few votes.

    A model that only won, or only tied, has small scores since its own votes placed it: that is no certainty.
    """
    counted = pairs.per_model()
    decided = counted[:, : Outcome.TIE].sum(axis=1)
    doubtful = (counted.sum(axis=1) < FEW_VOTES) | (decided < FEW_DECIDED) | prior.open
    if not doubtful.any():
        return np.zeros_like(p)
    touched = doubtful[pairs.first] | doubtful[pairs.second]
    return np.where(touched, np.maximum(pairs.votes * p * (1.0 - p) - seen, 0.0), 0.0)


def known_before(fitted: Fit) -> Floats:
    """Return what the priors of a fit add to the information: K, and Σ n·p·q over the votes of a public one."""
    pairs, size = fitted.pairs, len(fitted.pairs.models)
    matrix = np.zeros((size, size))
    if fitted.public is not None and (added := fitted.public.joined(pairs)[1]) is not None:
        p = chances(pairs, fitted.theta)
        pattern = Laplacian(size, pairs.first, pairs.second)
        matrix = laplacian.symmetric(pattern.upper(added.votes * p * (1.0 - p)))
    fitted.prior.add_to(matrix)
    return matrix


class _Objective:
    """The penalised log-likelihood and its derivatives."""

    def __init__(self, pairs: Pairs, prior: Prior, added: PriorVotes | None = None) -> None:
        self._pairs, self._prior, self._added = pairs, prior, added
        self._share, self._votes = shares(pairs), pairs.votes.astype(np.float64)
        if added is not None:
            self._share = self._share + added.won
            self._votes += added.votes
        self._laplacian = Laplacian(len(pairs.models), pairs.first, pairs.second)

    def value(self, theta: Floats) -> float:
        """Return Σ S_ij ln p_ij + S_ji ln p_ji, less what the prior takes."""
        lead = theta[self._pairs.first] - theta[self._pairs.second]
        likelihood = float(self._share @ lead - self._votes @ np.logaddexp(0.0, lead))
        return likelihood - self._prior.loss(theta)

    def gradient(self, p: Floats, theta: Floats) -> Floats:
        """Return the gradient; `p` are the chances at theta."""
        flow = self._votes * p
        gained = self._laplacian.divergence(np.subtract(self._share, flow, out=flow))
        return gained if self._prior.empty else gained - self._prior.pull(theta)

    def information(self, p: Floats) -> Floats:
        """Return the upper triangle of H = Σ n p q (e_i − e_j)(e_i − e_j)ᵀ + K + c·11ᵀ/n; c fixes the mean."""
        weights = 1.0 - p
        weights *= p
        weights *= self._votes
        size = max(self._laplacian.size, 1)
        scale = max(float(weights.sum()), self._prior.precision) / size
        matrix = self._laplacian.upper(weights, fill=scale / size)
        self._prior.add_to(matrix)
        return matrix

    def step(self, p: Floats, gradient: Floats) -> tuple[Floats, Floats | None]:
        """Return Newton's step, and the Cholesky factor of the information where there is one."""
        if self._laplacian.size > SPARSE_ABOVE:
            return conjugate_step(self._pairs, self._prior, self._votes * p * (1.0 - p), gradient), None
        factor = laplacian.cholesky(self.information(p))
        return laplacian.solved(factor, gradient), factor

    def meat(self, p: Floats) -> Floats:
        """Return B = Σ (y − p)² (e_i − e_j)(e_i − e_j)ᵀ + K and what stands in for few votes: the upper triangle.

        The votes of a public prior are no sample whose scatter could be seen: each adds its p·q.
        """
        seen = squared_scores(self._pairs, p)
        scatter = seen + doubt(self._pairs, p, seen, self._prior)
        if self._added is not None:
            scatter += self._added.votes * p * (1.0 - p)
        matrix = self._laplacian.upper(scatter)
        self._prior.add_to(matrix)
        return matrix

    def chances(self, theta: Floats) -> Floats:
        """Return p for every pair."""
        return chances(self._pairs, theta)


def _first_guess(pairs: Pairs) -> Floats:
    """Return strengths as if every model had met average ones: the log-odds of its share of the votes."""
    won, lost, tied, both_bad = pairs.per_model().T
    got, met = won + 0.5 * (tied + both_bad), won + lost + tied + both_bad
    return np.log((got + 0.5) / (met - got + 0.5))


def _maximise(objective: _Objective, start: Floats) -> Floats:
    """Return the maximum, with mean zero."""
    theta = start - start.mean()
    for _ in range(STEPS_MAX):
        p = objective.chances(theta)
        step, factor = objective.step(p, objective.gradient(p, theta))
        theta = theta + _length(objective, theta, step) * step
        moved = float(np.abs(step).max())
        if factor is not None and moved <= STEP_SHORT:
            theta = _polished(objective, theta, factor)
            moved = 0.0
        if moved <= STEP_SMALL:
            return theta - theta.mean()
    raise ArithmeticError("Newton's method did not come to rest")


def _polished(objective: _Objective, theta: Floats, factor: Floats) -> Floats:
    """Go on with the last factor, which is nearly right: each step leaves a thousandth of the error."""
    for _ in range(POLISHING_MAX):
        step = laplacian.solved(factor, objective.gradient(objective.chances(theta), theta))
        theta = theta + step
        if np.abs(step).max() <= STEP_TINY:
            break
    return theta


def _length(objective: _Objective, theta: Floats, step: Floats) -> float:
    """Return how much of a Newton step to take, so that the objective grows.

    A step whose entries differ by at most r = 1 may be taken in full, and ln(1 + r) / r of any step (Bach 2010,
    self-concordance of the logistic loss); of longer ones the full step is tried first.
    """
    spread = float(np.ptp(step))
    if spread <= 1.0 or objective.value(theta + step) > objective.value(theta):
        return 1.0
    return float(np.log1p(spread) / spread)
