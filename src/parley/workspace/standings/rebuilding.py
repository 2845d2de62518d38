"""Rebuilding: every vote counted anew, and whatever differs put right."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from parley.kernel.errors import Unavailable
from parley.storage.database import Database, Transaction
from parley.workspace.standings.boards import Boards
from parley.workspace.standings.countable import countable
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.replaying import Moved, read_votes
from parley.workspace.standings.repository import REPLAY, StandingsRepository
from parley.workspace.standings.schemas import Rebuilt
from parley.workspace.standings.sequence import Looks, VoteSequence
from parley.workspace.standings.storing import Storing

if TYPE_CHECKING:
    from parley.workspace.standings.storing import Tables

Told: TypeAlias = Callable[[int, int], None]
"""Hears how many votes of all have been read."""


def nobody(_done: int, _all: int) -> None:
    """Hear nothing."""


async def rebuild(database: Database, boards: Boards, told: Told) -> Rebuilt:
    """Count the votes that are in the counts anew; only what differs is written. Raises Unavailable."""
    for _ in range(3):
        try:
            return await _rebuild(database, boards, told)
        except Moved:
            await boards.open(again=True, book=True)
    raise Unavailable(
        "Votes kept changing while they were counted anew.",
        "Nothing was put right. Try again when nobody corrects categories.",
        code="database_busy",
    )


async def _rebuild(database: Database, boards: Boards, told: Told) -> Rebuilt:
    memory = boards.memory
    total, sequence, looks, votes = Delta(), VoteSequence(), Looks(), 0
    cast = await database.read(lambda transaction: StandingsRepository(transaction).number_cast())
    async for rows in read_votes(database, memory.last_seq, result=True):
        for row in rows:
            total.add_replies(row.result)
            if (vote := countable(row)) is not None:
                total.add(vote)
                sequence.take([vote])
                looks.take(vote, row.style)
        votes += len(rows)
        told(votes, cast)
    stored = await database.read(lambda transaction: StandingsRepository(transaction).counted())
    delta = total.less(stored)
    made, now = await _tables(total, sequence, looks, boards), boards.now()
    storing = Storing(memory, {}, made, sequence.times, now, delta=delta)

    def store(transaction: Transaction) -> None:
        repository = StandingsRepository(transaction)
        if repository.lock() != memory.version:
            raise Moved
        repository.add(delta.sums())
        storing.store(repository)
        version = repository.version() + 1
        repository.set_status(version=version, status="idle", error=None)
        repository.set_status(votes_processed=votes, last_run_at=now, last_vote_seq=memory.last_seq)
        repository.set_status(REPLAY, status="done", version=version)

    await database.write(store)
    categories = {category for category, _ in made}
    return Rebuilt(votes=votes, categories=len(categories), corrected=delta.size, duration_ms=0)


async def _tables(total: Delta, sequence: VoteSequence, looks: Looks, boards: Boards) -> "Tables":
    """Make every table; of categories that have none any more an empty one."""
    known, styled = {category for category, _ in boards.memory.tables}, boards.memory.styled
    if not total.pairs and not known:
        return {}

    def make() -> "Tables":
        from parley.workspace.standings.fits import make_styled, make_tables
        from parley.workspace.standings.pair_book import PairBook

        book = PairBook(total.sums().pairs)
        lasts = dict.fromkeys((*book.categories(), *known))
        now = boards.now()
        return {**make_tables(book, None, sequence.elos, lasts, now), **make_styled(looks, now, styled)}

    return await asyncio.to_thread(make)
