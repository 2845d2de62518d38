"""Elo replayed over votes in their order: what the online ratings would be, had these been all votes."""

import math

import numpy as np

from parley.ratings.arrays import Floats
from parley.ratings.elo import INITIAL, SCALE, K
from parley.ratings.ranks import rank_by_order
from parley.ratings.standings import Anchor, Columns, Standings, anchored, lines_of
from parley.ratings.votes import Votes

SCORES = (1.0, 0.0, 0.5, 0.5)
"""What the left side gets, by outcome."""


def replay(votes: Votes, *, k: float = K, initial: float = INITIAL) -> Floats:
    """Return each model's Elo after all votes, one after the other; a tie and both bad count 0.5."""
    rating = [initial] * len(votes.models)
    lefts: list[int] = votes.left.tolist()
    rights: list[int] = votes.right.tolist()
    outcomes: list[int] = votes.outcome.tolist()
    for left, right, outcome in zip(lefts, rights, outcomes, strict=True):
        lead = rating[left] - rating[right]
        gain = k * (SCORES[outcome] - 1.0 / (1.0 + math.pow(10.0, -lead / SCALE)))
        rating[left] += gain
        rating[right] -= gain
    return np.array(rating)


def elo_standings(
    votes: Votes, *, k: float = K, initial: float = INITIAL, anchor: Anchor | None = None
) -> Standings:
    """Return the table by Elo. It has no intervals, so both ranks are the plain order; equal ratings share one."""
    rating = anchored(votes.models, replay(votes, k=k, initial=initial), anchor)
    rank = rank_by_order(rating)
    nobody = np.zeros(len(rating), dtype=np.int32)
    columns = Columns(
        rating=rating, rank_ub=rank, rank=rank, provisional=nobody.astype(np.bool_), group=nobody
    )
    numbers = votes.pairs().per_model()
    lines = lines_of(votes.models, numbers, columns)
    return Standings(standings=lines, votes=len(votes), method="elo", groups=min(1, len(lines)))
