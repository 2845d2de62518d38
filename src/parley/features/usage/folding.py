"""Folding: brings the hours of usage up to date with the ledger of calls."""

import asyncio

from parley.features.usage.ledger.repository import LATE_S, FoldingRepository
from parley.features.usage.measure import DAY_S, month_of
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

EVERY_S = 60.0
FRESH_S = 0.5
"""A reader folds first if that was longer ago, but does not wait for it long."""

REST = 50
"""Readers let it rest for so many times as long as it took last: it takes at most a fiftieth of the time."""

PATIENCE_S = 0.3


class Folding:
    """Folds calls into `usage_hours`. It may stop at any time, and may run in several processes at once."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database.patient()
        self._clock = clock
        self._running = asyncio.Lock()
        self._task: asyncio.Task[int] | None = None
        self._took = 0.0
        self._month = 0
        self.folded_at = 0.0

    async def fold(self) -> int:
        """Fold every hour that has new calls, or whose blind matches were decided; return how many."""
        async with self._running:
            begun = self._clock.now()
            now = int(begun)
            hours, position = await self._changed_hours(now)
            for start in sorted(hours):
                await self._database.write(lambda db, start=start: _fold_hour(db, start, now))
            days = {start // DAY_S * DAY_S for start in hours}
            if not self.folded_at:
                days |= await self._database.read(lambda db: FoldingRepository(db).days_without_people())
            for day in sorted(days):
                await self._database.write(lambda db, day=day: _fold_day(db, day))
            await self._fold_months(days, now)
            if hours:
                await self._database.write(lambda db: FoldingRepository(db).move(position))
            self.folded_at = self._clock.now()
            self._took = self.folded_at - begun
            return len(hours)

    async def freshen(self) -> None:
        """Fold if that was a while ago; return after a moment in any case."""
        if self._clock.now() - self.folded_at < max(FRESH_S, REST * self._took):
            return
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self.fold(), name="usage-fold")
        await asyncio.wait([self._task], timeout=PATIENCE_S)
        if self._task.done() and not self._task.cancelled():
            self._task.exception()  # the loop logs what keeps failing

    async def close(self) -> None:
        """Stop folding."""
        if self._task is not None:
            self._task.cancel()

    async def _fold_months(self, days: set[int], now: int) -> None:
        """Fold the months that are over and have changed, and after the turn of a month the one before."""
        current, _ = month_of(now)
        months = {month_of(day)[0] for day in days} - {current}
        if self._month != current:
            months |= await self._database.read(lambda db: FoldingRepository(db).months_to_fold(now))
        for start in sorted(months):
            await self._database.write(lambda db, start=start: _fold_month(db, start))
        self._month = current

    async def _changed_hours(self, now: int) -> tuple[set[int], str]:
        """Return the hours to fold, and the id of the last call that makes it necessary."""
        start = await self._database.read(lambda db: FoldingRepository(db).position())
        hours: set[int] = set()
        position, more = _earlier(start), True
        while more:
            batch, position, more = await self._database.read(
                lambda db, position=position: FoldingRepository(db).hours_after(position)
            )
            hours |= batch
        if position == start and now - _seconds(position) > LATE_S + EVERY_S:
            hours.clear()  # nothing new, and nothing can be late any more
        hours |= await self._database.read(lambda db: FoldingRepository(db).stale_hours(now))
        return hours, max(position, start)


def _fold_hour(transaction: Transaction, start: int, now: int) -> None:
    repository = FoldingRepository(transaction)
    repository.lock()
    repository.fold_hour(start, now)


def _fold_day(transaction: Transaction, start: int) -> None:
    repository = FoldingRepository(transaction)
    repository.lock()
    repository.fold_day(start)


def _fold_month(transaction: Transaction, start: int) -> None:
    repository = FoldingRepository(transaction)
    repository.lock()
    repository.fold_month(*month_of(start))


def _earlier(position: str) -> str:
    """Return an id before all that may have become visible after this one; ids begin with their milliseconds."""
    if not position:
        return ""
    return f"{max(0, _milliseconds(position) - LATE_S * 1000):012x}"


def _seconds(position: str) -> float:
    return _milliseconds(position) / 1000


def _milliseconds(position: str) -> int:
    return int(position[:12] or "0", 16)
