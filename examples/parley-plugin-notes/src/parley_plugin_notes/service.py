"""Use cases of notes: write, list, erase."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import msgspec
from pydantic import Field
from sqlalchemy import delete, func, select

from parley.kernel.caller import Caller
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.kernel.request import Request
from parley.storage.database import Database, Transaction
from parley.storage.tables.rows import select_rows
from parley_plugin_notes.tables import NoteRow


class WriteNote(Request):
    """A new note."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]


class NoteView(msgspec.Struct, frozen=True, kw_only=True):
    """A note. The time is ISO 8601, UTC."""

    id: str
    text: str
    created_at: str


class NoteList(msgspec.Struct, frozen=True):
    """Every note of the caller, the newest first."""

    notes: list[NoteView]


class NotesService:
    """Keeps notes for their owner."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, caller: Caller) -> Sequence[NoteView]:
        """Return the caller's notes, the newest first."""

        def read(transaction: Transaction) -> Sequence[NoteView]:
            query = select_rows(NoteRow).where(NoteRow.c.owner_id == caller.person_id)
            newest = query.order_by(NoteRow.c.created_at.desc(), NoteRow.c.id)
            return [_view(row) for row in transaction.select(NoteRow, newest)]

        return await self._database.read(read)

    async def write(self, caller: Caller, request: WriteNote) -> NoteView:
        """Store a note."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)

        def store(transaction: Transaction) -> NoteView:
            row = NoteRow(id=random_id(), owner_id=caller.person_id, text=request.text, created_at=now)
            transaction.insert(row)
            return _view(row)

        return await self._database.write(store)

    async def count(self, caller: Caller) -> int:
        """Return how many notes the caller has."""
        query = select(func.count()).select_from(NoteRow.table).where(NoteRow.c.owner_id == caller.person_id)
        return await self._database.read(lambda transaction: transaction.scalar(query) or 0)

    async def erase(self, caller: Caller) -> int:
        """Delete all the caller's notes; return how many."""
        erased = await self.count(caller)
        statement = delete(NoteRow.table).where(NoteRow.c.owner_id == caller.person_id)
        await self._database.write(lambda transaction: transaction.execute(statement) and None)
        return erased


def _view(row: NoteRow) -> NoteView:
    return NoteView(id=row.id, text=row.text, created_at=row.created_at.isoformat())
