"""Leads over rivals: by how much one contestant scores more than the best of several on the same questions."""

from typing import NamedTuple

import numpy as np

from parley.ratings.arrays import Floats

RESAMPLES = 4_000
SEED = 20261123
PSEUDO = np.array([[1.0, 0.5], [-1.0, 0.5], [0.0, 1.0]])
"""Two questions that are added to those asked, as leads with weights (Agresti & Min 2005, section 4)."""


class BestRival(NamedTuple):
    """The lead over the best rival, as a share of the questions from −1 to 1, with its 95% interval."""

    place: int
    lead: float
    low: float
    high: float


def lead_over_best(leads: Floats) -> BestRival:
    """Return the lead over the rival that does best, from leads in −1 … 1: a row per question, a column per rival.

    Picking the best rival by the same questions favours it. Each resample of the questions therefore picks its own,
    and the interval is the basic bootstrap one, 2·lead − quantiles (Davison & Hinkley 1997, section 5.2), which moves
    by the bias that the resamples show. Few questions that all agree do not make it a point: PSEUDO are added.
    """
    means = leads.mean(axis=0)
    place = int(np.argmin(means))
    rows = np.concatenate([leads, np.broadcast_to(PSEUDO[:, :1], (len(PSEUDO), leads.shape[1]))])
    weights = np.concatenate([np.ones(len(leads)), PSEUDO[:, 1]])
    total = round(float(weights.sum()))
    chance = np.random.default_rng(SEED)
    drawn = (chance.multinomial(total, weights / total) for _ in range(RESAMPLES))
    lowest = np.array([(counts @ rows).min() / total for counts in drawn])
    lead = float((weights @ rows).min() / total)
    low, high = (2.0 * lead - float(np.quantile(lowest, share)) for share in (0.975, 0.025))
    return BestRival(place, float(means[place]), max(low, -1.0), min(high, 1.0))
