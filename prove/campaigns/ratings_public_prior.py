"""A public prior: intervals that hold where it is right, and errors that fade where it is wrong."""

import math

import msgspec
import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import Fit, fit, known_before
from parley.ratings.intervals import half_widths
from parley.ratings.public_prior import PublicPrior, PublishedPair, public_prior
from prove import voters
from prove.campaign import Batch, Tally

LEVEL = 0.94
MODELS = 10
WEIGHTS = (100.0, 400.0)
OWN = (60, 300, 3_000)
RIGHT = ("same crowd", "as far as its weight")
WRONG = "wrong"
WRONG_OWN = (100, 1_000, 10_000)


class PublicPriorCampaign:
    """Own votes beside published ones, of the same crowd and of others."""

    name = "ratings-public-prior"
    guarantee = (
        "With published results of the same crowd, or of one that is as far from it as the weight says, the intervals "
        "hold the truth at least 94 times in 100, at any number of own votes. With the opposite of the truth, the "
        "error shrinks as own votes come."
    )
    trials = 1_800
    batch = 300
    sample = 90

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, doubted=True)

    def control(self, batch: Batch) -> Tally:
        """A prior that narrows the intervals as if it were known without error."""
        return self._tally(msgspec.structs.replace(batch, count=60), doubted=False)

    def _tally(self, batch: Batch, *, doubted: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            weight = WEIGHTS[trial % len(WEIGHTS)]
            for kind in RIGHT:
                prior, true = _published(rng, weight, kind)
                for own in OWN:
                    fitted = fit(voters.counted(rng, true, own).pairs(), public=prior)
                    tally.note(f"{kind}, {weight:g} beside {own}", _held(fitted, true.theta, doubted=doubted))
            prior, true = _published(rng, weight, WRONG)
            for own in WRONG_OWN:
                fitted = fit(voters.counted(rng, true, own).pairs(), public=prior)
                tally.note(f"off by, {own} own", float(np.square(fitted.theta - true.theta).mean()))
                tally.note(f"held beside a wrong prior, {own} own", _held(fitted, true.theta, doubted=True))
            tally.trials += 1
            batch.step()
        for name, values in tally.figures.items():
            if name.startswith(RIGHT):
                error = float(np.std(values) / math.sqrt(len(values)))
                if np.mean(values) < LEVEL - 3 * error:
                    tally.failures.append(f"{name}: {np.mean(values):.3f} hold the truth (± {error:.3f})")
        off = [float(np.mean(tally.figures[f"off by, {own} own"])) for own in WRONG_OWN]
        if not (off[0] > 3 * off[1] > 9 * off[2]):
            tally.failures.append(f"a wrong prior is not outweighed: squared errors {off}")
        return tally

    def summary(self, tally: Tally) -> str:
        parts = [f"{name} {np.mean(it):.3f}" for name, it in tally.figures.items() if name.startswith(RIGHT)]
        for own in WRONG_OWN:
            off = math.sqrt(float(np.mean(tally.figures[f"off by, {own} own"])))
            held = float(np.mean(tally.figures[f"held beside a wrong prior, {own} own"]))
            parts.append(f"beside a wrong prior {own} own votes leave {off:.3f} and hold {held:.3f}")
        return "; ".join(parts)


def _published(rng: np.random.Generator, weight: float, kind: str) -> tuple[PublicPrior, voters.Arena]:
    """Return a prior of so many votes, and what is true of one's own crowd."""
    true = voters.arena(rng, MODELS, spread=0.4, halves=0.0)._replace(weights=np.ones(MODELS))
    if kind == "same crowd":
        pairs = voters.counted(rng, true, round(weight)).pairs()
        columns = (pairs.first, pairs.second, pairs.wins, pairs.losses)
        rows = [
            PublishedPair(f"m{i}", f"m{j}", won, lost, 0.0)
            for i, j, won, lost in zip(*(it.tolist() for it in columns), strict=True)
        ]
        return public_prior(rows, weight), true
    said: Floats = -true.theta if kind == WRONG else true.theta
    lead = np.subtract.outer(said, said)
    wins = 1e6 / (1.0 + np.exp(-lead))
    prior = public_prior(
        (
            PublishedPair(f"m{i}", f"m{j}", float(wins[i, j]), float(wins[j, i]), 0.0)
            for i in range(MODELS)
            for j in range(i)
        ),
        weight,
    )
    if kind == WRONG:
        return prior, true
    # The crowd differs from what was published as much as so many votes leave open.
    known = weight * 2 / (MODELS * (MODELS - 1)) / (2.0 + np.exp(lead) + np.exp(-lead))
    np.fill_diagonal(known, 0.0)
    precision = np.diag(known.sum(axis=1)) - known
    # Strengths have no level of their own, so the covariance is singular.
    covariance = np.linalg.pinv(precision, hermitian=True)
    away = rng.multivariate_normal(np.zeros(MODELS), covariance, check_valid="ignore")
    return prior, true._replace(theta=said + away - away.mean())


def _held(fitted: Fit, theta: Floats, *, doubted: bool) -> float:
    """Return how many of the intervals hold the truth."""
    covariance = fitted.covariance
    if not doubted:
        covariance = covariance - fitted.information @ known_before(fitted) @ fitted.information
    half = half_widths(np.diagonal(covariance))
    return float((np.abs(fitted.theta - theta + theta.mean()) <= half).mean())


CAMPAIGNS = [PublicPriorCampaign()]
