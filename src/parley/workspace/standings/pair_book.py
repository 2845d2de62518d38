"""The counts of pairs in memory, from which every fit is made. It loads NumPy."""

import threading
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np

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

    def add(self, delta: Delta) -> None:
        """Add to the counts."""
        with self._busy:
            for key, cells in _by_category(delta).items():
                if key not in self._counts:
                    self._counts[key] = Counts()
                _add(self._counts[key], cells)

    def categories(self) -> tuple[str, ...]:
        """Return the categories that have counts."""
        return tuple(dict.fromkeys(category for category, _ in self._counts))

    def pairs(self, category: str, *, include_uncounted: bool = False, plus: Delta | None = None) -> Pairs:
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

    def _ordered(self, category: str, include_uncounted: bool, plus: Delta | None) -> Counts:
        """Return the counts of a category with its models in order: so a fit does not depend on who came first."""
        both = Counts()
        wanted = (True, False) if include_uncounted else (True,)
        with self._busy:
            for counted in wanted:
                if (counts := self._counts.get((category, counted))) is not None:
                    both.merge(counts)
        for (changed, counted), cells in _by_category(plus, category).items() if plus else ():
            if changed == category and counted in wanted:
                _add(both, cells)
        table = both.table
        met = np.flatnonzero(np.logical_or(table.any(axis=(1, 2)), table.any(axis=(0, 2))))
        place = {both.models[at]: at for at in met.tolist()}
        names = sorted(place)
        chosen = np.array([place[name] for name in names], dtype=np.int64)
        ordered = Counts(names)
        if names:
            ordered.table[...] = table[np.ix_(chosen, chosen)]
        return ordered


_Cells: TypeAlias = "list[tuple[str, str, Sequence[int]]]"


def _by_category(delta: Delta, only: str | None = None) -> dict[tuple[str, bool], _Cells]:
    found: dict[tuple[str, bool], _Cells] = {}
    for (category, left, right, counted), numbers in delta.pairs.items():
        if only is None or category == only:
            found.setdefault((category, counted), []).append((left, right, numbers))
    return found


def _add(counts: Counts, cells: _Cells) -> None:
    """Add to cells that are all different ones."""
    counts.include(sorted({cell[0] for cell in cells} | {cell[1] for cell in cells}))
    place = {model: index for index, model in enumerate(counts.models)}
    left = np.array([place[cell[0]] for cell in cells])
    right = np.array([place[cell[1]] for cell in cells])
    counts.table[left, right] += np.array([cell[2] for cell in cells], dtype=np.int32)


def _counts_of(rows: Sequence[Sequence[Any]]) -> Counts:
    models = sorted({row[1] for row in rows} | {row[2] for row in rows})
    counts = Counts(models)
    place = {model: index for index, model in enumerate(models)}
    left = np.array([place[row[1]] for row in rows])
    right = np.array([place[row[2]] for row in rows])
    counts.table[left, right] = np.array([row[4:] for row in rows], dtype=np.int32)
    return counts
