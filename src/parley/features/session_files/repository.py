"""The queries of imported sessions."""

from collections.abc import Sequence

from sqlalchemy import select, update

from parley.storage.database import Transaction
from parley.storage.tables.conversations import Match, Reply, Session, Turn
from parley.storage.tables.declared import Row


class SessionFilesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def deleted(self, owner_id: str, ids: Sequence[str]) -> dict[str, bool]:
        """Return which of these sessions the owner has, and whether each is deleted."""
        query = select(Session.id, Session.deleted_at).where(
            Session.id.in_(ids), Session.owner_id == owner_id
        )
        return {each.id: each.deleted_at is not None for each in self._db.execute(query)}

    def restore(self, session_id: str) -> None:
        """Bring a deleted session back."""
        self._db.execute(update(Session).where(Session.id == session_id).values(deleted_at=None))

    def digests(self, session_id: str) -> list[str | None]:
        """Return the digests of a session's questions and answers, in their order; null without an answer."""
        query = (
            select(Turn.input_sha256, Reply.text_sha256)
            .join(Match, Match.id == Turn.match_id)
            .join(Reply, Reply.turn_id == Turn.id, isouter=True)
            .where(Turn.session_id == session_id)
            .order_by(Match.index, Turn.index, Reply.order)
        )
        return [digest for row in self._db.execute(query) for digest in row]

    def insert(self, *rows: Row) -> None:
        """Insert rows in their order."""
        self._db.insert(*rows)
