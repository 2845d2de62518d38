"""Stores the votes of a finished stage file, in short transactions that let others write."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from parley.features.catalog.memory import ModelMemory
from parley.features.vote_files.repository import VoteFilesRepository
from parley.features.vote_files.staging import renew_stage
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy
from parley.storage.tables.votes import STAGED
from parley.storage.vote_stages import Part, Stage

BUSY_RETRIES = 5

PENDING = "pending"


class StageStore:
    """Moves stage files into the database, one at a time."""

    def __init__(self, database: Database, memory: ModelMemory, clock: Clock, together: int) -> None:
        """Parts of a file are stored in one transaction until it has `together` votes."""
        self._database, self._memory, self._clock = database, memory, clock
        self._together = together

    async def store(self, path: Path, stored: Callable[[int], None], *, resumed: bool = False) -> None:
        """Store a file's votes, show them all at once, and remove the file; `stored` gets the size of each part.

        `resumed`: some of its votes may be stored already.
        """
        if resumed:
            await asyncio.to_thread(renew_stage, path)
        stage = Stage(path)
        parts = await asyncio.to_thread(stage.parts)
        cards = [msgspec.json.decode(it, type=ModelCard) for it in await asyncio.to_thread(stage.cards)]
        missing = await self._missing(stage, parts) if resumed else parts
        several = _grouped(missing, self._together)
        if len(several) == 1 and missing == parts:
            # One transaction stores everything, so nothing needs to be hidden until the rest is there.
            await self._stage(stage, parts, PENDING, stored, lambda it: self._publish(it, cards))
        else:
            for group in several:
                await self._stage(stage, group, STAGED, stored)
            await self._write(lambda it: self._publish(it, cards))
        self._memory.learn(cards)
        await asyncio.to_thread(path.unlink)

    async def _missing(self, stage: Stage, parts: Sequence[Part]) -> list[Part]:
        """Return the parts that are not stored; each is stored whole or not at all."""
        firsts = await asyncio.to_thread(lambda: [stage.first_id(part) for part in parts])
        missing: list[Part] = []
        for first, part in zip(firsts, parts, strict=True):
            if not await self._database.read(
                lambda it, first=first: VoteFilesRepository(it).existing([first])
            ):
                missing.append(part)
        return missing

    async def _stage(
        self,
        stage: Stage,
        parts: Sequence[Part],
        status: str,
        stored: Callable[[int], None],
        finish: Callable[[Transaction], None] = lambda _: None,
    ) -> None:
        now, rows = self._now(), not self._database.is_sqlite
        # PostgreSQL's transactions run on the event loop, which must not wait for a file.
        ready = await asyncio.to_thread(lambda: [stage.read(it, rows=True) for it in parts]) if rows else None

        def work(transaction: Transaction) -> None:
            repository = VoteFilesRepository(transaction)
            for part in ready or (stage.read(it, rows=False) for it in parts):
                repository.stage(part, status, now)
                stored(part.part.votes)
            finish(transaction)

        await self._write(work, stage.path)

    def _publish(self, transaction: Transaction, cards: Sequence[ModelCard]) -> None:
        self._memory.adopt(transaction, cards, self._now())
        VoteFilesRepository(transaction).publish()

    async def _write(self, work: Callable[[Transaction], None], attached: Path | None = None) -> None:
        for _ in range(BUSY_RETRIES):
            try:
                return await self._database.write(work, alone=True, attached=attached)
            except DatabaseBusy:
                await asyncio.sleep(1.0)
        return await self._database.write(work, alone=True, attached=attached)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _grouped(parts: Sequence[Part], together: int) -> list[list[Part]]:
    """Return the parts of each transaction: one, or as many as have no more than `together` votes."""
    groups: list[list[Part]] = []
    for part in parts:
        if groups and sum(it.votes for it in groups[-1]) + part.votes <= together:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups
