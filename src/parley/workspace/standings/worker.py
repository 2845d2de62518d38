"""The worker of the standings: votes become counts, counts become tables, each step in one transaction."""

import asyncio
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from parley.kernel.errors import ParleyError
from parley.storage.database import Database, Transaction
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.countable import Waiting
from parley.workspace.standings.flagging import Flagging
from parley.workspace.standings.news import News, changed
from parley.workspace.standings.rebuilding import Told, nobody, rebuild
from parley.workspace.standings.replaying import Moved, Replay
from parley.workspace.standings.repository import REPLAY, StandingsRepository
from parley.workspace.standings.saving import Saving
from parley.workspace.standings.schemas import FlaggedVoter, Rebuilt
from parley.workspace.standings.storing import Storing, Tables, thinned_days

if TYPE_CHECKING:
    from parley.workspace.standings.claim import Claim
    from parley.workspace.standings.memory import Memory
    from parley.workspace.standings.pair_book import Change

CLAIM = 2_500
"""Votes that are counted in one transaction: on SQLite votes wait for it, less than a hundred milliseconds."""

TABLES_EVERY_S = 2.0
"""While more votes wait than one transaction takes, tables are made so often, and a tenth of the time at most."""

KEPT_HOURS = timedelta(days=30)
"""How long the history keeps hours; of an older day it keeps the last one."""


_NO_TABLES: Tables = {}


