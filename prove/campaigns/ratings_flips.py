"""How many votes could change who is first, against every way of taking votes out of small tables."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

from parley.ratings.bradley_terry import fit
from parley.ratings.counts import Counts
from parley.ratings.decision import fewest_votes_to_flip
from parley.ratings.outcomes import Outcome
from prove import voters
from prove.campaign import Batch, Tally

MODELS = ("a", "b", "c")
EACH = (9, 14)
"""Votes of a pair."""

MOST = 4
"""Of tables where more votes are named not every way is tried."""

ROUNDING = 1e-9
EXACT = 0.95
"""The share of tables whose number no way undercuts."""

Cell = tuple[int, int, int]


class Flips:
    """Small tables of close models, with ties; a way takes out any of their votes."""

    name = "ratings-flips"
    guarantee = (
        "As many votes as the board says could change the order do: taking them out puts another model first. In "
        f"{EXACT:.0%} of small tables no fewer votes would, and never by more than one."
    )
    trials = 300
    batch = 100
    sample = 12

    def run(self, batch: Batch) -> Tally:
        return self._tally(batch, too_few=0)

    def control(self, batch: Batch) -> Tally:
        """A board that names one vote too few."""
        return self._tally(batch, too_few=1)

    def _tally(self, batch: Batch, *, too_few: int) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            counts = _close(voters.generator(batch.chance(trial)))
            flip = fewest_votes_to_flip(fit(counts.pairs()))
            tally.trials += 1
            batch.step()
            if flip is None or flip.votes > MOST:
                continue
            named = flip.votes - too_few
            fewest = next((number for number in range(named + 1) if _changes(counts, flip.top, number)), None)
            if fewest is None:
                tally.failures.append(f"trial {trial}: no {named} votes change the order")
                continue
            tally.note("exact", float(fewest == named))
            if named - fewest > 1:
                tally.failures.append(f"trial {trial}: {named} votes named, {fewest} change the order")
        exact = tally.figures.get("exact", [0.0])
        if not too_few and np.mean(exact) < EXACT:
            tally.failures.append(f"only {np.mean(exact):.1%} of the numbers are the fewest")
        return tally

    def summary(self, tally: Tally) -> str:
        exact = tally.figures["exact"]
        return f"{len(exact)} tables searched whole; in {np.mean(exact):.1%} no fewer votes change the order"


def _close(rng: np.random.Generator) -> Counts:
    """Return the votes on three models of nearly one strength."""
    counts = Counts(list(MODELS))
    theta = rng.normal(0.0, 0.25, len(MODELS))
    for i in range(len(MODELS)):
        for j in range(i + 1, len(MODELS)):
            for _ in range(rng.integers(*EACH)):
                won = Outcome.WIN if rng.random() < 1 / (1 + np.exp(theta[j] - theta[i])) else Outcome.LOSS
                counts.add(MODELS[i], MODELS[j], Outcome.TIE if rng.random() < 0.15 else won)
    return counts


def _changes(counts: Counts, top: str, number: int) -> bool:
    """Return whether there is a way to take out so many votes that another model is first."""
    place = MODELS.index(top)
    for way in _ways(counts, number):
        for cell in way:
            counts.table[cell] -= 1
        theta = fit(counts.pairs()).theta
        for cell in way:
            counts.table[cell] += 1
        if bool((np.delete(theta, place) > theta[place] + ROUNDING).any()):
            return True
    return False


def _ways(counts: Counts, number: int) -> Iterator[tuple[Cell, ...]]:
    cells: list[Cell] = [
        (int(i), int(j), int(kind)) for i, j, kind in zip(*np.nonzero(counts.table), strict=True)
    ]
    for way in combinations_with_replacement(cells, number):
        if all(way.count(cell) <= counts.table[cell] for cell in set(way)):
            yield way


CAMPAIGNS = [Flips()]
