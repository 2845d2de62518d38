"""Weighted ratings: what the table would be had every pair of models been drawn equally often."""

import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.bradley_terry import fit
from parley.ratings.intervals import HalfWidths, half_widths
from parley.ratings.lines import WeightedRatings
from parley.ratings.refits import rating_shifts, refit
from parley.ratings.votes import Votes

FEWEST = 30
"""With fewer votes whose chance of being drawn is known, nothing is said."""

ALIKE = 1e-6
"""Weights that differ by less are the same: the votes are weighted as they are."""


def weighted_ratings(
    votes: Votes, chance: Floats, *, errors: HalfWidths = half_widths
) -> WeightedRatings | None:
    """Return by how much each rating moves where a vote counts 1 / its pair's chance of being drawn.

    Horvitz & Thompson (1952): so each pair counts as if it had been drawn equally often, whichever the draw preferred.
    Where strengths explain the votes, ratings move by luck alone; a real shift shows pairs that no strength explains.
    `chance` is each vote's probability of its draw, NaN where it is unknown: those are left out.

    Returns None where there are fewer than FEWEST such votes, or the chances are all alike.
    """
    known = np.isfinite(chance) & (chance > 0)
    if int(known.sum()) < FEWEST:
        return None
    votes = votes.where(known)
    weight: Floats = 1.0 / chance[known].astype(np.float64)
    weight /= weight.mean()
    if np.ptp(weight) < ALIKE:
        return None
    plain = fit(votes.pairs())
    weighted = refit(plain, votes, weight=weight)
    if weighted is None:
        return None
    effective = float(weight.sum() ** 2 / (weight @ weight))
    shifts = rating_shifts(plain, votes, weighted, errors=errors)
    return WeightedRatings(len(votes), round(effective, 1), shifts)
