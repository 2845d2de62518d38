"""The queries of the sidebar."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, or_, select, tuple_, update

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.bookkeeping import Receipt
from parley.storage.tables.conversations import Session, Turn
from parley.storage.tables.judgements import Vote


class SessionsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, *, search: str, archived: bool, limit: int, after: tuple[datetime, str] | None
    ) -> Sequence[Session]:
        """Return sessions, latest activity first, whose title or prompts contain `search`."""
        query = select(Session).where(
            Session.owner_id == owner_id, Session.deleted_at.is_(None), Session.archived.is_(archived)
        )
        if search:
            prompt = Turn.input["text"].as_string()
            asked = exists().where(Turn.session_id == Session.id, prompt.icontains(search, autoescape=True))
            query = query.where(or_(Session.title.icontains(search, autoescape=True), asked))
        if after:
            query = query.where(tuple_(Session.updated_at, Session.id) < tuple_(*after))
        query = query.order_by(Session.updated_at.desc(), Session.id.desc()).limit(limit)
        return (self._db.scalars(query)).all()

    def get(self, owner_id: str, session_id: str, *, deleted: bool = False) -> Session:
        """Return a session of the owner. Raises NotFound."""
        query = select(Session).where(Session.id == session_id, Session.owner_id == owner_id)
        row = self._db.scalar(query)
        if row is None or (row.deleted_at is not None and not deleted):
            raise NotFound("There is no such session.", "It may have been deleted.")
        return row

    def purge(self, before: datetime) -> int:
        """Remove the texts of sessions deleted before a time; their votes stay, under the voter's pseudonym."""
        query = select(Session.id).where(Session.deleted_at < before)
        ids = (self._db.scalars(query)).all()
        for session_id in ids:
            self._forget_votes(session_id)
            self._db.execute(delete(Session).where(Session.id == session_id))
        return len(ids)

    def drop_receipts(self, before: datetime) -> None:
        """Forget idempotency keys older than a time."""
        self._db.execute(delete(Receipt).where(Receipt.created_at < before))

    def _forget_votes(self, session_id: str) -> None:
        for vote in self._db.scalars(select(Vote).where(Vote.session_id == session_id)):
            result: dict[str, Any] = {**vote.result, "reason": None}
            values = {"session_id": None, "owner_id": None, "reason": None, "result": result}
            self._db.execute(update(Vote).where(Vote.seq == vote.seq).values(values))
            # The receipt of a vote under an idempotency key repeats its reason.
            given = Receipt.result["vote_id"].as_string() == vote.id
            self._db.execute(delete(Receipt).where(given))
