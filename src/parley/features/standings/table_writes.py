"""Table writes: refitted tables become rows, with their counts or shortly after."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from parley.features.standings.counts_delta import CountsDelta, percentile
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.repository import REPLAY, LineKey, StandingsRepository, VersionChanged
from parley.features.standings.schemas import Method
from parley.features.standings.snapshot import Snapshot, StoredLine, Table, Times
from parley.ratings.lines import Line
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    from parley.features.standings.refit import FittedTable

TableKey: TypeAlias = tuple[str, Method]
Tables: TypeAlias = "Mapping[TableKey, FittedTable]"

ROWS = 1_000
"""Rows per transaction of a deferred write: it holds SQLite's writer for some ten milliseconds."""

LINES_WITH_COUNTS = 1_000
"""Tables of up to so many lines in all are stored in the transaction of their counts."""

EVERY_S = 2.0
"""The least time between two deferred writes, which take a tenth of the time at most."""

POINTS_EVERY_S = 60.0
"""Seconds between points that deferred writes add to the history."""

VISIBLE = 0.5
"""A change of fewer points makes no new point of the history."""

_NUMBERS = ("rating", "ci_lower", "ci_upper")


class RowBatch(msgspec.Struct, frozen=True):
    """Rows to store in one transaction, in the order of their tables' columns."""

    lines: Sequence[tuple[Any, ...]] = ()
    points: Sequence[tuple[Any, ...]] = ()
    gone: Sequence[LineKey] = ()

    def store(self, repository: StandingsRepository) -> None:
        """Write them."""
        repository.put_lines(self.lines)
        repository.drop_lines(self.gone)
        repository.put_points(self.points)


class TableWrite:
    """The rows of tables that changed, made before the transaction begins."""

    def __init__(
        self,
        snapshot: Snapshot,
        last_points: Mapping[TableKey, Mapping[str, Line]],
        fitted: Tables,
        times: Mapping[str, Times],
        now: datetime,
        *,
        delta: CountsDelta | None = None,
        with_points: bool = True,
    ) -> None:
        """`times` are those of changed categories, `delta` is not in the snapshot yet.

        Without points, the next write with points compares with the same `last_points`.
        """
        self.lines: list[tuple[Any, ...]] = []
        self.points: list[tuple[Any, ...]] = []
        self.gone: list[LineKey] = []
        self.last_points: dict[TableKey, Mapping[str, Line]] = {}
        self.stored: dict[TableKey, Mapping[str, StoredLine]] = {}
        self.with_points = with_points
        self._median_of = _medians(snapshot, delta)
        self._hour = now.replace(minute=0, second=0, microsecond=0)
        for key, one in fitted.items():
            voted = times.get(key[0], snapshot.times.get(key[0], {}))
            known = snapshot.stored.get(key, {})
            self._add_lines(key, one.table, known, voted, now)
            before = last_points.get(key) or {model: it.line for model, it in known.items()}
            self.last_points[key] = self._add_points(key, one.table, before) if with_points else before

    def store(self, repository: StandingsRepository) -> None:
        """Write all rows."""
        RowBatch(self.lines, self.points, self.gone).store(repository)

    def batches(self) -> Iterator[RowBatch]:
        """Yield the rows in small batches, at least one."""
        yield RowBatch(self.lines[:ROWS], gone=self.gone)
        yield from (RowBatch(self.lines[at : at + ROWS]) for at in range(ROWS, len(self.lines), ROWS))
        yield from (RowBatch(points=self.points[at : at + ROWS]) for at in range(0, len(self.points), ROWS))

    def _add_lines(
        self, key: TableKey, table: Table, old: Mapping[str, StoredLine], voted: Times, now: datetime
    ) -> None:
        unchanged: dict[str, StoredLine] = {}
        for line in table.lines:
            model = line.model
            first, last = voted.get(model) or (now, now)
            unchanged[model] = fresh = StoredLine(line, first, last)
            if old.get(model) != fresh:
                row = msgspec.structs.astuple(line)
                self.lines.append((key[0], key[1], *row, self._median_of(model), first, last))
        self.gone += ((*key, model) for model in old if model not in unchanged)
        self.stored[key] = unchanged

    def _add_points(self, key: TableKey, table: Table, before: Mapping[str, Line]) -> Mapping[str, Line]:
        after = dict(before)
        for line in table.lines:
            if _moved(after.get(line.model), line):
                after[line.model] = line
                bounds = (round(line.rating, 4), line.ci_lower, line.ci_upper, line.rank_ub, line.votes)
                self.points.append((*key, self._hour, line.model, *bounds))
        return after


