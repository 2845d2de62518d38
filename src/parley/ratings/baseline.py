"""The baseline of a voter: what a table without the voter's votes expects of them."""

import msgspec
import numpy as np

from parley.ratings.arrays import Flags, Floats, Integers
from parley.ratings.bradley_terry import fit
from parley.ratings.comparability import comparability
from parley.ratings.counts import Counts
from parley.ratings.forecast import fit_forecast
from parley.ratings.outcomes import Outcome
from parley.ratings.votes import Votes

LARGE_SHARE = 0.05
"""For a voter with more than this share of any model's decided votes the table is fitted again."""

MANY_VOTES = 300
"""Likewise for one with more decided votes than this; of one with fewer, all votes must be given."""


class Ballots(msgspec.Struct, frozen=True, eq=False):
    """A voter's votes beside what the baseline expects of them; arrays by vote, log-odds natural."""

    votes: Votes
    lead: Floats
    """Log-odds that the left side wins a decided vote."""
    variance: Floats
    """Of that lead, by the table."""
    tie: Floats
    """Log-odds of a tie or both bad."""
    strength: Floats
    """By model: the table's strengths."""
    weight: Floats
    """1 / the number of the voter's votes on this prompt: a prompt weighs as much as one vote."""
    prompts: int
    """Distinct prompts."""
    prompt: Integers
    """A number per vote, the same for the same prompt."""
    evidence: Flags
    """True for each given vote that is evidence, and so is in here."""

    def first(self, number: int) -> "Ballots":
        """Return the first so many of these votes, beside the same baseline."""
        weight, prompts = _weighed(self.prompt[:number])
        columns = {name: getattr(self, name)[:number] for name in ("lead", "variance", "tie", "prompt")}
        votes = self.votes.where(np.arange(min(number, len(self.votes))))
        return msgspec.structs.replace(self, votes=votes, weight=weight, prompts=prompts, **columns)


class Baseline:
    """Strengths from decided votes, and the rate of ties of each pair. The models are those of `counts`, in order."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        pairs = counts.pairs()
        self._fit = fit(pairs.decisive())
        forecast = fit_forecast(pairs)
        size = len(counts.models)
        one, other = np.divmod(np.arange(size * size), max(size, 1))
        chances = forecast.matrix(one, other).reshape(size, size, len(Outcome))
        halves = chances[:, :, Outcome.TIE] + chances[:, :, Outcome.BOTH_BAD]
        self._tie_log_odds = np.log(halves / (1.0 - halves))
        decided = pairs.per_model()[:, : Outcome.TIE].sum(axis=1)
        self._decided = np.maximum(decided, 1)

    def ballots(self, votes: Votes, prompt: Integers, own: Counts, least: int) -> Ballots:
        """Return those of a voter's votes that can be evidence, beside what the table without them expects.

        `prompt` has a number per vote, the same for the same prompt. `own` counts all votes of the voter, of which
        `votes` may be a part; its models are those of the table. A vote is evidence if others placed both models, with
        at least `least` decided votes each: few others say nothing about the voter.
        """
        pairs = self._others(own).pairs().decisive()
        known = comparability(pairs).settled & (pairs.per_model().sum(axis=1) >= least)
        evidence: Flags = known[votes.left] & known[votes.right]
        strength, covariance = self._without(votes, own)
        chosen = votes.where(evidence)
        left, right = chosen.left, chosen.right
        spread = (
            np.diagonal(covariance)[left] + np.diagonal(covariance)[right] - 2.0 * covariance[left, right]
        )
        weight, prompts = _weighed(prompt[evidence])
        return Ballots(
            votes=chosen,
            lead=strength[left] - strength[right],
            variance=np.maximum(spread, 0.0),
            tie=self._tie_log_odds[left, right],
            strength=strength,
            weight=weight,
            prompts=prompts,
            prompt=prompt[evidence],
            evidence=evidence,
        )

    def _without(self, votes: Votes, own: Counts) -> tuple[Floats, Floats]:
        """Return the strengths without the voter, and their covariance."""
        decided = own.table[:, :, : Outcome.TIE].sum(axis=2)
        share = (decided.sum(axis=0) + decided.sum(axis=1)) / self._decided
        number = int(decided.sum())
        theta, covariance = self._fit.theta, self._fit.covariance
        if share.max(initial=0.0) > LARGE_SHARE or number > MANY_VOTES:
            refitted = fit(self._others(own).pairs().decisive(), start=theta)
            theta, covariance = refitted.theta, refitted.covariance
        elif number:
            theta = self._stepped(votes.where(votes.outcome < Outcome.TIE))
        return theta, covariance

    def _others(self, own: Counts) -> Counts:
        others = Counts(self._counts.models)
        others.table[...] = self._counts.table - own.table
        return others

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


def _weighed(prompt: Integers) -> tuple[Floats, int]:
    """Return 1 / the number of votes on the prompt of each vote, and the number of distinct prompts."""
    _, place, number = np.unique(prompt, return_inverse=True, return_counts=True)
    return 1.0 / number[place], len(number)
