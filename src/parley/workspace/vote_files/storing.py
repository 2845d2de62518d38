"""Stores the votes of a finished stage file, in short transactions that let others write."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.vote_files.repository import VoteFilesRepository, narrowed, vote_records
from parley.workspace.vote_files.staging import EarlierRecords, StagedModels, VoteRecords, read_stage

T = TypeVar("T")

BUSY_RETRIES = 5


class StageStore:
    """Moves stage files into the database, one at a time."""

    def __init__(self, database: Database, memory: ModelMemory, clock: Clock, together: int) -> None:
        """Batches of a file are stored in one transaction until it has `together` votes."""
        self._database, self._memory, self._clock = database, memory, clock
        self._together = together

    async def store(self, stage: Path, stored: Callable[[int], None], *, resumed: bool = False) -> None:
        """Store a file's votes, show them all at once, and remove the file; `stored` gets the size of each batch.

        `resumed`: some of its votes may be stored already.
        """
        cards: list[ModelCard] = []
        batches = self._batches(stage, cards)
        several = await self._several(batches, resumed=resumed)
        while several:
            # The next batches are read while these are stored.
            storing = asyncio.ensure_future(self._stage(several))
            following = await self._several(batches, resumed=resumed)
            await storing
            stored(sum(len(batch.rows) for batch in several))
            several = following
        await self._retrying(lambda: self._database.write(lambda it: self._publish(it, cards), alone=True))
        self._memory.learn(cards)
        await asyncio.to_thread(stage.unlink)

    def _batches(self, stage: Path, cards: list[ModelCard]) -> Iterator[VoteRecords]:
        """Yield the batches of a file; adds its new models to `cards`."""
        for record in read_stage(stage):
            if isinstance(record, StagedModels):
                cards += record.cards
            elif isinstance(record, VoteRecords):
                yield record
            elif isinstance(record, EarlierRecords):
                rows = list(map(narrowed, record.rows)) if self._database.is_sqlite else record.rows
                yield VoteRecords(rows, record.packed, record.exclusions)
            else:
                yield vote_records(record.votes, self._now(), sqlite=self._database.is_sqlite)

    async def _several(self, batches: Iterator[VoteRecords], *, resumed: bool) -> list[VoteRecords]:
        """Return the batches of the next transaction; none at the end."""
        found: list[VoteRecords] = []
        while not found or sum(len(it.rows) for it in found) + len(found[-1].rows) <= self._together:
            batch = await self._next(batches, resumed=resumed)
            if batch is None:
                break
            found.append(batch)
        return found

    async def _next(self, batches: Iterator[VoteRecords], *, resumed: bool) -> VoteRecords | None:
        """Return the next batch; `resumed` skips those that are stored already: each is stored whole or not at all."""
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            first = batch.rows[0][0]
            first = first.hex() if isinstance(first, bytes) else str(first)
            if not resumed or not await self._database.read(
                lambda it, first=first: VoteFilesRepository(it).existing([first])
            ):
                break
        return batch

    async def _stage(self, several: Sequence[VoteRecords]) -> None:
        now = self._now()

        def stage(transaction: Transaction) -> None:
            for votes in several:
                VoteFilesRepository(transaction).stage(votes, now)

        await self._retrying(lambda: self._database.write(stage, alone=True))

    def _publish(self, transaction: Transaction, cards: list[ModelCard]) -> None:
        self._memory.adopt(transaction, cards, self._now())
        VoteFilesRepository(transaction).publish()

    async def _retrying(self, write: Callable[[], Awaitable[T]]) -> T:
        for _ in range(BUSY_RETRIES):
            try:
                return await write()
            except DatabaseBusy:
                await asyncio.sleep(1.0)
        return await write()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)
