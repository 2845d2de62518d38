"""The queries of the sidebar."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, exists, select, tuple_, update
from sqlalchemy.orm import aliased

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.bookkeeping import Receipt
from parley.storage.tables.conversations import SearchText, Session
from parley.storage.tables.judgements import Vote
from parley.text.folding import folded

LATEST = 1000
"""How many sessions are looked at one by one before every text is searched."""


class SessionsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, *, search: str, archived: bool, limit: int, after: tuple[datetime, str] | None
    ) -> Sequence[Session]:
        """Return sessions, latest activity first, whose title or prompts contain `search`, which is folded."""
        listed = select(Session).where(
            Session.owner_id == owner_id, Session.deleted_at.is_(None), Session.archived.is_(archived)
        )
        if after:
            listed = listed.where(tuple_(Session.updated_at, Session.id) < tuple_(*after))
        listed = listed.order_by(Session.updated_at.desc(), Session.id.desc())
        if not search:
            return self._db.scalars(listed.limit(limit)).all()
        found = self._db.scalars(_among_latest(listed, search).limit(limit)).all()
        if len(found) == limit:
            return found
        return self._db.scalars(_among_all(listed, owner_id, search).limit(limit)).all()

    def get(self, owner_id: str, session_id: str, *, deleted: bool = False) -> Session:
        """Return a session of the owner. Raises NotFound."""
        query = select(Session).where(Session.id == session_id, Session.owner_id == owner_id)
        row = self._db.scalar(query)
        if row is None or (row.deleted_at is not None and not deleted):
            raise NotFound("There is no such session.", "It may have been deleted.")
        return row

    def retitle(self, session: Session, title: str) -> None:
        """Give a session a new title, by which it is found as well."""
        session.title = title
        earlier = delete(SearchText).where(SearchText.session_id == session.id, SearchText.is_title)
        self._db.execute(earlier)
        self._db.add(
            SearchText(session_id=session.id, owner_id=session.owner_id, is_title=True, text=folded(title))
        )

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


def _among_all(listed: Select[Session], owner_id: str, search: str) -> Select[Session]:
    """Return what is found in every text of the owner, of which none is read twice."""
    texts = select(SearchText.session_id).where(
        SearchText.owner_id == owner_id, SearchText.text.contains(search, autoescape=True)
    )
    # Otherwise PostgreSQL may walk along the sessions as above, though it has just been in vain.
    found = texts.cte("found").prefix_with("MATERIALIZED", dialect="postgresql")
    return listed.where(Session.id.in_(select(found.c.session_id)))


def _among_latest(listed: Select[Session], search: str) -> Select[Session]:
    """Return what is found among the latest sessions: a common word fills the page from these."""
    latest = aliased(Session, listed.limit(LATEST).subquery())
    found = exists().where(
        SearchText.session_id == latest.id, SearchText.text.contains(search, autoescape=True)
    )
    return select(latest).where(found).order_by(latest.updated_at.desc(), latest.id.desc())
