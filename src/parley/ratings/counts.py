"""Counts of votes by ordered pair and outcome: the state from which every table is computed."""

from collections.abc import Iterable
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from parley.kernel.errors import Invalid
from parley.ratings.arrays import Codes, Integers
from parley.ratings.outcomes import Outcome
from parley.ratings.pairs import Pairs

MODELS_MAX = 4_000
"""Dense counts of more models than this would take more than a gigabyte."""

SPARE = 16
CHUNK = 1 << 18


class Counts:
    """Votes counted by left model, right model and outcome; the order is kept, so that sides can be compared.

    A vote is one increment. Models are added when they first appear. Every category has counts of its own.
    """

    def __init__(self, models: Iterable[str] = ()) -> None:
        self._places: dict[str, int] = {}
        # A plane per outcome, so that what is added up lies side by side in memory.
        self._planes = np.zeros((len(Outcome), 0, 0), dtype=np.int32)
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
        return np.moveaxis(self._planes[:, :size, :size], 0, 2)

    def include(self, models: Iterable[str]) -> None:
        """Add models that are not known yet. Raises Invalid above MODELS_MAX."""
        new = [model for model in dict.fromkeys(models) if model not in self._places]
        size = len(self._models) + len(new)
        if size > MODELS_MAX:
            raise Invalid("models", f"Counts hold at most {MODELS_MAX} models; rate_votes takes more.")
        for model in new:
            self._places[model] = len(self._models)
            self._models.append(model)
        known = self._planes.shape[1]
        if size > known:
            wider = np.zeros((len(Outcome), size + SPARE, size + SPARE), dtype=np.int32)
            wider[:, :known, :known] = self._planes
            self._planes = wider

    def add(self, left: str, right: str, outcome: Outcome, times: int = 1) -> None:
        """Count one vote, or take it back with `times=-1`. Raises Invalid for a model against itself."""
        if left == right:
            raise Invalid("model_b", f"{left} cannot meet itself.")
        places = self._places
        if left not in places or right not in places:
            self.include((left, right))
        self._planes[outcome, places[left], places[right]] += times

    def add_votes(self, left: Codes, right: Codes, outcome: Codes) -> None:
        """Count votes given as places in `models` and outcomes; all must be in range."""
        size = len(self._models)
        cells = np.zeros(size * size * len(Outcome), dtype=np.int64)
        for begin in range(0, len(left), CHUNK):
            part = slice(begin, begin + CHUNK)
            key = outcome[part].astype(np.int64)
            key *= size
            key += left[part]
            key *= size
            key += right[part]
            cells += np.bincount(key, minlength=len(cells))
        self._planes[:, :size, :size] += cells.reshape(len(Outcome), size, size).astype(np.int32)

    def merge(self, other: "Counts") -> None:
        """Add other counts."""
        self.include(other.models)
        if other.models:
            place = np.array([self._places[model] for model in other.models])
            self.table[np.ix_(place, place)] += other.table

    def pairs(self) -> Pairs:
        """Return the votes of each pair that met, sides put together."""
        size = len(self._models)
        won, lost, tied, bad = self._planes[:, :size, :size]
        wins, ties, both_bad = won + lost.T, tied + tied.T, bad + bad.T
        above = _upper_triangle(size)
        won_by, lost_by = (wins.reshape(-1).take(cells) for cells in (above.cells, above.turned))
        tied_by, bad_by = (matrix.reshape(-1).take(above.cells) for matrix in (ties, both_bad))
        first, second, columns = above.first, above.second, (won_by, lost_by, tied_by, bad_by)
        met = (won_by | lost_by | tied_by | bad_by) != 0
        if not met.all():
            first, second, columns = first[met], second[met], tuple(column[met] for column in columns)
        won_by, lost_by, tied_by, bad_by = (column.astype(np.int64) for column in columns)
        sides = (wins.sum(axis=1), wins.sum(axis=0), ties.sum(axis=1), both_bad.sum(axis=1))
        per_model = np.stack(sides, axis=1).astype(np.int64)
        return Pairs(self.models, first, second, won_by, lost_by, tied_by, bad_by, sides=per_model)


class _Triangle(msgspec.Struct, frozen=True, eq=False):
    """The pairs of so many models: places of both, and of their cell, and its mirror's, in a matrix read in one go."""

    first: Integers
    second: Integers
    cells: Integers
    turned: Integers


@lru_cache(maxsize=4)
def _upper_triangle(size: int) -> _Triangle:
    first, second = (places.astype(np.int64) for places in np.triu_indices(size, k=1))
    return _Triangle(first, second, first * size + second, second * size + first)
