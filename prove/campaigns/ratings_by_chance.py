"""“These scores change by more than chance”: said of nothing where only chance is at work, at any look."""

import math

import msgspec
import numpy as np

from parley.ratings.bradley_terry import fit
from parley.ratings.intervals import HalfWidths, anytime_half_widths, half_widths
from parley.ratings.lines import RatingShift
from parley.ratings.position import position_effect
from parley.ratings.votes import Votes
from parley.ratings.weighting import weighted_ratings
from prove import voters
from prove.campaign import Batch, Tally

AT_MOST = 0.05
MODELS, PEOPLE, EACH = 10, 100, 40
LOOKS = (150, 300, 500, 800, 1_200, 1_800, 2_600, 4_000)
FAVOURED = 0.8
"""In how many of their votes the last model beats the first whatever strengths say, where something real is at work."""


class ByChance:
    """Pairs drawn unequally, and sides that are worth nothing, with people who have tastes."""

    name = "ratings-by-chance"
    guarantee = (
        "Where strengths explain the votes and sides are worth nothing, no score is ever said to change by more than "
        "chance in 95 of 100 arenas, at any look; where pairs differ really, it is said."
    )
    trials = 400
    batch = 40
    sample = 20

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, anytime_half_widths)

    def control(self, batch: Batch) -> Tally:
        """Intervals for a single look."""
        return self._tally(msgspec.structs.replace(batch, count=40), half_widths)

    def _tally(self, batch: Batch, errors: HalfWidths) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            rng = voters.generator(batch.chance(trial))
            true = voters.arena(rng, MODELS, spread=0.4, halves=0.3)
            votes = voters.voted_by_taste(rng, true, PEOPLE, EACH, taste=0.3)
            votes = votes.where(rng.permutation(len(votes)))
            chance = (true.weights / true.weights.sum())[np.stack([votes.left, votes.right])].prod(axis=0)
            draws, sides = _said(votes, chance, errors)
            tally.note("draws", float(draws))
            tally.note("sides", float(sides))
            draws, _ = _said(_with_a_favoured_pair(rng, votes), chance, errors)
            tally.note("real", float(draws))
            tally.trials += 1
            batch.step()
        error = math.sqrt(AT_MOST * (1 - AT_MOST) / tally.trials)
        for what in ("draws", "sides"):
            share = float(np.mean(tally.figures[what]))
            if share > AT_MOST + 3 * error:
                tally.failures.append(
                    f"{what}: more than chance is seen in {share:.3f} of arenas (± {error:.3f})"
                )
        if (found := float(np.mean(tally.figures["real"]))) < 0.5:
            tally.failures.append(f"a real difference between pairs is found in {found:.3f} of arenas only")
        return tally

    def summary(self, tally: Tally) -> str:
        draws, sides, real = (float(np.mean(tally.figures[name])) for name in ("draws", "sides", "real"))
        return f"said wrongly at any look: of draws {draws:.3f}, of sides {sides:.3f}; said of a real one {real:.3f}"


def _said(votes: Votes, chance: np.ndarray, errors: HalfWidths) -> tuple[bool, bool]:
    """Return whether a look says that scores change by more than chance: with equal draws, and with equal sides."""
    draws = sides = False
    for look in LOOKS:
        known = np.arange(len(votes)) < look
        seen = votes.where(known)
        weighted = weighted_ratings(seen, chance[known], errors=errors)
        draws |= weighted is not None and any(map(_real, weighted.shifts))
        side = position_effect(fit(seen.pairs()), seen, errors=errors)
        sides |= side is not None and any(map(_real, side.shifts))
    return draws, sides


def _real(shift: RatingShift) -> bool:
    return shift.ci_lower > 0 or shift.ci_upper < 0


def _with_a_favoured_pair(rng: np.random.Generator, votes: Votes) -> Votes:
    """Let the last model beat the first, which is drawn most, far more often than strengths say."""
    first, last = 0, MODELS - 1
    outcome = votes.outcome.copy()
    turned = rng.random(len(votes)) < FAVOURED
    outcome[turned & (votes.left == last) & (votes.right == first)] = 0
    outcome[turned & (votes.left == first) & (votes.right == last)] = 1
    return msgspec.structs.replace(votes, outcome=outcome)


CAMPAIGNS = [ByChance()]
