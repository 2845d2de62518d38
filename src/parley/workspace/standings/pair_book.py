"""The counts of pairs in memory, from which every fit is made. It loads NumPy."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from parley.ratings.arrays import Codes
from parley.ratings.counts import Counts
from parley.ratings.pairs import Pairs
from parley.workspace.standings.delta import Delta


class Cell(msgspec.Struct, frozen=True):
    """How two models did against each other, seen from the first one: wins, losses, ties, both bad."""

    wins: int
    losses: int
    ties: int
    both_bad: int

    @property
    def votes(self) -> int:
        """All votes."""
        return self.wins + self.losses + self.ties + self.both_bad


class _Cells(msgspec.Struct, frozen=True, eq=False):
    """Cells of one category that are all different ones: places in `models`, and what is added to each outcome."""

    models: tuple[str, ...]
    left: Codes
    right: Codes
    numbers: Codes

    def add_to(self, counts: Counts) -> None:
        """Add them to counts."""
        counts.include(self.models)
        known = {model: place for place, model in enumerate(counts.models)}
        place = np.array([known[model] for model in self.models])
        counts.table[place[self.left], place[self.right]] += self.numbers


class Change:
    """A change of the counts as arrays, which take a while to be made and are added in no time."""

    def __init__(self, delta: Delta) -> None:
        self.delta = delta
        self._cells = {key: _cells(found) for key, found in delta.pairs.items()}

    def cells(self, category: str, *, counted: bool) -> _Cells | None:
        """Return what changes of a category; None where nothing does."""
        return self._cells.get((category, counted))

    def add_to(self, book: dict[tuple[str, bool], Counts]) -> None:
        """Add it to counts by category."""
        for key, cells in self._cells.items():
            cells.add_to(book.setdefault(key, Counts()))


class PairBook:
    """Counts by category, those of uncounted votes apart."""

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        """Take in rows of category, left, right, counted, and the four outcomes."""
        self._counts: dict[tuple[str, bool], Counts] = {}
        self._busy = threading.Lock()
        found: dict[tuple[str, bool], list[Sequence[Any]]] = {}
        for row in rows:
            found.setdefault((row[0], row[3]), []).append(row)
        for key, part in found.items():
            self._counts[key] = _counts_of(part)

    def add(self, change: Change) -> None:
        """Add to the counts."""
        with self._busy:
            change.add_to(self._counts)

    def categories(self) -> tuple[str, ...]:
        """Return the categories that have counts."""
        return tuple(dict.fromkeys(category for category, _ in self._counts))

    def pairs(self, category: str, *, include_uncounted: bool = False, plus: Change | None = None) -> Pairs:
        """Return a copy of what a fit needs: the models that have votes, in the order of their ids.

        `plus` is a change that is not in the counts yet.
        """
        return self._ordered(category, include_uncounted, plus).pairs()

    def counts(self, category: str) -> Counts:
        """Return a copy of the counted votes."""
        return self._ordered(category, False, None)

    def cells(self, category: str, *, include_uncounted: bool = False) -> dict[tuple[str, str], Cell]:
        """Return how each ordered pair that met did, sides put together: both (a, b) and (b, a)."""
        pairs = self.pairs(category, include_uncounted=include_uncounted)
        found: dict[tuple[str, str], Cell] = {}
        models = pairs.models
        columns = (pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, pairs.both_bad)
        for first, second, wins, losses, ties, bad in zip(*(it.tolist() for it in columns), strict=True):
            one, other = models[int(first)], models[int(second)]
            found[one, other] = Cell(wins, losses, ties, bad)
            found[other, one] = Cell(losses, wins, ties, bad)
        return found

    def sided(self, category: str, left: str, right: str) -> Cell:
        """Return the counted votes in which one model sat on the left and the other on the right."""
        counts = self._counts.get((category, True))
        models = counts.models if counts else ()
        if counts is None or left not in models or right not in models:
            return Cell(0, 0, 0, 0)
        return Cell(*counts.table[models.index(left), models.index(right)].tolist())

    def between(self, category: str, one: str, other: str) -> Cell:
        """Return the counted votes between two models, sides put together, seen from the first one."""
        mine, theirs = self.sided(category, one, other), self.sided(category, other, one)
        return Cell(
            mine.wins + theirs.losses,
            mine.losses + theirs.wins,
            mine.ties + theirs.ties,
            mine.both_bad + theirs.both_bad,
        )

    def _ordered(self, category: str, include_uncounted: bool, plus: Change | None) -> Counts:
        """Return the counts of a category with its models in order: so a fit does not depend on who came first."""
        both = Counts()
        wanted = (True, False) if include_uncounted else (True,)
        with self._busy:
            for counted in wanted:
                if (counts := self._counts.get((category, counted))) is not None:
                    both.merge(counts)
        for counted in wanted if plus else ():
            if plus and (cells := plus.cells(category, counted=counted)) is not None:
                cells.add_to(both)
        table = both.table
        met = np.flatnonzero(np.logical_or(table.any(axis=(1, 2)), table.any(axis=(0, 2))))
        place = {both.models[at]: at for at in met.tolist()}
        names = sorted(place)
        chosen = np.array([place[name] for name in names], dtype=np.int64)
        ordered = Counts(names)
        if names:
            ordered.table[...] = table[np.ix_(chosen, chosen)]
        return ordered


def _cells(found: Mapping[tuple[str, str], Sequence[int]]) -> _Cells:
    models = tuple(sorted({model for pair in found for model in pair}))
    place = {model: index for index, model in enumerate(models)}
    sides = np.array([(place[left], place[right]) for left, right in found], dtype=np.int32)
    return _Cells(models, sides[:, 0], sides[:, 1], np.array(list(found.values()), dtype=np.int32))


def _counts_of(rows: Sequence[Sequence[Any]]) -> Counts:
    models = sorted({row[1] for row in rows} | {row[2] for row in rows})
    counts = Counts(models)
    place = {model: index for index, model in enumerate(models)}
    left = np.array([place[row[1]] for row in rows])
    right = np.array([place[row[2]] for row in rows])
    counts.table[left, right] = np.array([row[4:] for row in rows], dtype=np.int32)
    return counts
