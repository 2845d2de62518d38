"""The counts of pairs in memory, from which every table is fitted. It loads NumPy."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from parley.ratings.arrays import Codes
from parley.ratings.counts import Counts
from parley.ratings.pairs import Pairs


class Cell(msgspec.Struct, frozen=True):
    """The outcomes between two models, from the first one's view."""

    wins: int
    losses: int
    ties: int
    both_bad: int

    @property
    def votes(self) -> int:
        """All votes."""
        return self.wins + self.losses + self.ties + self.both_bad


class SparseCounts(NamedTuple):
    """Numbers to add to distinct cells of one category; sides are places in `models`."""

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


PairDelta: TypeAlias = Mapping[tuple[str, bool], SparseCounts]
"""Counts to add, by category and whether counted."""


def pair_delta(rows: Iterable[Sequence[Any]]) -> PairDelta:
    """Return rows as counts to add, in a thread: slow to make, and quick to add.

    A row has category, left, right, counted, and the four outcomes.
    """
    deltas: dict[tuple[str, bool], list[Sequence[Any]]] = {}
    for row in rows:
        deltas.setdefault((row[0], row[3]), []).append(row)
    return {key: _sparse(part) for key, part in deltas.items()}


class PairCounts:
    """Counts by category; those of uncounted votes are kept apart."""

    def __init__(self, rows: Iterable[Sequence[Any]] = ()) -> None:
        """`rows` are category, left, right, counted, and the four outcomes."""
        self._counts: dict[tuple[str, bool], Counts] = {}
        self._lock = threading.Lock()
        self.add(pair_delta(rows))

    def add(self, delta: PairDelta) -> None:
        """Add to the counts."""
        with self._lock:
            for key, cells in delta.items():
                cells.add_to(self._counts.setdefault(key, Counts()))

    def categories(self) -> tuple[str, ...]:
        """Return the categories that have counts."""
        return tuple(dict.fromkeys(category for category, _ in self._counts))

    def pairs(
        self, category: str, *, include_uncounted: bool = False, plus: PairDelta | None = None
    ) -> Pairs:
        """Return a copy of what a fit needs: the models that have votes, in the order of their ids.

        `plus` is a change that is not in the counts yet.
        """
        return self._ordered(category, include_uncounted, plus).pairs()

    def counts(self, category: str) -> Counts:
        """Return a copy of the counted votes."""
        return self._ordered(category, False, None)

    def cells(self, category: str, *, include_uncounted: bool = False) -> dict[tuple[str, str], Cell]:
        """Return the outcomes of each pair that met, both as (a, b) and (b, a)."""
        pairs = self.pairs(category, include_uncounted=include_uncounted)
        by_pair: dict[tuple[str, str], Cell] = {}
        models = pairs.models
        columns = (pairs.first, pairs.second, pairs.wins, pairs.losses, pairs.ties, pairs.both_bad)
        for first, second, wins, losses, ties, bad in zip(*(it.tolist() for it in columns), strict=True):
            one, other = models[int(first)], models[int(second)]
            by_pair[one, other] = Cell(wins, losses, ties, bad)
            by_pair[other, one] = Cell(losses, wins, ties, bad)
        return by_pair

    def sided(self, category: str, left: str, right: str) -> Cell:
        """Return the counted votes with one model on the left and the other on the right."""
        counts = self._counts.get((category, True))
        models = counts.models if counts else ()
        if counts is None or left not in models or right not in models:
            return Cell(0, 0, 0, 0)
        return Cell(*counts.table[models.index(left), models.index(right)].tolist())

    def between(self, category: str, one: str, other: str) -> Cell:
        """Return the counted votes between two models, from the first one's view."""
        mine, theirs = self.sided(category, one, other), self.sided(category, other, one)
        return Cell(
            mine.wins + theirs.losses,
            mine.losses + theirs.wins,
            mine.ties + theirs.ties,
            mine.both_bad + theirs.both_bad,
        )

    def _ordered(self, category: str, include_uncounted: bool, plus: PairDelta | None) -> Counts:
        """Return counts with the models sorted, so that a fit does not depend on which came first."""
        both = Counts()
        wanted = (True, False) if include_uncounted else (True,)
        with self._lock:
            for counted in wanted:
                if (counts := self._counts.get((category, counted))) is not None:
                    both.merge(counts)
        for counted in wanted if plus else ():
            if plus and (cells := plus.get((category, counted))) is not None:
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


def _sparse(rows: Sequence[Sequence[Any]]) -> SparseCounts:
    models = tuple(sorted({row[1] for row in rows} | {row[2] for row in rows}))
    place = {model: index for index, model in enumerate(models)}
    left = np.array([place[row[1]] for row in rows], dtype=np.int32)
    right = np.array([place[row[2]] for row in rows], dtype=np.int32)
    return SparseCounts(models, left, right, np.array([row[4:] for row in rows], dtype=np.int32))
