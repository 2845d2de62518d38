"""Ratings under attack: 95% intervals compared with the truth, over and over."""

import math
from collections.abc import Generator
from contextlib import contextmanager

import msgspec
import numpy as np

from parley.ratings import bradley_terry
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import clustered
from parley.ratings.intervals import anytime_half_widths, half_widths
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS
from prove import voters
from prove.campaign import Batch, Tally

LEVEL = 0.95
SIGMAS = 3.0
STRATA = ((0.0, 0.02), (0.02, 0.05), (0.05, 0.12), (0.12, 1.0))
LEAST_VOTES = 100


def hits(fitted: Fit, truth: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Return 1.0 for every model whose interval holds the truth."""
    return (np.abs(fitted.theta - (truth - truth.mean())) <= errors).astype(float)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """Return the mean over trials and its Monte-Carlo standard error."""
    return float(np.mean(values)), float(np.std(values) / math.sqrt(len(values)))


def judge(tally: Tally, *, at_least: bool = False) -> None:
    """Add a failure for every figure that deviates more than chance explains."""
    for name, values in tally.figures.items():
        mean, error = mean_and_error(values)
        # Half a hit is granted, so that a few trials without a miss are no failure.
        allowed = SIGMAS * max(error, math.sqrt(LEVEL * (1 - LEVEL) / len(values)) / 4) + 0.5 / len(values)
        if mean < LEVEL - allowed or (mean > LEVEL + allowed and not at_least):
            tally.failures.append(f"{name}: {mean:.4f} of the intervals hold the truth (± {error:.4f})")


def words(tally: Tally) -> str:
    """Return every figure with its standard error."""
    parts = (f"{name} {mean:.4f} ± {error:.4f}" for name, (mean, error) in _means(tally).items())
    return "; ".join(parts)


def _means(tally: Tally) -> dict[str, tuple[float, float]]:
    return {name: mean_and_error(values) for name, values in sorted(tally.figures.items())}


class Coverage:
    """Independent votes, with rare and frequent models."""

    name = "ratings-coverage"
    guarantee = (
        "The 95% interval of the ratings holds the truth 95 times in 100, overall and by share of votes."
    )
    trials = 6_000
    batch = 6_000
    sample = 250

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, sandwich=True)

    def control(self, batch: Batch) -> Tally:
        """The inverse information, which treats every tie as a coin flip."""
        return self._tally(msgspec.structs.replace(batch, count=250), sandwich=False)

    def _tally(self, batch: Batch, *, sandwich: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 20, spread=0.6, halves=0.35)
            fitted = fit(voters.counted(rng, true, 8_000).pairs())
            numbers = fitted.pairs.per_model().sum(axis=1)
            variance = np.diagonal(fitted.covariance if sandwich else fitted.information)
            hit = hits(fitted, true.theta, half_widths(variance))
            share, enough = numbers / numbers.sum(), numbers >= LEAST_VOTES
            tally.note("overall", float(hit[enough].mean()))
            for low, high in STRATA:
                if (chosen := enough & (share >= low) & (share < high)).any():
                    tally.note(f"share {low:.0%} to {high:.0%}", float(hit[chosen].mean()))
            tally.trials += 1
            batch.step()
        judge(tally)
        return tally

    def summary(self, tally: Tally) -> str:
        return words(tally)


class Clusters:
    """People with tastes of their own."""

    name = "ratings-clusters"
    guarantee = "Where people have tastes, intervals clustered by voter hold the truth 95 times in 100."
    trials = 2_000
    batch = 2_000
    sample = 120

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, by_voter=True)

    def control(self, batch: Batch) -> Tally:
        """Votes taken as independent."""
        return self._tally(msgspec.structs.replace(batch, count=120), by_voter=False)

    def _tally(self, batch: Batch, *, by_voter: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 8, spread=0.6, halves=0.3)
            votes = voters.voted_by_taste(rng, true, voters=400, each=20, taste=0.3)
            fitted = fit(votes.pairs())
            fitted = clustered(fitted, votes) if by_voter else fitted
            tally.note(
                "overall",
                float(hits(fitted, true.theta, half_widths(np.diagonal(fitted.covariance))).mean()),
            )
            tally.trials += 1
            batch.step()
        judge(tally)
        return tally

    def summary(self, tally: Tally) -> str:
        return words(tally)


class Peeking:
    """Somebody who looks all the time, and waits for a surprise."""

    name = "ratings-peeking"
    guarantee = "A band that is watched from 200 votes to 6,000 holds the truth at every look, 95 times in 100 or more."
    trials = 1_000
    batch = 1_000
    sample = 40

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, anytime=True)

    def control(self, batch: Batch) -> Tally:
        """The ordinary interval."""
        return self._tally(msgspec.structs.replace(batch, count=40), anytime=False)

    def _tally(self, batch: Batch, *, anytime: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 5, spread=0.6, halves=0.3)._replace(weights=np.ones(5))
            votes = voters.voted(rng, true, 6_000)
            held, start = np.ones(5), None
            for looked in np.unique(np.geomspace(200, 6_000, 40).astype(int)):
                fitted = fit(votes.where(np.arange(looked)).pairs(), start=start)
                start = fitted.theta
                variance = np.diagonal(fitted.covariance)
                held *= hits(
                    fitted, true.theta, anytime_half_widths(variance) if anytime else half_widths(variance)
                )
            tally.note("at every look", float(held.mean()))
            tally.trials += 1
            batch.step()
        judge(tally, at_least=True)
        return tally

    def summary(self, tally: Tally) -> str:
        return words(tally)


@contextmanager
def a_weak_prior() -> Generator[None]:
    """Plant a prior that hardly holds anything; the fit reads it whenever it is called."""
    honest = bradley_terry.PRIOR_SD
    bradley_terry.PRIOR_SD = 20_000.0
    try:
        yield
    finally:
        bradley_terry.PRIOR_SD = honest


class Newcomers:
    """Models with a handful of votes, some of which they all won or all lost."""

    name = "ratings-rare"
    guarantee = (
        "Models with two to twelve votes are not shown as certain: 9 intervals in 10 or more hold the truth."
    )
    trials = 4_000
    batch = 1_000
    sample = 400

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, honest=True)

    def control(self, batch: Batch) -> Tally:
        """A prior that is in the covariance only: a known fault elsewhere."""
        with a_weak_prior():
            return self._tally(msgspec.structs.replace(batch, count=300), honest=False)

    def _tally(self, batch: Batch, *, honest: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 9, spread=0.6, halves=0.2)
            newcomer = 8
            true = true._replace(weights=np.append(np.ones(8), 0.0))
            counts = voters.counted(rng, true, 4_000)
            for other in rng.integers(0, 8, rng.integers(2, 13)):
                chances = voters.outcome_chances(np.array(true.theta[newcomer] - true.theta[other]), 0.2)
                counts.add(f"m{newcomer}", f"m{other}", Outcome(rng.choice(4, p=chances)))
            fitted = fit(counts.pairs())
            lead = fitted.theta[newcomer] - fitted.theta[:newcomer].mean()
            truth = true.theta[newcomer] - true.theta[:newcomer].mean()
            variance = self._variance(fitted, newcomer, honest=honest)
            hit = float(abs(lead - truth) <= half_widths(np.array([variance]))[0])
            tally.note("provisional" if fitted.provisional[newcomer] else "settled", hit)
            tally.trials += 1
            batch.step()
        for name, values in tally.figures.items():
            mean, error = mean_and_error(values)
            if mean < 0.9 - SIGMAS * error:
                tally.failures.append(f"{name}: {mean:.3f} of the intervals hold the truth (± {error:.3f})")
        return tally

    def _variance(self, fitted: Fit, place: int, *, honest: bool) -> float:
        if honest:
            around = np.append(np.full(8, -1 / 8), 1.0)
            return float(around @ fitted.covariance @ around)
        precision = np.linalg.pinv(fitted.information)[place, place]
        return 1.0 / (precision + (POINTS / 350.0) ** 2)

    def summary(self, tally: Tally) -> str:
        return words(tally)


CAMPAIGNS = [Coverage(), Clusters(), Peeking(), Newcomers()]
