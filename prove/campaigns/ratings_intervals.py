"""Ratings under attack: 95% intervals compared with the truth, over and over."""

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec
import numpy as np

from parley.features.standings.refit import FittedTable, effects_of, fit_pairs
from parley.features.standings.snapshot import Table
from parley.ratings import bradley_terry
from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.clusters import VALUES, clustered, scores_by_voter
from parley.ratings.intervals import half_widths
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS
from parley.ratings.standings import standings_of
from parley.ratings.votes import Votes
from prove import voters
from prove.campaign import Batch, Tally

LEVEL = 0.95
NOW = datetime(2026, 3, 1, tzinfo=UTC)
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


class FewVoters:
    """People with tastes, of whom a few cast most of the votes."""

    name = "ratings-few-voters"
    guarantee = (
        "Where few people cast most votes (Zipf 1.1) and have tastes, clustered intervals hold the truth at least 94 "
        "times in 100, overall and by share of votes, and so does the lead of the top two."
    )
    trials = 2_000
    batch = 500
    sample = 240

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, corrected=True)

    def control(self, batch: Batch) -> Tally:
        """Sums of scores by voter, without a correction for few effective voters."""
        return self._tally(msgspec.structs.replace(batch, count=240), corrected=False)

    def _tally(self, batch: Batch, *, corrected: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 8, spread=0.6, halves=0.3)
            taste = (0.0, 0.03, 0.1, 0.3)[trial % 4]
            votes = voters.voted_by_taste(rng, true, voters=200, each=40, taste=taste, zipf=1.1)
            fitted = fit(votes.pairs())
            fitted = clustered(fitted, votes) if corrected else summed(fitted, votes)
            numbers = fitted.pairs.per_model().sum(axis=1)
            hit = hits(fitted, true.theta, half_widths(np.diagonal(fitted.covariance)))
            share = numbers / numbers.sum()
            tally.note("overall", float(hit.mean()))
            for low, high in ((0.0, 0.08), (0.08, 0.16), (0.16, 1.0)):
                if (chosen := (numbers >= LEAST_VOTES) & (share >= low) & (share < high)).any():
                    tally.note(f"share {low:.0%} to {high:.0%}", float(hit[chosen].mean()))
            tally.note("lead of the top two", _lead_held(fitted, true.theta))
            tally.trials += 1
            batch.step()
        for name, values in tally.figures.items():
            mean, error = mean_and_error(values)
            if mean < 0.94 - SIGMAS * error:
                tally.failures.append(f"{name}: {mean:.4f} of the intervals hold the truth (± {error:.4f})")
        return tally

    def summary(self, tally: Tally) -> str:
        return words(tally)


def _lead_held(fitted: Fit, truth: np.ndarray) -> float:
    i, j = np.argsort(-fitted.theta)[:2]
    v = fitted.covariance
    half = half_widths(np.array([v[i, i] + v[j, j] - 2 * v[i, j]]))[0]
    return float(abs(fitted.theta[i] - fitted.theta[j] - truth[i] + truth[j]) <= half)


def summed(fitted: Fit, votes: Votes) -> Fit:
    """Return the plain clustered sandwich of Liang & Zeger (1986)."""
    assert votes.voter is not None
    p = 1.0 / (1.0 + np.exp(fitted.theta[votes.right] - fitted.theta[votes.left]))
    scores = scores_by_voter(VALUES[votes.outcome] - p, votes, votes.voter)
    people = scores.shape[0]
    meat = (scores.T @ scores).toarray() * people / (people - 1)
    return msgspec.structs.replace(fitted, covariance=fitted.information @ meat @ fitted.information)


class Peeking:
    """Somebody who looks all the time, and waits for a surprise."""

    name = "ratings-peeking"
    guarantee = (
        "The leaderboard's own interval, watched from 200 votes to 6,000, holds the truth at every look, 95 times in "
        "100 or more."
    )
    trials = 600
    batch = 300
    sample = 40

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, _board)

    def control(self, batch: Batch) -> Tally:
        """The interval for a single look."""
        return self._tally(msgspec.structs.replace(batch, count=40), _single_look)

    def _votes(self, rng: np.random.Generator, true: voters.Arena, trial: int) -> Votes:
        return voters.voted(rng, true, 6_000)

    def _tally(self, batch: Batch, board: Callable[[Fit | None, Votes], FittedTable]) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 5, spread=0.6, halves=0.3)._replace(weights=np.ones(5))
            votes = self._votes(rng, true, trial)
            held, last = np.ones(5), None
            for looked in np.unique(np.geomspace(200, len(votes), 40).astype(int)):
                table = board(last, votes.where(np.arange(looked)))
                last = table.fit
                for line in table.table.lines:
                    place = int(line.model[1:])
                    score = 1000.0 + POINTS * true.theta[place]
                    held[place] *= (line.ci_lower or score) <= score <= (line.ci_upper or score)
            tally.note("at every look", float(held.mean()))
            tally.trials += 1
            batch.step()
        judge(tally, at_least=True)
        return tally

    def summary(self, tally: Tally) -> str:
        return words(tally)


class PeekingAtTastes(Peeking):
    """Somebody who looks all the time at what people with tastes vote, of whom a few cast most of the votes."""

    name = "ratings-peeking-tastes"
    guarantee = (
        "Where people have tastes, and also where a few of them cast most votes, the leaderboard's own interval, "
        "watched from 200 votes to 6,000, holds the truth at every look, 95 times in 100 or more."
    )

    def control(self, batch: Batch) -> Tally:
        """The interval of votes that are taken as independent."""
        few = msgspec.structs.replace(batch, count=40)
        return self._tally(few, lambda last, votes: fit_pairs(votes.pairs(), last, NOW, {}))

    def _votes(self, rng: np.random.Generator, true: voters.Arena, trial: int) -> Votes:
        taste, zipf = ((0.1, 0.0), (0.3, 0.0), (0.1, 1.1), (0.3, 1.1))[trial % 4]
        votes = voters.voted_by_taste(rng, true, voters=200, each=30, taste=taste, zipf=zipf)
        return votes.where(rng.permutation(len(votes)))


def _board(last: Fit | None, votes: Votes) -> FittedTable:
    return fit_pairs(votes.pairs(), last, NOW, effects_of(votes))


def _single_look(last: Fit | None, votes: Votes) -> FittedTable:
    fitted = fit(votes.pairs(), start=None if last is None else last.theta)
    return FittedTable(Table(standings_of(fitted).standings, NOW), fitted)


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


CAMPAIGNS = [Coverage(), Clusters(), FewVoters(), Peeking(), PeekingAtTastes(), Newcomers()]
