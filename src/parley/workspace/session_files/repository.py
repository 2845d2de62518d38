"""The queries of imported sessions."""

from collections.abc import Sequence

from sqlalchemy import select, update

from parley.storage.database import Transaction
from parley.storage.tables.conversations import Session
from parley.storage.tables.declared import Row


class SessionFilesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def bring_back(self, owner_id: str, ids: Sequence[str]) -> tuple[bool, bool]:
        """Return whether the owner has one of these sessions, and whether it was deleted: then it is restored."""
        query = select(Session.id, Session.deleted_at).where(
            Session.id.in_(ids), Session.owner_id == owner_id
        )
        found = self._db.execute(query).all()
        if any(deleted_at is None for _, deleted_at in found) or not found:
            return bool(found), False
        self._db.execute(update(Session).where(Session.id == found[0].id).values(deleted_at=None))
        return True, True

    def insert(self, *rows: Row) -> None:
        """Insert rows in their order."""
        self._db.insert(*rows)
