"""A public prior: published results of pairs of models, as votes that may be fractions, beside one's own."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import numpy as np

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Floats, Integers
from parley.ratings.pairs import Pairs


class PublishedPair(NamedTuple):
    """Published results of two models: numbers of votes, which may be fractions. Both bad is a tie."""

    model_a: str
    model_b: str
    wins_a: float
    wins_b: float
    ties: float

    @property
    def votes(self) -> float:
        """All votes of the pair."""
        return self.wins_a + self.wins_b + self.ties


class PriorVotes(msgspec.Struct, frozen=True, eq=False):
    """The votes of a prior by place in some pairs; zero where it has none."""

    won: Floats
    """The score of `first`, a tie being half."""
    votes: Floats

    @property
    def lost(self) -> Floats:
        """The score of `second`."""
        return self.votes - self.won


class PublicPrior(msgspec.Struct, frozen=True, eq=False):
    """Published results scaled to a number of votes: the power prior of Ibrahim & Chen (2000).

    The likelihood of the published votes enters the fit to the power `weight` / their number, as if fewer had been
    cast. A pair appears once.
    """

    one: tuple[str, ...]
    other: tuple[str, ...]
    won: Floats
    """The score of `one` in each pair's votes, a tie being half."""
    votes: Floats

    @property
    def weight(self) -> float:
        """The votes that it counts as, over all its pairs."""
        return float(self.votes.sum())

    def joined(self, pairs: Pairs) -> tuple[Pairs, PriorVotes | None]:
        """Return the pairs with those of the prior among the same models, which may have no own votes, and its votes.

        The prior's votes are None where it says nothing of these models.
        """
        size = len(pairs.models)
        place = {model: number for number, model in enumerate(pairs.models)}
        used = [
            row for row, it in enumerate(zip(self.one, self.other, strict=True)) if place.keys() >= set(it)
        ]
        if not used:
            return pairs, None
        one = np.array([place[self.one[row]] for row in used], dtype=np.int64)
        other = np.array([place[self.other[row]] for row in used], dtype=np.int64)
        won, votes = self.won[used], self.votes[used]
        own = pairs.first * size + pairs.second
        keys_of_pairs = np.minimum(one, other) * size + np.maximum(one, other)
        keys = np.union1d(own, keys_of_pairs).astype(np.int64)
        at, here = np.searchsorted(keys, own), np.searchsorted(keys, keys_of_pairs)

        def spread(numbers: Integers) -> Integers:
            spread_out = np.zeros(len(keys), dtype=np.int64)
            spread_out[at] = numbers
            return spread_out

        columns = (spread(it) for it in (pairs.wins, pairs.losses, pairs.ties, pairs.both_bad))
        first: Integers = (keys // size).astype(np.int64)
        wider = Pairs(pairs.models, first, keys - size * first, *columns, sides=pairs.per_model())
        added = PriorVotes(np.zeros(len(keys)), np.zeros(len(keys)))
        added.won[here] = np.where(one < other, won, votes - won)
        added.votes[here] = votes
        return wider, added


def public_prior(results: Iterable[PublishedPair], weight: float) -> PublicPrior:
    """Return published results as a prior that counts as `weight` votes in all; results of one pair are added.

    Raises Invalid for a weight that is not positive, or above the number of published votes: votes that were never
    cast would be counted.
    """
    won: dict[tuple[str, str], float] = {}
    votes: dict[tuple[str, str], float] = {}
    for it in results:
        turned = it.model_a > it.model_b
        key = (it.model_b, it.model_a) if turned else (it.model_a, it.model_b)
        won[key] = won.get(key, 0.0) + (it.wins_b if turned else it.wins_a) + 0.5 * it.ties
        votes[key] = votes.get(key, 0.0) + it.votes
    keys = sorted(key for key, number in votes.items() if number > 0)
    total = math.fsum(votes[key] for key in keys)
    if not (math.isfinite(weight) and weight > 0):
        raise Invalid("weight", "weight: must be a number above 0.")
    if weight > total * (1 + 1e-9):
        raise Invalid(
            "weight",
            f"weight: {weight:,.12g} is more than the {total:,.12g} votes published between your models.",
            "A prior can't count as more votes than it has.",
        )
    scale = weight / total
    return PublicPrior(
        tuple(key[0] for key in keys),
        tuple(key[1] for key in keys),
        np.array([scale * won[key] for key in keys], dtype=np.float64),
        np.array([scale * votes[key] for key in keys], dtype=np.float64),
    )
