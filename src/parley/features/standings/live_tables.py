"""Live tables: the snapshot in memory that every query reads and the worker updates."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from parley.features.standings.accumulators import VoteBatch
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.schemas import Method
from parley.features.standings.snapshot import Snapshot, Table
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    from parley.features.standings.pair_counts import Cell, PairCounts
    from parley.features.standings.refit import FittedTable
    from parley.ratings.bradley_terry import Fit

FitKey: TypeAlias = tuple[str, Method, bool]
"""A category, a method, and whether uncounted votes are included."""


class LiveTables:
    """Tables by category and method, with the fits behind them.

    They belong to the event loop; fits run in threads. The snapshot is loaded once, the counts of pairs when needed.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self.snapshot = Snapshot()
        self._loaded = False
        self._database = database
        self._clock = clock
        self._pair_counts: PairCounts | None = None
        self._fitted: dict[FitKey, FittedTable] = {}
        self._current: set[FitKey] = set()
        self._preloading: asyncio.Task[None] | None = None
        self._loading = asyncio.Lock()
        self._fitting = asyncio.Lock()

    async def load(self, *, again: bool = False, pair_counts: bool = False) -> None:
        """Load what the database has, once or again. Raises DatabaseBusy."""
        async with self._loading:
            if self._loaded and not again and (self._pair_counts is not None or not pair_counts):
                return
            if pair_counts:
                await asyncio.to_thread(_import_numpy)

            def read(transaction: Transaction) -> "tuple[Snapshot, PairCounts | None]":
                repository = StandingsRepository(transaction)
                return repository.snapshot(), _read_counts(repository) if pair_counts else None

            snapshot, counts = await self._database.read(read)
            if self._loaded and snapshot.stale:
                self._keep_ahead(snapshot)
            self._keep_unstored(snapshot)
            self.snapshot, self._pair_counts, self._loaded = snapshot, counts, True
            self._current.clear()

    def preload(self) -> None:
        """Import NumPy and SciPy in the background, before the next change needs them."""
        if self._preloading is None:
            self._preloading = asyncio.create_task(asyncio.to_thread(_import_numpy), name="parley-preload")

    async def pair_counts(self) -> "PairCounts":
        """Return the counts of pairs."""
        await self.load(pair_counts=True)
        if self._pair_counts is None:
            raise RuntimeError("the counts were loaded and are not there")
        return self._pair_counts

    async def table(self, category: str, method: Method, *, include_uncounted: bool = False) -> Table:
        """Return a table; an empty one where there are no votes."""
        await self.load()
        if not include_uncounted or not self.snapshot.uncounted_in(category):
            return self.snapshot.table(category, method)
        fitted = await self.fitted((category, method, True))
        return fitted.table if fitted else self.snapshot.table(category, method)

    async def fitted(self, key: FitKey) -> "FittedTable | None":
        """Return a table with its fit, from memory or refitted; None where there is no fit."""
        category, method, include_uncounted = key
        if key in self._current:
            return self._fitted[key]
        if method != "bradley-terry":
            return self._fitted.get(key) if method == "style-control" else None
        counts = await self.pair_counts()
        async with self._fitting:
            if key in self._current:
                return self._fitted[key]
            from parley.features.standings.refit import fit_pairs, prior_of

            snapshot, last = self.snapshot, self._fitted.get(key)
            version = snapshot.version

            def refit() -> "FittedTable":
                pairs = counts.pairs(category, include_uncounted=include_uncounted)
                crowd, public = snapshot.crowd(category), prior_of(snapshot.prior, category)
                return fit_pairs(pairs, last.fit if last else None, self.now(), crowd, public)

            fitted = await asyncio.to_thread(refit)
            if self.snapshot is snapshot and snapshot.version == version:
                self._keep(key, fitted)
            return fitted

    async def cells(
        self, category: str, *, include_uncounted: bool = False
    ) -> "Mapping[tuple[str, str], Cell]":
        """Return the outcomes of each ordered pair of models that met."""
        counts = await self.pair_counts()
        return await asyncio.to_thread(counts.cells, category, include_uncounted=include_uncounted)

    def apply(
        self, version: int, batch: VoteBatch | None, fitted: "Mapping[tuple[str, Method], FittedTable]"
    ) -> None:
        """Apply what was just stored: a batch's counts, and the tables fitted with them."""
        self.snapshot.version = version
        changed: frozenset[str] = frozenset()
        if batch is not None:
            if self._pair_counts is not None:
                self._pair_counts.add(batch.pairs)
            self.snapshot.add(batch.delta)
            changed = frozenset(batch.categories)
        self._current = {key for key in self._current if key[0] not in changed or key[1] == "style-control"}
        for (category, method), one in fitted.items():
            self.snapshot.tables[category, method] = one.table
            self._keep((category, method, False), one)

    def last_fit(self, category: str) -> "Fit | None":
        """Return a category's last fit, where the next one starts."""
        fitted = self._fitted.get((category, "bradley-terry", False))
        return fitted.fit if fitted else None

    def now(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(self._clock.now(), UTC)

    def _keep(self, key: FitKey, fitted: "FittedTable") -> None:
        self._fitted[key] = fitted
        self._current.add(key)

    def _keep_ahead(self, snapshot: Snapshot) -> None:
        """Keep showing tables that are not stored yet, until they are refitted."""
        snapshot.tables = {**snapshot.tables, **self.snapshot.tables}
        snapshot.elos = {**snapshot.elos, **self.snapshot.elos}
        snapshot.times = {**snapshot.times, **self.snapshot.times}

    def _keep_unstored(self, snapshot: Snapshot) -> None:
        """Keep what the database does not have: effects of style, sides and draws, forecasts, and times of tables."""
        snapshot.positions = self.snapshot.positions
        snapshot.weighted = self.snapshot.weighted
        snapshot.forecast = self.snapshot.forecast
        for key, table in snapshot.tables.items():
            old = self.snapshot.tables.get(key)
            as_of = old.as_of if old else snapshot.as_of
            snapshot.tables[key] = Table(table.lines, as_of, old.style if old else ())


def _import_numpy() -> None:
    for module in ("features.standings.refit", "ratings.decision", "ratings.integrity", "ratings.baseline"):
        import_module(f"parley.{module}")


def _read_counts(repository: StandingsRepository) -> "PairCounts":
    from parley.features.standings.pair_counts import PairCounts

    return PairCounts(repository.pairs())
