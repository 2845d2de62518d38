"""Position bias: the interval of what the left side is worth, where people have sides that they prefer."""

import math

import msgspec
import numpy as np

from parley.ratings.bradley_terry import fit
from parley.ratings.position import position_effect
from parley.ratings.scale import POINTS
from parley.ratings.votes import Votes
from prove import voters
from prove.campaign import Batch, Tally

LEVEL = 0.95
MODELS, PEOPLE, EACH = 8, 120, 50
LEFT = (0.0, 0.15, 0.4)
"""What the left side is worth on average, in log-odds."""

HABIT = 0.5
"""How differently people prefer a side."""


class Position:
    """People who prefer a side, each their own, and sides that are not drawn evenly."""

    name = "ratings-position"
    guarantee = (
        "The interval of what the left side is worth holds the truth 95 times in 100, also where people prefer sides "
        "of their own and the sides of models are uneven."
    )
    trials = 1_200
    batch = 400
    sample = 90

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, by_voter=True)

    def control(self, batch: Batch) -> Tally:
        """Votes taken as independent."""
        return self._tally(msgspec.structs.replace(batch, count=90), by_voter=False)

    def _tally(self, batch: Batch, *, by_voter: bool) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            left = LEFT[trial % len(LEFT)]
            votes = _voted(voters.generator(batch.chance(trial)), left)
            known = votes if by_voter else msgspec.structs.replace(votes, voter=None)
            effect = position_effect(fit(votes.pairs()), known)
            found = effect.worth if effect else None
            # What all people together do is flatter than what one of them does.
            truth = POINTS * left / math.sqrt(1.0 + HABIT**2 * 0.346)
            tally.note("held", float(found is not None and found.ci_lower <= truth <= found.ci_upper))
            tally.trials += 1
            batch.step()
        held = tally.figures["held"]
        error = math.sqrt(LEVEL * (1 - LEVEL) / len(held))
        if np.mean(held) < LEVEL - 3 * error - 0.5 / len(held):
            tally.failures.append(f"{np.mean(held):.3f} of the intervals hold the truth (± {error:.3f})")
        return tally

    def summary(self, tally: Tally) -> str:
        return f"{np.mean(tally.figures['held']):.3f} of the intervals hold the truth"


def _voted(rng: np.random.Generator, left_worth: float) -> Votes:
    theta = rng.normal(0.0, 0.4, MODELS)
    voter = np.repeat(np.arange(PEOPLE, dtype=np.int32), EACH)
    one = rng.integers(0, MODELS, len(voter))
    other = (one + rng.integers(1, MODELS, len(voter))) % MODELS
    turned = (one > other) & (rng.random(len(voter)) < 0.5)
    left, right = np.where(turned, other, one), np.where(turned, one, other)
    lead = theta[left] - theta[right] + left_worth + rng.normal(0.0, HABIT, PEOPLE)[voter]
    lost = (rng.random(len(voter)) > 1.0 / (1.0 + np.exp(-lead))).astype(np.int32)
    names = tuple(f"m{place}" for place in range(MODELS))
    return Votes(
        models=names, left=left.astype(np.int32), right=right.astype(np.int32), outcome=lost, voter=voter
    )


CAMPAIGNS = [Position()]
