"""The board without one voter: what it expects of that voter's battles."""

import numpy as np

from parley.ratings.arrays import Floats, sums
from parley.ratings.bradley_terry import fit
from parley.ratings.forecast import fit_forecast
from parley.ratings.outcomes import Outcome
from parley.ratings.votes import Votes

LARGE_SHARE = 0.05
"""For a voter with more than this part of any model's decided votes the board is fitted anew."""

MANY_VOTES = 300
"""Likewise for one with more decided votes than this."""

BENEFIT = 1.0
"""Standard errors of the board that speak for the voter."""


class Board:
    """Strengths from decided votes, and the rate of ties of each pair. Votes and models as in `votes`."""

    def __init__(self, votes: Votes) -> None:
        self._counts = votes.counts()
        pairs = self._counts.pairs()
        self._fit = fit(pairs.decisive())
        forecast = fit_forecast(pairs)
        size = len(votes.models)
        one, other = np.divmod(np.arange(size * size), max(size, 1))
        chances = forecast.matrix(one, other).reshape(size, size, len(Outcome))
        halves = chances[:, :, Outcome.TIE] + chances[:, :, Outcome.BOTH_BAD]
        self._tie_log_odds = np.log(halves / (1.0 - halves))
        decided = pairs.per_model()[:, : Outcome.TIE].sum(axis=1)
        self._decided = np.maximum(decided, 1)

    def without(self, votes: Votes) -> Floats:
        """Return a row per vote: the chances that left and right win a decided vote, and the log-odds of a tie.

        The chances come from the board without these votes, with BENEFIT standard errors in favour of what the voter
        said: they may have a sum above one, and the evidence against an honest voter is then too small, not too large.
        """
        lead, error = self._leads(votes)
        left = 1.0 / (1.0 + np.exp(-(lead + BENEFIT * error)))
        right = 1.0 / (1.0 + np.exp(lead - BENEFIT * error))
        return np.stack([left, right, self._tie_log_odds[votes.left, votes.right]], axis=1)

    def _leads(self, votes: Votes) -> tuple[Floats, Floats]:
        decided = votes.where(votes.outcome < Outcome.TIE)
        size = len(votes.models)
        own = sums(np.concatenate([decided.left, decided.right]), np.ones(2 * len(decided)), size)
        theta, covariance = self._fit.theta, self._fit.covariance
        if (own / self._decided).max(initial=0.0) > LARGE_SHARE or len(decided) > MANY_VOTES:
            theta, covariance = self._refitted(votes)
        elif len(decided):
            theta = self._stepped(decided)
        variance = np.diagonal(covariance)
        left, right = votes.left, votes.right
        spread = variance[left] + variance[right] - 2.0 * covariance[left, right]
        return theta[left] - theta[right], np.sqrt(np.maximum(spread, 0.0))

    def _stepped(self, decided: Votes) -> Floats:
        """Return the strengths without a few votes, by one Newton step: (H − UWUᵀ)⁻¹ by Woodbury's identity."""
        theta, information = self._fit.theta, self._fit.information
        left, right = decided.left, decided.right
        p = 1.0 / (1.0 + np.exp(theta[right] - theta[left]))
        score = (decided.outcome == Outcome.WIN) - p
        spread = information[:, left] - information[:, right]
        inner: Floats = np.diag(1.0 / (p * (1.0 - p))) - (spread[left] - spread[right])
        pulled: Floats = spread @ score
        correction: Floats = spread @ np.linalg.solve(inner, pulled[left] - pulled[right])
        return theta - pulled - correction

    def _refitted(self, votes: Votes) -> tuple[Floats, Floats]:
        rest = votes.counts().table
        counts = self._counts
        counts.table[...] -= rest
        try:
            refitted = fit(counts.pairs().decisive(), start=self._fit.theta)
        finally:
            counts.table[...] += rest
        return refitted.theta, refitted.covariance
