"""What the worker writes: new tables as rows that changed, and points of the history."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from parley.workspace.standings.delta import Delta, percentile
from parley.workspace.standings.memory import Line, Memory, Stored, Table, Times
from parley.workspace.standings.repository import Key, StandingsRepository
from parley.workspace.standings.schemas import Method

if TYPE_CHECKING:
    from parley.workspace.standings.fits import Made

TableKey: TypeAlias = tuple[str, Method]
Tables: TypeAlias = "Mapping[TableKey, Made]"

ROWS = 1_000
"""Rows that are stored in one transaction beside others: some ten milliseconds of SQLite's writer."""

VISIBLE = 0.5
"""A rating or bound that moved less than so many points makes no new point of the history."""

_NUMBERS = ("rating", "ci_lower", "ci_upper")


class Part(msgspec.Struct, frozen=True):
    """Rows that are stored in one transaction, in the order of their tables' columns."""

    lines: Sequence[tuple[Any, ...]] = ()
    points: Sequence[tuple[Any, ...]] = ()
    gone: Sequence[Key] = ()

    def store(self, repository: StandingsRepository) -> None:
        """Write them."""
        repository.put_lines(self.lines)
        repository.drop_lines(self.gone)
        repository.put_points(self.points)


class Storing:
    """Rows of tables that are about to be stored, made before the transaction begins."""

    def __init__(
        self,
        memory: Memory,
        last: Mapping[TableKey, Mapping[str, Line]],
        made: Tables,
        times: Mapping[str, Times],
        now: datetime,
        *,
        delta: Delta | None = None,
        points: bool = True,
    ) -> None:
        """`last` are the last points of the history, `times` those of categories whose votes moved.

        Without `points` none are made, and those of the next time are measured by the same ones.
        """
        self.lines: list[tuple[Any, ...]] = []
        self.points: list[tuple[Any, ...]] = []
        self.gone: list[Key] = []
        self.last: dict[TableKey, Mapping[str, Line]] = {}
        self.stored: dict[TableKey, Mapping[str, Stored]] = {}
        self.with_points = points
        self._medians = _Medians(memory, delta)
        self._hour = now.replace(minute=0, second=0, microsecond=0)
        for key, one in made.items():
            spoken = times.get(key[0], memory.times.get(key[0], {}))
            self._take(key, one.table, memory.stored.get(key, {}), spoken, now)
            before = last.get(key) or {it: kept.line for it, kept in memory.stored.get(key, {}).items()}
            self.last[key] = self._point(key, one.table, before) if points else before

    def store(self, repository: StandingsRepository) -> None:
        """Write them all."""
        Part(self.lines, self.points, self.gone).store(repository)

    def parts(self) -> Iterator[Part]:
        """Yield them in parts that hold the writer for a moment only; there is at least one."""
        yield Part(self.lines[:ROWS], gone=self.gone)
        yield from (Part(self.lines[at : at + ROWS]) for at in range(ROWS, len(self.lines), ROWS))
        yield from (Part(points=self.points[at : at + ROWS]) for at in range(0, len(self.points), ROWS))

    def _take(
        self, key: TableKey, table: Table, old: Mapping[str, Stored], spoken: Times, now: datetime
    ) -> None:
        kept: dict[str, Stored] = {}
        for line in table.lines:
            model = line.model
            first, last = spoken.get(model) or (now, now)
            kept[model] = fresh = Stored(line, first, last)
            if old.get(model) != fresh:
                row = msgspec.structs.astuple(line)
                self.lines.append((key[0], key[1], *row, self._medians.of(model), first, last))
        self.gone += (Key(*key, model) for model in old if model not in kept)
        self.stored[key] = kept

    def _point(self, key: TableKey, table: Table, before: Mapping[str, Line]) -> Mapping[str, Line]:
        after = dict(before)
        for line in table.lines:
            if _moved(after.get(line.model), line):
                after[line.model] = line
                bounds = (round(line.rating, 4), line.ci_lower, line.ci_upper, line.rank_ub, line.votes)
                self.points.append((*key, self._hour, line.model, *bounds))
        return after


class _Medians:
    """How long half of a model's replies took at most to their first word, with a change that is not counted yet."""

    def __init__(self, memory: Memory, delta: Delta | None) -> None:
        self._memory = memory
        self._more: dict[str, dict[int, int]] = {}
        for (model, bucket), replies in delta.latency.items() if delta else ():
            self._more.setdefault(model, {})[bucket] = replies
        self._known: dict[str, int | None] = {}

    def of(self, model: str) -> int | None:
        """Return it for a model; None where none is known."""
        if model not in self._known:
            buckets = dict(self._memory.latency.get(model, {}))
            for bucket, replies in self._more.get(model, {}).items():
                buckets[bucket] = buckets.get(bucket, 0) + replies
            self._known[model] = percentile(buckets, 0.5)
        return self._known[model]


def thinned_days(hours: list[datetime]) -> Iterator[tuple[datetime, datetime]]:
    """Yield the beginning and end of each day that has points of more than one hour."""
    days: dict[datetime, int] = {}
    for hour in hours:
        day = hour.replace(hour=0, minute=0, second=0, microsecond=0)
        days[day] = days.get(day, 0) + 1
    for day, number in sorted(days.items()):
        if number > 1:
            yield day, day + timedelta(days=1)


def _moved(before: Line | None, now: Line) -> bool:
    if before is None or (before.votes, before.rank_ub) != (now.votes, now.rank_ub):
        return True
    pairs = ((getattr(before, name), getattr(now, name)) for name in _NUMBERS)
    return any((a is None) != (b is None) or abs((a or 0.0) - (b or 0.0)) >= VISIBLE for a, b in pairs)
