"""The queries of imported sessions."""

from collections.abc import Sequence

from sqlalchemy import select, update

from parley.storage.database import Transaction
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnRow
from parley.storage.tables.rows import Row


class SessionFilesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def deleted(self, owner_id: str, ids: Sequence[str]) -> dict[str, bool]:
        """Return which of these sessions the owner has, and whether each is deleted."""
        query = select(SessionRow.c.id, SessionRow.c.deleted_at).where(
            SessionRow.c.id.in_(ids), SessionRow.c.owner_id == owner_id
        )
        return {each.id: each.deleted_at is not None for each in self._db.execute(query)}

    def restore(self, session_id: str) -> None:
        """Bring a deleted session back."""
        self._db.execute(
            update(SessionRow.table).where(SessionRow.c.id == session_id).values(deleted_at=None)
        )

    def digests(self, session_id: str) -> list[str | None]:
        """Return the digests of a session's questions and answers, in their order; null without an answer."""
        query = (
            select(TurnRow.c.input_sha256, ReplyRow.c.text_sha256)
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .join(ReplyRow.table, ReplyRow.c.turn_id == TurnRow.c.id, isouter=True)
            .where(TurnRow.c.session_id == session_id)
            .order_by(MatchRow.c.index, TurnRow.c.index, ReplyRow.c.order)
        )
        return [digest for row in self._db.execute(query) for digest in row]

    def insert(self, *rows: Row) -> None:
        """Insert rows in their order."""
        self._db.insert(*rows)
