"""Keeps search up to date: texts of ended turns are folded and stored, separately from the turn's end."""

import asyncio
import time
from collections.abc import Callable

from parley.engine.loop import Loop
from parley.features.sessions.search_repository import INDEXED_CHARS, SearchRepository, WaitingTurn
from parley.kernel.sealing import is_sealed
from parley.storage.database import Database, Transaction
from parley.storage.search_index import END
from parley.storage.tables.search import SearchReplyRow
from parley.text.folding import folded
from parley.text.marks import searchable

EVERY_S = 5.0
BATCH = 8
"""The turns that are indexed at once before a search."""

BESIDE = 2
"""The turns indexed at once in the background: a vote waits for the writer until they are stored."""

RUN_S = 1.0
"""Seconds that a run continues if many turns wait, as after an upgrade."""


class SearchIndexing:
    """Makes turns searchable soon after they end, and immediately before a search."""

    def __init__(self, database: Database, leads: Callable[[], bool] = lambda: True) -> None:
        self._database = database
        self._loop = Loop("parley-search", self._run, every_s=EVERY_S, soon_s=0.0, leads=leads)

    def start(self) -> None:
        """Start to make turns searchable; needs a running loop."""
        self._loop.start()

    async def close(self) -> None:
        """Stop; the remaining turns become searchable after the next start."""
        await self._loop.close()

    async def catch_up(self, limit: int = BATCH) -> int:
        """Make the latest unsearchable turns searchable; return how many. Raises DatabaseBusy."""
        waiting = await self._database.read(lambda transaction: _read(transaction, limit))
        if waiting:
            await self._database.write(lambda transaction: _store(transaction, waiting))
        return len(waiting)

    async def _run(self, _due: bool) -> float | None:
        began = before = time.monotonic()
        while before - began < RUN_S:
            if await self.catch_up(BESIDE) < BESIDE:
                return None
            # Votes and turns also write: they get at least three quarters of the time.
            await asyncio.sleep(3 * (time.monotonic() - before))
            before = time.monotonic()
        return 0.0


Texts = list[tuple[WaitingTurn, list[SearchReplyRow]]]


def _read(transaction: Transaction, limit: int) -> Texts:
    # Folded in a reader thread: a long text would block the event loop or the writer.
    return [(turn, _rows(turn)) for turn in SearchRepository(transaction).waiting(limit)]


def _store(transaction: Transaction, texts: Texts) -> None:
    repository = SearchRepository(transaction)
    for turn, rows in texts:
        repository.store(turn, rows)


def _rows(turn: WaitingTurn) -> list[SearchReplyRow]:
    # Nothing of a sealed session is found.
    return [
        search_row(turn.session_id, turn.owner_id, turn.id, reply_id, text)
        for reply_id, text in turn.replies
        if not is_sealed(text)
    ]


def search_row(session_id: str, owner_id: str, turn_id: str, reply_id: str, text: str) -> SearchReplyRow:
    """Return the row by which search finds a reply."""
    found_by = folded(searchable(text[:INDEXED_CHARS])) + END
    return SearchReplyRow(session_id, owner_id, turn_id, reply_id, found_by)
