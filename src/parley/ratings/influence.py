"""Intervals of estimates from what each observation contributes, with prompts and people as clusters."""

import math

import msgspec
import numpy as np
from scipy.special import stdtrit

from parley.ratings.arrays import Codes, Floats, Integers
from parley.ratings.clusters import numbered

VOTERS_LEAST = 5.0
"""With fewer effective voters their scatter says nothing of other people's: the interval is for these voters."""


class Estimate(msgspec.Struct, frozen=True):
    """A value with its 95% interval."""

    value: float
    ci_lower: float
    ci_upper: float


class Clusters:
    """Who shares a prompt and who shares a voter, and the intervals that follow.

    `kinds` are the clusterings in use, by name.
    """

    def __init__(self, prompt: Codes, voter: Codes | None = None, *, votes: int | None = None) -> None:
        """Take a number per observation; -1 shares with nobody. The first `votes` count as votes, by default all.

        People are clusters if there are at least VOTERS_LEAST, effectively (Kish 1965: 1 / Σ share²).
        """
        clusters = {"prompt": prompt} if voter is None else {"prompt": prompt, "voter": voter}
        self.kinds: dict[str, Codes] = {}
        effective: list[float] = []
        for (name, codes), least in zip(clusters.items(), (1.5, VOTERS_LEAST), strict=False):
            number = numbered(codes) if len(codes) else codes
            sizes = np.bincount(number[:votes]).astype(np.float64)
            effective_size = float(sizes.sum() ** 2 / max(sizes @ sizes, 1.0))
            if effective_size >= least:
                self.kinds[name] = number
                effective.append(effective_size)
        self.student = float(stdtrit(max(min(effective, default=2.0) - 1.0, 1.0), 0.975))
        """The two-sided 95% point of Student's t for the effective number of clusters less one."""

    def variance(self, influence: Floats) -> float:
        """Return the variance of Σ influence, an estimate's error as the sum of what observations contribute.

        G/(G−1) Σ_g (Σ_{i∈g} influence_i)² over prompts; with people too, the sum of both less that over the votes of
        one person on one prompt (Cameron, Gelbach & Miller 2011), and never less than either. Infinite for one prompt.
        """
        if "prompt" not in self.kinds:
            return math.inf
        alone = [_squares(codes, influence) for codes in self.kinds.values()]
        if len(alone) == 1:
            return alone[0]
        prompt, voter = (codes.astype(np.int64) for codes in self.kinds.values())
        both = np.unique(prompt * len(prompt) + voter, return_inverse=True)[1].reshape(-1).astype(np.int64)
        return max(sum(alone) - _squares(both, influence), *alone)

    def product(self, one: Floats, other: Floats) -> float:
        """Return Σ_g (Σ_g one) (Σ_g other) over the prompts."""
        codes = self.kinds.get("prompt", np.arange(len(one), dtype=np.int32))
        return float(np.bincount(codes, one) @ np.bincount(codes, other))

    def estimate(
        self,
        value: float,
        influence: Floats,
        bounds: tuple[float, float] = (-math.inf, math.inf),
        *,
        centre: float | None = None,
        more: float = 0.0,
    ) -> Estimate:
        """Return a value with its interval around `centre`, within bounds; `more` is added to the variance."""
        middle = value if centre is None else centre
        half = self.student * math.sqrt(self.variance(influence) + more)
        low, high = max(middle - half, bounds[0]), min(middle + half, bounds[1])
        return Estimate(value, min(low, value), max(high, value))


def _squares(codes: Codes | Integers, influence: Floats) -> float:
    scores = np.bincount(codes, influence)
    taking_part = int(np.count_nonzero(np.bincount(codes, influence != 0.0)))
    return float(scores @ scores) * taking_part / max(taking_part - 1, 1)
