"""Elo replayed over votes in their order: what the online ratings would be, had these been all votes."""

import math
from collections.abc import Sequence

import numpy as np

from parley.ratings.arrays import Floats, Integers
from parley.ratings.elo import INITIAL, SCALE, K
from parley.ratings.lines import Line
from parley.ratings.outcomes import SCORES
from parley.ratings.ranks import rank_by_order
from parley.ratings.standings import Anchor, Columns, Standings, anchored, lines_of
from parley.ratings.votes import Votes


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
    """Return the table by Elo."""
    rating = anchored(votes.models, replay(votes, k=k, initial=initial), anchor)
    lines = elo_lines(votes.models, votes.pairs().per_model(), rating)
    return Standings(standings=lines, votes=len(votes), method="elo", groups=min(1, len(lines)))


def elo_lines(models: Sequence[str], numbers: Integers, rating: Floats) -> tuple[Line, ...]:
    """Return lines by Elo, which has no intervals: both ranks are the plain order, equal ratings sharing one."""
    rank = rank_by_order(rating)
    zeros = np.zeros(len(rating), dtype=np.int32)
    columns = Columns(rating=rating, rank_ub=rank, rank=rank, provisional=zeros.astype(np.bool_), group=zeros)
    return lines_of(models, numbers, columns)
