"""The queries of the sidebar."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, select, tuple_, update
from sqlalchemy.orm import aliased

from parley.features.sessions.schemas import TAGS, SessionFilter
from parley.features.sessions.search_repository import Listed, SearchRepository
from parley.kernel.errors import Invalid, NotFound
from parley.storage.database import Transaction
from parley.storage.tables.bookkeeping import Receipt
from parley.storage.tables.conversations import Match, Session, SessionRow, SessionTag, SessionTagRow, Turn
from parley.storage.tables.declared import core, select_rows
from parley.storage.tables.search import SearchText, SearchTextRow
from parley.storage.tables.votes import Vote
from parley.text.folding import folded

_SESSION = core(Session).c
_OWNED = select_rows(SessionRow).where(
    _SESSION.id == bindparam("this"), _SESSION.owner_id == bindparam("owner_id")
)


class SessionsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, asked: SessionFilter, *, limit: int, after: tuple[datetime, str] | None
    ) -> Sequence[SessionRow]:
        """Return sessions, latest activity first.

        `asked.search` is folded; it is found in titles, prompts and replies.
        """
        search = asked.search
        listed = select_rows(SessionRow).where(_SESSION.owner_id == owner_id, _SESSION.deleted_at.is_(None))
        found = bool(search or asked.tag)
        if asked.archived is not None or not found:
            listed = listed.where(_SESSION.archived.is_(asked.archived or False))
        if asked.tag is not None:
            tagged = select(SessionTag.session_id).where(
                SessionTag.owner_id == owner_id, SessionTag.name == asked.tag
            )
            listed = listed.where(_SESSION.id.in_(tagged))
        if asked.mode is not None:
            listed = listed.where(_SESSION.mode == asked.mode)
        if asked.pinned is not None:
            listed = listed.where(_SESSION.pinned.is_(asked.pinned))
        if after:
            listed = listed.where(tuple_(_SESSION.updated_at, _SESSION.id) < tuple_(*after))
        listed = listed.order_by(_SESSION.updated_at.desc(), _SESSION.id.desc())
        if not search:
            return self._rows(listed.limit(limit))
        searching = SearchRepository(self._db)
        found = self._rows(searching.among_latest(listed, search).limit(limit))
        if len(found) == limit:
            return found
        return self._rows(searching.among_all(listed, owner_id, search).limit(limit))

    def get(self, owner_id: str, session_id: str, *, deleted: bool = False) -> SessionRow:
        """Return a session of the owner. Raises NotFound."""
        found = self._db.rows(_OWNED, {"this": session_id, "owner_id": owner_id}, SessionRow)
        if not found or (found[0].deleted_at is not None and not deleted):
            raise NotFound("This session doesn't exist.", "It may have been deleted.")
        return found[0]

    def change(self, session_id: str, **values: object) -> None:
        """Change columns of a session."""
        self._db.execute(update(core(Session)).where(_SESSION.id == session_id).values(values))

    def retitle(self, session: SessionRow, title: str) -> None:
        """Change a session's title, in search too."""
        self.change(session.id, title=title)
        earlier = delete(SearchText).where(SearchText.session_id == session.id, SearchText.is_title)
        self._db.execute(earlier)
        self._db.insert(SearchTextRow(session.id, session.owner_id, is_title=True, text=folded(title)))

    def unvoted(self, ids: Sequence[str]) -> set[str]:
        """Return which sessions have a complete blind match without a vote as their latest."""
        later, unfinished = aliased(Match), aliased(Turn)
        query = (
            select(Match.session_id)
            .where(Match.session_id.in_(ids), Match.blind, Match.status == "open")
            .where(~exists().where(later.session_id == Match.session_id, later.index > Match.index))
            .where(~exists().where(unfinished.match_id == Match.id, unfinished.status != "completed"))
        )
        return set(self._db.scalars(query)) if ids else set()

    def tags(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the tags of sessions, by session and name."""
        query = select(SessionTag.session_id, SessionTag.name).where(SessionTag.session_id.in_(ids))
        tags: dict[str, list[str]] = {}
        for session_id, name in self._db.execute(query.order_by(SessionTag.name)) if ids else ():
            tags.setdefault(session_id, []).append(name)
        return tags

    def add_tags(self, session: SessionRow, names: Iterable[str]) -> None:
        """Add tags to a session. Raises Invalid if it would have too many."""
        had = set(self.tags([session.id]).get(session.id, ()))
        added = set(names) - had
        if len(had) + len(added) > TAGS:
            raise Invalid("add_tags", f"“{session.title}” can't have more than {TAGS} tags.", "Remove some.")
        self._db.insert(*(SessionTagRow(session.id, name, session.owner_id) for name in sorted(added)))

    def remove_tags(self, session_id: str, names: Collection[str] | None = None) -> None:
        """Remove these tags from a session; without names, all of them."""
        these = delete(SessionTag).where(SessionTag.session_id == session_id)
        self._db.execute(these if names is None else these.where(SessionTag.name.in_(names)))

    def tag_counts(self, owner_id: str) -> list[tuple[str, int]]:
        """Return each tag of the owner with its number of sessions that are not deleted, by name."""
        query = (
            select(SessionTag.name, func.count())
            .join(Session, Session.id == SessionTag.session_id)
            .where(SessionTag.owner_id == owner_id, Session.deleted_at.is_(None))
            .group_by(SessionTag.name)
            .order_by(SessionTag.name)
        )
        return [(name, count) for name, count in self._db.execute(query)]

    def ids(self, owner_id: str, *, deleted: bool = False, limit: int | None = None) -> Sequence[str]:
        """Return the ids of the owner's sessions, oldest first."""
        query = select(Session.id).where(Session.owner_id == owner_id)
        if not deleted:
            query = query.where(Session.deleted_at.is_(None))
        return self._db.scalars(query.order_by(Session.created_at, Session.id).limit(limit)).all()

    def purge(self, before: datetime) -> int:
        """Remove the texts of sessions deleted before a time; return how many sessions.

        Their votes stay, under the voter's pseudonym.
        """
        query = select(Session.id).where(Session.deleted_at < before)
        ids = (self._db.scalars(query)).all()
        self.forget(ids)
        return len(ids)

    def forget(self, ids: Sequence[str]) -> None:
        """Remove sessions with all their texts. Their votes stay, under the voter's pseudonym."""
        for session_id in ids:
            self._forget_votes(session_id)
            self._db.execute(delete(Session).where(Session.id == session_id))

    def drop_receipts(self, before: datetime) -> None:
        """Delete idempotency keys older than a time."""
        self._db.execute(delete(Receipt).where(Receipt.created_at < before))

    def _forget_votes(self, session_id: str) -> None:
        for vote in self._db.scalars(select(Vote).where(Vote.session_id == session_id)):
            result: dict[str, Any] = {**vote.result, "reason": None}
            values = {"session_id": None, "owner_id": None, "reason": None, "result": result}
            self._db.execute(update(Vote).where(Vote.seq == vote.seq).values(values))
            # The receipt of a vote under an idempotency key repeats its reason.
            given = Receipt.result["vote_id"].as_string() == vote.id
            self._db.execute(delete(Receipt).where(given))

    def _rows(self, query: Listed) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._db.execute(query)]
