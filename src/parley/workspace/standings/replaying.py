"""Replaying: tables that need the votes themselves, for their order or for how the replies look."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from parley.storage.database import Database, Transaction
from parley.text.categories.categorise import OVERALL
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.countable import countable
from parley.workspace.standings.memory import Line, Memory
from parley.workspace.standings.repository import REPLAY, StandingsRepository
from parley.workspace.standings.schemas import Method
from parley.workspace.standings.sequence import Looks, VoteSequence
from parley.workspace.standings.storing import Storing, Tables

if TYPE_CHECKING:
    from parley.workspace.standings.pair_book import Change

PART = 2_000
"""Votes that are read at once where all are read."""

FEW_VOTES = 20_000
"""Up to so many votes this is done whenever they change; above, with the period."""

SHARE = 10.0
"""It rests for so many times its duration."""

LOOK_EVERY_S = 0.5
"""How often it is looked for votes to count meanwhile."""

Took: TypeAlias = "Callable[[int, Change | None, Tables, Storing], None]"
Count: TypeAlias = Callable[[], Awaitable[None]]
Points: TypeAlias = Mapping[tuple[str, Method], Mapping[str, Line]]


class Moved(Exception):
    """Somebody else changed votes or counts meanwhile: nothing was stored, and it begins again."""


class _Seen(msgspec.Struct):
    """Looks of the votes up to one, which go on where they ended: `memory` is another one once a vote was changed."""

    memory: Memory
    late_votes: int
    looks: Looks
    up_to: int = 0


class Replay:
    """Makes style control, and Elo and times where their order was broken."""

    def __init__(self, database: Database, boards: Boards, took: Took, count: Count) -> None:
        """`took` hears what was stored. `count` counts what waits: votes do not wait for a long replay."""
        self._database = database
        self._boards = boards
        self._took = took
        self._count = count
        self._again = 0.0
        self._look_again = 0.0
        self._done: int | None = None
        self._seen: _Seen | None = None

    async def run(self, due: bool, points: Points) -> float | None:
        """Make what is to be made; returns in how many seconds there is more. Raises DatabaseBusy."""
        memory = self._boards.memory
        if not memory.last_seq or (self._done == memory.version and not memory.replay_due):
            return None
        few = memory.votes(OVERALL) <= FEW_VOTES
        if not few and not due:
            return None
        wait = self._again - time.monotonic()
        if wait > 0 and not due:
            return wait
        began = time.monotonic()
        await self._boards.book()
        seen, self._seen = self._seen, None
        with contextlib.suppress(Moved):
            seen = await self._replay(seen, points)
            # Of very many votes nothing is kept: they are seldom read, and are many megabytes.
            self._seen = seen if few else None
        rest = SHARE * (time.monotonic() - began)
        self._again = time.monotonic() + rest
        return None if self._done == self._boards.memory.version else rest

    async def _replay(self, seen: _Seen | None, points: Points) -> _Seen:
        """Read what was not seen yet, or everything where the order of votes matters. Raises Moved."""
        memory = self._boards.memory
        in_order, late = memory.replay_due, memory.late_votes
        if in_order or seen is None or seen.memory is not memory or seen.late_votes != late:
            seen = _Seen(memory, late, Looks())
        sequence = VoteSequence()
        read = memory.last_seq
        async for rows in read_votes(self._database, read, after=seen.up_to):
            await asyncio.to_thread(_take, rows, sequence if in_order else None, seen.looks)
            await self._count_meanwhile(memory)
        seen.up_to = read
        styled = await self._beside(memory, seen.looks)
        if in_order:
            # What was counted meanwhile belongs to the sequence too; from here on nothing is counted.
            async for rows in read_votes(self._database, memory.last_seq, after=read):
                await asyncio.to_thread(_take, rows, sequence, None)
        if memory.late_votes != late:
            raise Moved
        await self._store(memory, sequence if in_order else None, styled, points)
        return seen

    async def _beside(self, memory: Memory, looks: Looks) -> Mapping[Any, Any]:
        """Return the tables of style control, which a thread makes while votes go on to be counted. Raises Moved."""
        from parley.workspace.standings.fits import make_styled

        work = asyncio.to_thread(make_styled, looks, self._boards.now(), memory.styled)
        making = asyncio.create_task(work)
        while not (await asyncio.wait([making], timeout=LOOK_EVERY_S))[0]:
            await self._count_meanwhile(memory)
        return await making

    async def _count_meanwhile(self, memory: Memory) -> None:
        if time.monotonic() >= self._look_again:
            await self._count()
            self._look_again = time.monotonic() + LOOK_EVERY_S
        if self._boards.memory is not memory:
            raise Moved

    async def _store(
        self, memory: Memory, sequence: VoteSequence | None, styled: Mapping[Any, Any], points: Points
    ) -> None:
        """Store style control's tables and, with a sequence, all others."""
        book, now = await self._boards.book(), self._boards.now()
        if self._boards.memory is not memory:
            raise Moved
        from parley.workspace.standings.fits import make_tables

        made: dict[Any, Any] = dict(styled)
        if sequence is not None:
            lasts = {category: self._boards.last_fit(category) for category in book.categories()}
            made |= await asyncio.to_thread(make_tables, book, None, sequence.elos, lasts, now)
        storing = Storing(memory, points, made, sequence.times if sequence else {}, now)

        def store(transaction: Transaction) -> int:
            repository = StandingsRepository(transaction)
            if repository.lock() != memory.version:
                raise Moved
            if not made:
                repository.set_status(REPLAY, version=memory.version)
                return memory.version
            storing.store(repository)
            repository.set_status(version=memory.version + 1)
            repository.set_status(REPLAY, status="done", version=memory.version + 1)
            return memory.version + 1

        version = await self._database.write(store)
        if sequence is not None:
            memory.elos, memory.times, memory.replay_due = dict(sequence.elos), dict(sequence.times), False
        self._done = version
        self._took(version, None, made, storing)


def _take(rows: Sequence[Any], sequence: VoteSequence | None, looks: Looks | None) -> None:
    for row in rows:
        if (vote := countable(row)) is not None:
            if sequence is not None:
                sequence.take([vote])
            if looks is not None:
                looks.take(vote, row.style)


async def read_votes(
    database: Database, up_to: int, *, after: int = 0, result: bool = False
) -> AsyncGenerator[Sequence[Any]]:
    """Yield the votes that the counts know in their order, part by part, leaving as much time to others."""
    while True:
        began = time.monotonic()

        def read(transaction: Transaction, after: int = after) -> Sequence[Any]:
            return StandingsRepository(transaction).processed_after(after, up_to, PART, result=result)

        rows = await database.read(read)
        yield rows
        if len(rows) < PART:
            return
        after = rows[-1].seq
        await asyncio.sleep(time.monotonic() - began)