class StandingsWorker:
    """Keeps the standings true. `run` is called by one loop; a second worker elsewhere does no harm."""

    def __init__(self, *, database: Database, boards: Boards, news: News) -> None:
        self._database = database
        self._boards = boards
        self._news = news
        self._tables_again = 0.0
        self._thinned: date | None = None
        self._busy = asyncio.Lock()
        self._saving = Saving(database, boards)
        self._replay = Replay(database, boards, self._took, self._count_all)
        self._flagging = Flagging(database, boards)

    async def run(self, due: bool) -> float | None:
        """Count what waits, and make what follows from it; `due` tells that the period has come.

        Returns after how many seconds there is something left to do. Raises DatabaseBusy.
        """
        async with self._busy:
            try:
                await self._boards.open()
                if due:
                    await self._expect_votes()
                await self._count_all()
                left = [await self._flagging.run(due)]
                await self._count_all()
                left.append(await self._replay.run(due, self._saving.points))
                left.append(await self._saving.run(due))
                if due:
                    await self._thin()
                    await self._note()
            except Exception as error:
                await self._fail(error)
                raise
        return min((seconds for seconds in left if seconds is not None), default=None)

    async def rebuild(self, told: Told = nobody) -> Rebuilt:
        """Count every vote anew and put right what differs; `told` hears how far it is. Raises Unavailable."""
        async with self._busy:
            began = time.monotonic()
            await self._boards.open()
            await self._count_all()
            found = await rebuild(self._database, self._boards, told)
            self._saving.forget()
            await self._boards.open(again=True, book=True)
            self._tell(tuple(dict.fromkeys(category for category, _ in self._boards.memory.tables)))
            return msgspec.structs.replace(found, duration_ms=round((time.monotonic() - began) * 1000))

    async def flags(self) -> Sequence[FlaggedVoter]:
        """Return the voters who are flagged, the strongest evidence first."""
        return await self._database.read(lambda transaction: StandingsRepository(transaction).flags())

    async def _expect_votes(self) -> None:
        """Where a battle waits for its vote, load what that would otherwise wait for, and others beside it."""
        if await self._database.read(lambda it: StandingsRepository(it).is_awaiting_votes()):
            self._boards.warm()

    async def _count_all(self) -> None:
        while await self._step():
            pass

    # ── counting ─────────────────────────────────────────────────────────────────────────────────

    async def _step(self) -> bool:
        """Count some votes, or make tables that are behind; tells whether there may be more to do."""
        began = time.monotonic()
        memory = self._boards.memory

        def read(transaction: Transaction) -> tuple[int, Sequence[Waiting]]:
            repository = StandingsRepository(transaction)
            return repository.version(), repository.claim(CLAIM)

        version, rows = await self._database.read(read)
        if version != memory.version:
            # Somebody else has changed the counts.
            self._saving.forget()
            await self._boards.open(again=True, book=True)
            return True
        if not rows and not memory.stale:
            return False
        more = len(rows) == CLAIM
        await self._boards.book()
        if self._boards.memory is not memory:
            return True
        try:
            claim = await asyncio.to_thread(_claimed, rows, memory)
            for row in rows:
                if row.voter_id is not None:
                    self._flagging.note(row.voter_id)
            await self._count(claim, began, tables=not more or began >= self._tables_again)
        except Moved:
            return True
        if more:
            # Votes of people want the writer too.
            await asyncio.sleep((time.monotonic() - began) / 2)
        return more or memory.stale

    async def _count(self, claim: "Claim", began: float, *, tables: bool) -> None:
        """Store what some votes change; without tables these are behind until they are made."""
        memory, now = self._boards.memory, self._boards.now()
        made = await self._make(claim, now) if tables else _NO_TABLES
        # Large tables would keep SQLite's writer from votes: they are shown now and stored soon.
        whole = tables and self._saving.fits_in(made)
        lines = made if whole else _NO_TABLES
        storing = Storing(memory, self._saving.points, lines, claim.sequence.times, now, delta=claim.delta)
        late = claim.late(memory.last_seq)

        def store(transaction: Transaction) -> int:
            repository = StandingsRepository(transaction)
            if repository.lock() != memory.version:
                raise Moved
            claim.store(repository)
            storing.store(repository)
            status = "idle" if whole else "running"
            took_ms = round((time.monotonic() - began) * 1000)
            repository.set_status(status=status, last_run_at=now, duration_ms=took_ms, error=None)
            if late or memory.replay_due:
                repository.set_status(REPLAY, status="due")
            return memory.version + 1

        version = await self._database.write(store)
        memory.replay_due = memory.replay_due or late
        memory.late_votes += late
        memory.stale = not tables
        memory.last_seq = max(memory.last_seq, claim.last_seq)
        memory.elos.update(claim.sequence.elos)
        memory.times.update(claim.sequence.times)
        memory.as_of = now
        if not whole:
            self._saving.put_off(made)
        self._took(version, claim.change, made, storing)
        if tables:
            ended = time.monotonic()
            self._tables_again = ended + max(TABLES_EVERY_S, 9 * (ended - began))

    async def _make(self, claim: "Claim", now: datetime) -> Tables:
        """Make the tables that some votes move, in a thread; all of them where they are behind."""
        from parley.workspace.standings.fits import make_tables

        memory, book = self._boards.memory, await self._boards.book()
        stale = book.categories() if memory.stale else ()
        lasts = {it: self._boards.last_fit(it) for it in (*stale, *claim.delta.categories)}
        elos = {**memory.elos, **claim.sequence.elos}
        return await asyncio.to_thread(make_tables, book, claim.change, elos, lasts, now)

    def _took(self, version: int, change: "Change | None", made: Tables, storing: Storing) -> None:
        self._saving.took(storing)
        self._boards.take(version, change, made)
        if made:
            self._tell(tuple(dict.fromkeys(category for category, _ in made)))

    def _tell(self, categories: tuple[str, ...]) -> None:
        self._news.tell(changed(self._boards.memory, categories))

    async def _thin(self) -> None:
        """Once a day, let the history's old hours become days."""
        today = self._boards.now().date()
        if self._thinned == today:
            return
        before = (self._boards.now() - KEPT_HOURS).replace(hour=0, minute=0, second=0, microsecond=0)
        hours = await self._database.read(
            lambda transaction: StandingsRepository(transaction).hours_before(before)
        )
        for begin, end in thinned_days(list(hours)):
            await self._database.write(
                lambda transaction, begin=begin, end=end: StandingsRepository(transaction).thin(begin, end)
            )
        self._thinned = today

    async def _note(self) -> None:
        """Note that the worker has looked."""
        now = self._boards.now()

        def note(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock()
            row = repository.status()
            idle = {"status": "idle"} if row is None or row.status in ("never", "idle") else {}
            repository.set_status(last_run_at=now, error=None, **idle)

        await self._database.write(note)

    async def _fail(self, error: Exception) -> None:
        """Note why a run failed, where that can be noted."""
        text = error.title if isinstance(error, ParleyError) else repr(error)

        def note(transaction: Transaction) -> None:
            repository = StandingsRepository(transaction)
            repository.lock()
            repository.set_status(status="failed", error=text)

        try:
            await self._database.write(note)
        except ParleyError:
            return
        self._boards.memory = msgspec.structs.replace(self._boards.memory, stale=True)


def _claimed(rows: Sequence[Waiting], memory: "Memory") -> "Claim":
    from parley.workspace.standings.claim import Claim

    return Claim(rows, memory)
