"""The prior on models whose strength the votes leave open: a normal distribution around the core's mean."""

import msgspec
import numpy as np

from parley.ratings.arrays import Flags, Floats


class Prior(msgspec.Struct, frozen=True, eq=False):
    """N(centre, sd²) on each open model, the centre being a mean of strengths, so that only differences count.

    Its precision matrix is K = Σ (e_i − c)(e_i − c)ᵀ / sd² over the open models. The centre c is the mean of the
    models that are not open, or of all models where all are open.
    """

    open: Flags
    precision: float
    centre: Floats
    """Weights with sum one."""

    @classmethod
    def on(cls, open_models: Flags, *, sd: float) -> "Prior":
        """Return the prior for the models that are flagged; `sd` is in natural-log units."""
        around = ~open_models if not open_models.all() else np.ones_like(open_models)
        return cls(open_models, 1.0 / sd**2, around / max(int(around.sum()), 1))

    @property
    def empty(self) -> bool:
        """True if no model is open."""
        return not self.open.any()

    def pull(self, theta: Floats) -> Floats:
        """Return K·theta: how hard the prior pulls each strength down."""
        if self.empty:
            return np.zeros_like(theta)
        away = np.where(self.open, theta - self.centre @ theta, 0.0)
        return self.precision * (away - away.sum() * self.centre)

    def loss(self, theta: Floats) -> float:
        """Return thetaᵀ·K·theta / 2: what the prior takes off the log-likelihood."""
        away = (theta - self.centre @ theta)[self.open]
        return 0.5 * self.precision * float(away @ away)

    def referred(self, covariance: Floats) -> Floats:
        """Return the covariance of strengths less the centre: doubts about open models do not widen all intervals."""
        if self.empty or self.open.all():
            return covariance
        around = covariance @ self.centre
        return covariance - around[:, None] - around[None, :] + self.centre @ around

    def add_to(self, matrix: Floats) -> None:
        """Add K to a matrix."""
        if self.empty:
            return
        size = len(matrix)
        number = int(self.open.sum())
        matrix.ravel()[:: size + 1] += self.precision * self.open
        matrix -= self.precision * (np.outer(self.open, self.centre) + np.outer(self.centre, self.open))
        matrix += self.precision * number * np.outer(self.centre, self.centre)
