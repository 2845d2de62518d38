"""Results of each pair of models, sides put together: all that a Bradley-Terry fit needs."""

from collections.abc import Sequence

import msgspec
import numpy as np

from parley.ratings.arrays import Floats, Integers, sums
from parley.ratings.outcomes import Outcome


class Pairs(msgspec.Struct, frozen=True, eq=False):
    """One entry per pair that met: `first` < `second` are places in `models`, the rest are numbers of votes."""

    models: Sequence[str]
    first: Integers
    second: Integers
    wins: Integers
    """Votes for `first`."""
    losses: Integers
    """Votes for `second`."""
    ties: Integers
    both_bad: Integers
    sides: Integers | None = None
    """The result of `per_model`, where it is known already."""

    @property
    def votes(self) -> Integers:
        """All votes of each pair."""
        votes = self.wins + self.losses
        votes += self.ties
        votes += self.both_bad
        return votes

    @property
    def halves(self) -> Integers:
        """Votes that count half for either side: ties and both bad."""
        return self.ties + self.both_bad

    @property
    def total(self) -> int:
        """All votes."""
        return int(self.votes.sum() if self.sides is None else self.sides.sum() // 2)

    def per_model(self) -> Integers:
        """Return an array [model, outcome] of votes, each seen from the model's side."""
        if self.sides is not None:
            return self.sides
        size = len(self.models)
        counted = np.empty((size, len(Outcome)), dtype=np.int64)
        columns = ((self.wins, self.losses), (self.losses, self.wins), (self.ties,) * 2, (self.both_bad,) * 2)
        for column, (ours, theirs) in enumerate(columns):
            counted[:, column] = sums(self.first, ours, size) + sums(self.second, theirs, size)
        return counted

    def decisive(self) -> "Pairs":
        """Return the same without ties and both bad."""
        has_winner = (self.wins + self.losses) > 0
        none = np.zeros(int(has_winner.sum()), dtype=np.int64)
        return Pairs(
            self.models,
            self.first[has_winner],
            self.second[has_winner],
            self.wins[has_winner],
            self.losses[has_winner],
            none,
            none,
        )


def pairs_of_cells(models: Sequence[str], left: Integers, right: Integers, cells: Integers) -> Pairs:
    """Put ordered rows together; `cells[row, outcome]` are votes with `left[row]` on the left side."""
    size = len(models)
    first, second = np.minimum(left, right), np.maximum(left, right)
    keys, place = np.unique(first * size + second, return_inverse=True)
    turned = left > right
    wins = np.where(turned, cells[:, Outcome.LOSS], cells[:, Outcome.WIN])
    losses = np.where(turned, cells[:, Outcome.WIN], cells[:, Outcome.LOSS])

    def gathered(numbers: Integers) -> Integers:
        return np.bincount(place, numbers, len(keys)).astype(np.int64)

    return Pairs(
        models,
        keys // max(size, 1),
        keys % max(size, 1),
        gathered(wins),
        gathered(losses),
        gathered(cells[:, Outcome.TIE]),
        gathered(cells[:, Outcome.BOTH_BAD]),
    )


def shares(pairs: Pairs) -> Floats:
    """Return S: what `first` got of each pair's votes, a tie or both bad being half."""
    return pairs.wins + 0.5 * pairs.halves
