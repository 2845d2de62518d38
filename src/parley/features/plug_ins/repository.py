"""The queries of plug-ins."""

from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select

from parley.features.plug_ins.tables import PlugInRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows

_C = PlugInRow.c


class PlugInsRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def seen_by(self, owner_id: str) -> Sequence[PlugInRow]:
        """Return those of a person or workspace, and everybody's, by kind and name."""
        query = select_rows(PlugInRow).where(or_(_C.owner_id == owner_id, _C.owner_id.is_(None)))
        return self._db.select(PlugInRow, query.order_by(_C.kind, _C.name, _C.id))

    def of(self, owner_id: str | None) -> Sequence[PlugInRow]:
        """Return those of a person or workspace; None for everybody's."""
        mine = _C.owner_id.is_(None) if owner_id is None else _C.owner_id == owner_id
        return self._db.select(PlugInRow, select_rows(PlugInRow).where(mine).order_by(_C.kind, _C.name))

    def word_lists(self) -> Sequence[PlugInRow]:
        """Return the word lists that are on, whoever's they are."""
        query = select_rows(PlugInRow).where(_C.kind == "words", _C.enabled)
        return self._db.select(PlugInRow, query.order_by(_C.created_at, _C.id))

    def get(self, owner_id: str, plug_in_id: str) -> PlugInRow:
        """Return a plug-in that a person or workspace sees. Raises NotFound."""
        seen = or_(_C.owner_id == owner_id, _C.owner_id.is_(None))
        row = self._db.find(PlugInRow, _C.id == plug_in_id, seen)
        if row is None:
            raise no_plug_in()
        return row

    def count(self, owner_id: str) -> int:
        """Return how many a person or workspace has."""
        return self._db.scalar(select(func.count()).where(_C.owner_id == owner_id)) or 0

    def add(self, row: PlugInRow) -> None:
        """Insert a plug-in."""
        self._db.insert(row)

    def update(self, row: PlugInRow) -> None:
        """Store a changed plug-in."""
        self._db.update(row)

    def remove(self, row: PlugInRow) -> None:
        """Delete a plug-in."""
        self._db.delete(row)

    def erase(self, owner_id: str) -> int:
        """Delete all of a person or workspace; return how many."""
        return self._db.execute(delete(PlugInRow.table).where(_C.owner_id == owner_id)).rowcount


def no_plug_in() -> NotFound:
    """Return the error for a plug-in that does not exist or belongs to someone else."""
    return NotFound("This plug-in doesn't exist.", "It may have been deleted.")
