"""Counts of votes by ordered pair and outcome: the state from which every table is computed."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Integers
from parley.ratings.outcomes import Outcome
from parley.ratings.pairs import Pairs

MODELS_MAX = 4_000
"""Dense counts of more models than this would take more than a gigabyte."""

ROOM = 16
CHUNK = 1 << 18


class Counts:
    """Votes counted by left model, right model and outcome; the order is kept, so that sides can be compared.

    A vote is one increment. Models are added when they first appear. Every category has counts of its own.
    """

    def __init__(self, models: Iterable[str] = ()) -> None:
        self._places: dict[str, int] = {}
        self._table = np.zeros((0, 0, len(Outcome)), dtype=np.int32)
        self._models: list[str] = []
        self.include(models)

    @property
    def models(self) -> tuple[str, ...]:
        """The models in the order in which they appeared: their places in `table`."""
        return tuple(self._models)

    @property
    def table(self) -> NDArray[np.int32]:
        """A view [left, right, outcome] of the counts."""
        size = len(self._models)
        return self._table[:size, :size]

    @property
    def votes(self) -> int:
        """All votes."""
        return int(self.table.sum(dtype=np.int64))

    def include(self, models: Iterable[str]) -> None:
        """Give every model that is not known yet a place. Raises Invalid above MODELS_MAX."""
        new = [model for model in dict.fromkeys(models) if model not in self._places]
        size = len(self._models) + len(new)
        if size > MODELS_MAX:
            raise Invalid("models", f"Counts hold at most {MODELS_MAX} models; rate_votes takes more.")
        for model in new:
            self._places[model] = len(self._models)
            self._models.append(model)
        if size > len(self._table):
            wider = np.zeros((size + ROOM, size + ROOM, len(Outcome)), dtype=np.int32)
            known = len(self._table)
            wider[:known, :known] = self._table
            self._table = wider

    def add(self, left: str, right: str, outcome: Outcome, times: int = 1) -> None:
        """Count one vote, or take it back with `times=-1`. Raises Invalid for a model against itself."""
        places = self._places
        if left not in places or right not in places:
            self.include((left, right))
        if left == right:
            raise Invalid("model_b", f"{left} cannot meet itself.")
        self._table[places[left], places[right], outcome] += times

    def add_votes(self, left: Codes, right: Codes, outcome: Codes) -> None:
        """Count votes given as places in `models` and outcomes; all must be in range."""
        size = len(self._models)
        cells = np.zeros(size * size * len(Outcome), dtype=np.int64)
        for begin in range(0, len(left), CHUNK):
            part = slice(begin, begin + CHUNK)
            key = left[part].astype(np.int64)
            key *= size
            key += right[part]
            key *= len(Outcome)
            key += outcome[part]
            cells += np.bincount(key, minlength=len(cells))
        self._table[:size, :size] += cells.reshape(size, size, len(Outcome)).astype(np.int32)

    def merge(self, other: "Counts") -> None:
        """Take in other counts, as if their votes had been added here."""
        self.include(other.models)
        if other.models:
            place = np.array([self._places[model] for model in other.models])
            self._table[np.ix_(place, place)] += other.table

    def pairs(self) -> Pairs:
        """Return the votes of each pair that met, sides put together."""
        table = self.table
        wins = table[:, :, Outcome.WIN] + table[:, :, Outcome.LOSS].T
        ties = table[:, :, Outcome.TIE] + table[:, :, Outcome.TIE].T
        both_bad = table[:, :, Outcome.BOTH_BAD] + table[:, :, Outcome.BOTH_BAD].T
        first, second = _upper_triangle(len(self._models))
        met = (wins + wins.T + ties + both_bad)[first, second] != 0
        if not met.all():
            first, second = first[met], second[met]
        cells, turned = first * len(table) + second, second * len(table) + first
        numbers = [
            part.reshape(-1)[cell]
            for part, cell in zip((wins, wins, ties, both_bad), (cells, turned, cells, cells), strict=True)
        ]
        return Pairs(self.models, first, second, *(each.astype(np.int64) for each in numbers))


@lru_cache(maxsize=4)
def _upper_triangle(size: int) -> tuple[Integers, Integers]:
    first, second = np.triu_indices(size, k=1)
    return first.astype(np.int64), second.astype(np.int64)
