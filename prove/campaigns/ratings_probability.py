"""The probability on the decision card, held against who is better, at every look of somebody who keeps looking."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from parley.ratings.bradley_terry import Fit, fit
from parley.ratings.decision import decide
from parley.ratings.scale import normal_cdf
from prove import voters
from prove.campaign import Batch, Tally

BINS = (0.6, 0.7, 0.8, 0.9, 0.97, 1.0)
LOOKS = np.unique(np.geomspace(100, 6_000, 30).astype(int))
SPREADS = (0.1, 0.3, 0.6)
"""How far models are apart, in log-odds: from hardly to as on public tables."""

LOOKED = "looks: "

HARDLY_APART = (0.03,)

GRANTED = 0.03
"""By how much fewer of the leaders may be better than it says."""


class Probability:
    """The top two of eight models while votes come in."""

    name = "ratings-probability"
    guarantee = (
        "Of the models called better with some probability, at least as many are better, less 3 points, at all looks "
        "and at the first look with 95%."
    )
    trials = 600
    batch = 120
    sample = 60

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, lambda fitted, top, other: decide(fitted, top, other).better)

    def control(self, batch: Batch) -> Tally:
        """Lead over standard error, as if the top two of models that are alike had not been chosen for their lead."""
        return self._tally(
            msgspec.structs.replace(batch, count=120), _taken_at_its_word, spreads=HARDLY_APART
        )

    def _tally(
        self, batch: Batch, chance: Callable[[Fit, str, str], float], spreads: Sequence[float] = SPREADS
    ) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, 8, spread=spreads[trial % len(spreads)], halves=0.3)._replace(
                weights=np.ones(8)
            )
            votes, start, waiting = voters.voted(rng, true, int(LOOKS[-1])), None, True
            excess: dict[str, list[float]] = {}
            for looked in LOOKS:
                fitted = fit(votes.where(np.arange(looked)).pairs(), start=start)
                start = fitted.theta
                i, j = np.argsort(-fitted.theta)[:2].tolist()
                said = chance(fitted, votes.models[i], votes.models[j])
                beyond = float(true.theta[i] > true.theta[j]) - said
                for low, high in pairwise(BINS):
                    if low <= said < high:
                        excess.setdefault(f"{low:.0%} to {high:.0%}", []).append(beyond)
                if waiting and said >= 0.95:
                    excess["first look with 95%"], waiting = [beyond], False
            for name, values in excess.items():
                tally.note(name, sum(values))
                tally.note(f"{LOOKED}{name}", len(values))
            tally.trials += 1
            batch.step()
        for name, (mean, error) in _means(tally).items():
            if mean < -GRANTED - 3 * error:
                tally.failures.append(f"{name}: {-mean:.1%} fewer are better than it says (± {error:.1%})")
        return tally

    def summary(self, tally: Tally) -> str:
        return "; ".join(f"{name} {mean:+.1%} ± {error:.1%}" for name, (mean, error) in _means(tally).items())


def _means(tally: Tally) -> dict[str, tuple[float, float]]:
    """Return by how much more are better than it says, over all looks, and its error; looks of one arena are alike."""
    found: dict[str, tuple[float, float]] = {}
    for name in sorted(it for it in tally.figures if not it.startswith(LOOKED)):
        beyond, looks = np.array(tally.figures[name]), np.array(tally.figures[f"{LOOKED}{name}"])
        mean = float(beyond.sum() / looks.sum())
        found[name] = mean, float(np.sqrt(np.square(beyond - mean * looks).sum()) / looks.sum())
    return found


def _taken_at_its_word(fitted: Fit, top: str, other: str) -> float:
    i, j = fitted.pairs.models.index(top), fitted.pairs.models.index(other)
    v = fitted.covariance
    return normal_cdf((fitted.theta[i] - fitted.theta[j]) / math.sqrt(v[i, i] + v[j, j] - 2 * v[i, j]))


CAMPAIGNS = [Probability()]