class WriteBehind:
    """Stores shown tables later; until then the worker's status is `running`."""

    def __init__(self, database: Database, tables: LiveTables) -> None:
        self.last_points: dict[TableKey, dict[str, Line]] = {}
        self._database = database
        self._tables = tables
        self._behind = False
        self._keys: set[TableKey] = set()
        self._without_points: set[TableKey] = set()
        self._next_write = 0.0
        self._next_points = 0.0

    def fits_with_counts(self, fitted: Tables) -> bool:
        """Return whether tables may be stored in the transaction of their counts."""
        return not self._behind and sum(len(one.table.lines) for one in fitted.values()) <= LINES_WITH_COUNTS

    def defer(self, keys: Iterable[TableKey]) -> None:
        """Note that counts were stored without these tables."""
        self._behind = True
        self._keys.update(keys)

    def stored(self, write: TableWrite) -> None:
        """Note what was stored."""
        self.last_points.update({key: dict(last) for key, last in write.last_points.items()})
        self._tables.snapshot.stored.update(write.stored)
        self._keys.difference_update(write.stored)
        if write.with_points:
            self._without_points.difference_update(write.stored)
        else:
            self._without_points.update(write.stored)

    def reset(self) -> None:
        """Forget everything: the stored tables are loaded again."""
        self.last_points.clear()
        self._behind = False
        self._keys.clear()
        self._without_points.clear()

    async def run(self, due: bool) -> float | None:
        """Store what is due; returns in how many seconds to run again. Raises DatabaseBusy."""
        now = time.monotonic()
        with_points = due or now >= self._next_points
        if not self._behind and not (self._without_points and with_points):
            return self._next_points - now if self._without_points else None
        if self._tables.snapshot.stale:
            return EVERY_S
        if now < self._next_write and not due:
            return self._next_write - now
        try:
            await self._write(with_points)
        except VersionChanged:
            return 0.0
        ended = time.monotonic()
        self._next_write = ended + max(EVERY_S, 9 * (ended - now))
        if with_points:
            self._next_points = ended + POINTS_EVERY_S
        return self._next_points - ended if self._without_points else None

    async def _write(self, with_points: bool) -> None:
        from parley.features.standings.refit import FittedTable

        snapshot = self._tables.snapshot
        keys = self._keys | self._without_points if with_points else set(self._keys)
        fitted = {key: FittedTable(snapshot.tables[key]) for key in keys if key in snapshot.tables}
        now = self._tables.now()
        write = await asyncio.to_thread(
            TableWrite, snapshot, self.last_points, fitted, {}, now, with_points=with_points
        )
        *first, last = write.batches()
        for batch in first:
            await self._store(batch)
        await self._store(last, complete=True)
        self._behind = False
        self.stored(write)

    async def _store(self, batch: RowBatch, *, complete: bool = False) -> None:
        """Store a batch; after the last the lines match the counts. Raises VersionChanged."""
        snapshot = self._tables.snapshot

        def store(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock_at(snapshot.version)
            batch.store(repository)
            if complete:
                repository.set_status(status="idle")
                if snapshot.replay_due:
                    repository.set_status(REPLAY, status="due")

        await self._database.write(store)


def _medians(snapshot: Snapshot, delta: CountsDelta | None) -> Callable[[str], int | None]:
    """Return a function of a model's median time to the first token, with what `delta` adds."""
    more: dict[str, Counter[int]] = {}
    for (model, bucket), replies in delta.latency.items() if delta else ():
        more.setdefault(model, Counter())[bucket] = replies

    @cache
    def median_of(model: str) -> int | None:
        buckets = Counter(snapshot.latency.get(model, {}))
        buckets.update(more.get(model, {}))
        return percentile(buckets, 0.5)

    return median_of


def _moved(before: Line | None, now: Line) -> bool:
    if before is None or (before.votes, before.rank_ub) != (now.votes, now.rank_ub):
        return True
    pairs = ((getattr(before, name), getattr(now, name)) for name in _NUMBERS)
    return any((a is None) != (b is None) or abs((a or 0.0) - (b or 0.0)) >= VISIBLE for a, b in pairs)
