"""Stores the votes of a finished stage file, in short transactions that let others write."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.vote_files.repository import VoteFilesRepository, VoteRecords, vote_records
from parley.workspace.vote_files.staging import StagedBatch, StagedVote, read_stage

T = TypeVar("T")

BUSY_RETRIES = 5


class StageStore:
    """Moves stage files into the database, one at a time."""

    def __init__(self, database: Database, memory: ModelMemory, clock: Clock) -> None:
        self._database, self._memory, self._clock = database, memory, clock

    async def store(self, stage: Path, stored: Callable[[int], None], *, resumed: bool = False) -> None:
        """Store a file's votes, show them all at once, and remove the file; `stored` gets the size of each batch.

        `resumed`: some of its votes may be stored already.
        """
        cards: list[ModelCard] = []
        batches = self._batches(stage, cards)
        batch = await self._next(batches, resumed=resumed)
        while batch is not None:
            # The next batch is prepared while this one is stored.
            storing = asyncio.ensure_future(self._stage(batch))
            following = await self._next(batches, resumed=resumed)
            await storing
            stored(len(batch.rows))
            batch = following
        await self._retrying(lambda: self._database.write(lambda it: self._publish(it, cards), alone=True))
        self._memory.learn(cards)
        await asyncio.to_thread(stage.unlink)

    def _batches(self, stage: Path, cards: list[ModelCard]) -> Iterator[list[StagedVote]]:
        """Yield the votes of a file; adds its new models to `cards`."""
        for record in read_stage(stage):
            if isinstance(record, StagedBatch):
                yield record.votes
            else:
                cards += record.cards

    async def _next(self, batches: Iterator[list[StagedVote]], *, resumed: bool) -> VoteRecords | None:
        """Return the next batch as it will be stored; `resumed` leaves out votes that are stored already."""
        votes = await asyncio.to_thread(next, batches, None)
        if votes is None:
            return None
        if resumed:
            ids = [vote.id for vote in votes]
            there = await self._database.read(lambda it: VoteFilesRepository(it).existing(ids))
            votes = [vote for vote in votes if vote.id not in there]
        return await asyncio.to_thread(vote_records, votes, self._now(), sqlite=self._database.is_sqlite)

    async def _stage(self, votes: VoteRecords) -> None:
        now = self._now()
        await self._retrying(
            lambda: self._database.write(lambda it: VoteFilesRepository(it).stage(votes, now), alone=True)
        )

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
