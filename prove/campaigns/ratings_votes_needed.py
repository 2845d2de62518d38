"""Votes needed: the number on the decision card, cast as it says."""

import math

import numpy as np

from parley.ratings.bradley_terry import fit
from parley.ratings.counts import Counts
from parley.ratings.decision import SETTLED, decide
from parley.ratings.intervals import HalfWidths, anytime_half_widths, half_widths
from parley.ratings.outcomes import Outcome
from parley.ratings.scale import POINTS
from prove import voters
from prove.campaign import Batch, Tally

LOW, HIGH = 0.75, 0.85
RUNS = 40
MOST = 200_000
WIDTHS: dict[str, HalfWidths] = {"anytime": anytime_half_widths, "plain": half_widths}
SIZES = (2, 8, 20)
"""Numbers of models; in a table of two the outcome shares are the pair's own."""


class VotesNeeded:
    """Undecided pairs whose next votes are drawn from the shares so far."""

    name = "ratings-votes-needed"
    guarantee = (
        "The votes that are said to settle a pair settle it in 75% to 85% of runs, at any rate of ties."
    )
    trials = 360
    batch = 60
    sample = 24

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, enough=1.0)

    def control(self, batch: Batch) -> Tally:
        """Half as many votes as it says."""
        return self._tally(batch, enough=0.5)

    def _tally(self, batch: Batch, *, enough: float) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            for name, errors in WIDTHS.items():
                self._trial(tally, voters.generator(batch.chance(trial)), trial, name, errors, enough)
            tally.trials += 1
            batch.step()
        for name, runs in tally.figures.items():
            found, slack = float(np.mean(runs)), 3 * math.sqrt(SETTLED * (1 - SETTLED) / len(runs))
            if not LOW - slack <= found <= HIGH + slack:
                tally.failures.append(f"{name}: settled in {found:.1%} of {len(runs)} runs")
        return tally

    def _trial(
        self, tally: Tally, rng: np.random.Generator, trial: int, name: str, errors: HalfWidths, enough: float
    ) -> None:
        size, halves = SIZES[trial % len(SIZES)], (0.0, 0.3, 0.7)[trial // len(SIZES) % 3]
        true = voters.arena(rng, size, spread=0.2, halves=halves)
        counts = voters.counted(rng, true, 120 * size)
        fitted = fit(counts.pairs())
        best, second = (counts.models[place] for place in np.argsort(-fitted.theta)[:2].tolist())
        before = decide(fitted, best, second, errors=errors)
        if before.decided or before.votes_needed is None or before.votes_needed > MOST:
            return
        shares = _shares(counts, before.lead / POINTS, best, second)
        for _ in range(RUNS):
            more = Counts(counts.models)
            more.merge(counts)
            number = rng.multinomial(max(round(before.votes_needed * enough), 1), shares)
            for outcome, votes in zip(Outcome, number.tolist(), strict=True):
                more.add(best, second, outcome, votes)
            after = decide(fit(more.pairs(), start=fitted.theta), best, second, errors=errors)
            tally.note(name, float(after.decided and after.model == best))

    def summary(self, tally: Tally) -> str:
        return "; ".join(
            f"{name} settled {np.mean(runs):.1%} of {len(runs)}" for name, runs in tally.figures.items()
        )


def _shares(counts: Counts, lead: float, best: str, second: str) -> np.ndarray:
    """Return the pair's share of each outcome: ties as they were, wins as the table's lead has them."""
    i, j = counts.models.index(best), counts.models.index(second)
    met = counts.table[i, j] + counts.table[j, i][[1, 0, 2, 3]]
    p = 1.0 / (1.0 + math.exp(-lead))
    ties = min(float(met[2:].sum()) / max(int(met.sum()), 1), 2.0 * (1.0 - p))
    return np.array([p - ties / 2, 1.0 - p - ties / 2, ties, 0.0])


CAMPAIGNS = [VotesNeeded()]
