"""The standings worker: pending votes become counts, and counts become tables."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from parley.features.standings.accumulators import VoteBatch
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.rated_votes import PendingVote
from parley.features.standings.recount import Progress, rebuild
from parley.features.standings.replay import Replay
from parley.features.standings.repository import REPLAY, StandingsRepository, VersionChanged
from parley.features.standings.schemas import Rebuilt
from parley.features.standings.snapshot import Snapshot
from parley.features.standings.table_writes import Tables, TableWrite, WriteBehind
from parley.features.standings.vote_repository import VoteRepository
from parley.features.standings.voter_flags import MANY_PER_RUN, VoterFlagging
from parley.kernel.errors import ParleyError
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    from parley.features.standings.coded_votes import CodedVotes

BATCH = 2_500
"""Votes counted in one transaction: on SQLite new votes wait for it, less than a hundred milliseconds."""

BULK = 500_000
"""Votes counted in one transaction while a large import waits: on SQLite new votes wait for it some two seconds."""

BULK_PAGE = 20_000
"""Votes read at once for it: on PostgreSQL requests wait while the driver decodes them."""

TABLES_EVERY_S = 2.0
"""Seconds between fits of the tables while full batches wait; a tenth of the time at most."""

FOLLOW_S = 2.0
"""Seconds between looks at what other replicas have stored: votes, or their counts."""

KEPT_HOURS = timedelta(days=30)
"""The time for which the history keeps hours; of an older day it keeps the last one."""

_NO_TABLES: Tables = {}


class StandingsWorker:
    """Keeps the standings up to date.

    One loop calls `run`; a second worker in another process does no harm.
    """

    def __init__(
        self,
        *,
        database: Database,
        tables: LiveTables,
        publish: Callable[[tuple[str, ...]], None],
        leads: Callable[[], bool] | None = None,
    ) -> None:
        """`publish` gets the categories that changed. `leads` is given where several replicas may count."""
        self._leads = leads
        self._database = database
        self._tables = tables
        self._publish = publish
        self._next_refit = 0.0
        self._thinned: date | None = None
        self._many_wait = False
        self._busy = asyncio.Lock()
        self._write_behind = WriteBehind(database, tables)
        self._replay = Replay(database, tables, self._stored, self._count_all)
        self.flagging = VoterFlagging(database, tables)

    async def run(self, due: bool) -> float | None:
        """Count pending votes and do what follows from them; `due` marks the regular run.

        Returns in how many seconds to run again, if there is more to do. Of several replicas one counts the votes, and
        the others read what it has stored, between their own regular runs. Raises DatabaseBusy.
        """
        async with self._busy:
            if self._leads is not None and not due and not self._leads():
                await self._follow()
                return FOLLOW_S
            try:
                await self._tables.load()
                self._replay.is_awaited()
                if due:
                    await self._preload()
                await self._count_all()
                self._settle()
                waits = [await self.flagging.run(due)]
                await self._count_all()
                waits.append(await self._replay.run(due, self._write_behind.last_points))
                waits.append(await self._write_behind.run(due))
                self._settle()
                if due:
                    await self._thin_history()
                    await self._record_run()
            except Exception as error:
                await self._record_failure(error)
                raise
        if self._leads is not None:
            waits.append(FOLLOW_S)
        return min((seconds for seconds in waits if seconds is not None), default=None)

    async def _follow(self) -> None:
        """Read what the replica that counts has stored since."""
        await self._tables.load()
        snapshot = self._tables.snapshot
        version = await self._database.read(lambda it: StandingsRepository(it).version())
        if version != snapshot.version or snapshot.stale:
            self._write_behind.reset()
            await self._tables.load(again=True, pair_counts=True)
            self._publish(tuple(dict.fromkeys(category for category, _ in self._tables.snapshot.tables)))

    async def rebuild(self, progress: Progress = lambda _done, _all: None) -> Rebuilt:
        """Recount all votes and correct what differs."""
        async with self._busy:
            began = time.monotonic()
            await self._tables.load()
            await self._count_all()
            result, tables = await rebuild(self._database, self._tables, progress)
            self._write_behind.reset()
            await self._tables.load(again=True, pair_counts=True)
            # The database does not have the effects of style.
            self._tables.apply(self._tables.snapshot.version, None, tables)
            await self._count_all()
            self._publish(tuple(dict.fromkeys(category for category, _ in self._tables.snapshot.tables)))
            return msgspec.structs.replace(result, duration_ms=round((time.monotonic() - began) * 1000))

    def _settle(self) -> None:
        """Note whether tables may still move without new votes: after an import, until its voters are examined."""
        many = self.flagging.waiting > MANY_PER_RUN
        self._tables.snapshot.unsettled = many or self._replay.is_awaited()

    async def _preload(self) -> None:
        """Import NumPy in advance where a battle awaits its vote."""
        if await self._database.read(lambda it: VoteRepository(it).is_awaiting_votes()):
            self._tables.preload()

    # ── counting ─────────────────────────────────────────────────────────────────────────────────

    async def _count_all(self) -> None:
        while await self._count_batch():
            pass

    async def _count_batch(self) -> bool:
        """Count a batch, or refit tables that are behind; return whether there may be more to do."""
        began = time.monotonic()
        snapshot = self._tables.snapshot

        many = self._many_wait
        version, votes = await (self._read_many() if many else self._database.read(_read_few))
        if version != snapshot.version:
            # Another process has changed the counts.
            self._write_behind.reset()
            await self._tables.load(again=True, pair_counts=True)
            return True
        more = self._many_wait = len(votes) == (BULK if many else BATCH)
        if not len(votes) and not snapshot.stale:
            return many
        await self._tables.pair_counts()
        if self._tables.snapshot is not snapshot:
            return True
        try:
            batch = await asyncio.to_thread(_batch, votes, snapshot)
            await self._store(batch, began, refit=not more or began >= self._next_refit)
            self.flagging.note(batch.voters)
        except VersionChanged:
            return True
        if more and not many:
            # New votes need the writer too. A bulk batch leaves it alone while it is made.
            await asyncio.sleep((time.monotonic() - began) / 2)
        return more or snapshot.stale

    async def _read_many(self) -> "tuple[int, CodedVotes]":
        """Read votes for a bulk batch: each page while the one before is coded."""
        from parley.features.standings.coded_votes import CodedVotes

        votes = CodedVotes()
        version, page = await self._database.read(partial(_read_page, after=-1))
        while page:
            coding = asyncio.to_thread(votes.add, page)
            if len(votes) + BULK_PAGE >= BULK:
                await coding
                break
            following = self._database.read(partial(_read_page, after=page[0][-1]))
            # The version of the first page is compared: storing fails where it has changed since.
            _, (_, page) = await asyncio.gather(coding, following)
        return version, votes

    async def _store(self, batch: VoteBatch, began: float, *, refit: bool) -> None:
        """Count a batch in one transaction; without `refit` the tables are left behind."""
        snapshot, now = self._tables.snapshot, self._tables.now()
        tables = await self._refit(batch, now) if refit else _NO_TABLES
        # Large tables would keep SQLite's writer from new votes: they are shown now and stored soon.
        is_complete = refit and self._write_behind.fits_with_counts(tables)
        written = tables if is_complete else _NO_TABLES
        last_points, times = self._write_behind.last_points, batch.order.times
        write = TableWrite(snapshot, last_points, written, times, now, delta=batch.delta)
        late = batch.is_late(snapshot.last_seq)

        def store(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock_at(snapshot.version)
            VoteRepository(transaction).mark_processed(batch)
            repository.add(batch.rows)
            repository.record_batch(batch.number, batch.last_seq)
            write.store(repository)
            status = "idle" if is_complete else "running"
            took_ms = round((time.monotonic() - began) * 1000)
            repository.set_status(status=status, last_run_at=now, duration_ms=took_ms, error=None)
            if late or snapshot.replay_due:
                repository.set_status(REPLAY, status="due")

        await self._database.write(store)
        snapshot.replay_due = snapshot.replay_due or late
        snapshot.late_votes += late
        snapshot.stale = not refit
        snapshot.last_seq = max(snapshot.last_seq, batch.last_seq)
        snapshot.elos.update(batch.order.elos)
        snapshot.times.update(batch.order.times)
        snapshot.as_of = now
        if not is_complete:
            self._write_behind.defer(tables)
        self._stored(snapshot.version + 1, tables, write, batch)
        if refit:
            ended = time.monotonic()
            self._next_refit = ended + max(TABLES_EVERY_S, 9 * (ended - began))

    async def _refit(self, batch: VoteBatch, now: datetime) -> Tables:
        """Return the tables that a batch changes; all of them where they are behind."""
        from parley.features.standings.refit import refit_tables

        snapshot, counts = self._tables.snapshot, await self._tables.pair_counts()
        stale = counts.categories() if snapshot.stale else ()
        last_fits = {it: self._tables.last_fit(it) for it in (*stale, *batch.categories)}
        elos = {**snapshot.elos, **batch.order.elos}
        return await asyncio.to_thread(
            refit_tables, counts, batch.pairs, elos, last_fits, now, snapshot.crowd, snapshot.prior
        )

    def _stored(
        self, version: int, tables: Tables, write: TableWrite, batch: VoteBatch | None = None
    ) -> None:
        self._write_behind.stored(write)
        self._tables.apply(version, batch, tables)
        if tables:
            self._publish(tuple(dict.fromkeys(category for category, _ in tables)))

    # ── housekeeping ─────────────────────────────────────────────────────────────────────────────

    async def _thin_history(self) -> None:
        """Once a day, reduce old hours of the history to days."""
        now = self._tables.now()
        if self._thinned == now.date():
            return
        before = (now - KEPT_HOURS).replace(hour=0, minute=0, second=0, microsecond=0)
        hours = await self._database.read(
            lambda transaction: StandingsRepository(transaction).hours_before(before)
        )
        for begin, end in _days_of_several(hours):
            await self._database.write(
                lambda transaction, begin=begin, end=end: StandingsRepository(transaction).thin(begin, end)
            )
        self._thinned = now.date()

    async def _record_run(self) -> None:
        now = self._tables.now()

        def record(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock()
            row = repository.status()
            idle = {"status": "idle"} if row is None or row.status in ("never", "idle") else {}
            repository.set_status(last_run_at=now, error=None, **idle)

        await self._database.write(record)

    async def _record_failure(self, error: Exception) -> None:
        """Record why a run failed, if the database takes it."""
        text = error.title if isinstance(error, ParleyError) else repr(error)

        def record(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock()
            repository.set_status(status="failed", error=text)

        try:
            await self._database.write(record)
        except ParleyError:
            return
        self._tables.snapshot = msgspec.structs.replace(self._tables.snapshot, stale=True)


def _read_few(transaction: Transaction) -> tuple[int, Sequence[PendingVote]]:
    return StandingsRepository(transaction).version(), VoteRepository(transaction).pending(BATCH)


def _read_page(transaction: Transaction, after: int) -> tuple[int, Sequence[Sequence[Any]]]:
    version = StandingsRepository(transaction).version()
    return version, VoteRepository(transaction).pending_columns(after, BULK_PAGE)


def _batch(votes: "Sequence[PendingVote] | CodedVotes", snapshot: Snapshot) -> VoteBatch:
    if isinstance(votes, Sequence):
        return VoteBatch(votes, snapshot)
    # It loads NumPy.
    from parley.features.standings.bulk_batch import BulkBatch

    return BulkBatch(votes, snapshot)


def _days_of_several(hours: Sequence[datetime]) -> Iterator[tuple[datetime, datetime]]:
    """Yield the beginning and end of each day that has points of several hours."""
    days = Counter(hour.replace(hour=0, minute=0, second=0, microsecond=0) for hour in hours)
    for day, number in sorted(days.items()):
        if number > 1:
            yield day, day + timedelta(days=1)
