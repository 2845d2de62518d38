"""The queries of the sidebar."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, select, tuple_, update

from parley.features.sessions.schemas import TAGS, SessionFilter
from parley.features.sessions.search_repository import Listed, SearchRepository
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.sealing import Seal, not_in_sealed, not_sealed
from parley.storage.database import Transaction
from parley.storage.sealed_rows import check_seal, seal_of, title_place
from parley.storage.tables.bookkeeping import ReceiptRow
from parley.storage.tables.conversations import (
    MatchRow,
    ReplyRow,
    SessionRow,
    SessionTagRow,
    TurnEventRow,
    TurnRow,
)
from parley.storage.tables.rows import select_rows
from parley.storage.tables.sealed import SealedSessionRow
from parley.storage.tables.search import SearchTextRow
from parley.storage.tables.votes import VoteRow
from parley.text.folding import folded

_SESSION = SessionRow.c
_EXPORTED = ("id", "attempt", "seat", "model_id", "status", "text", "reasoning", "error")
_OWNED = select_rows(SessionRow).where(
    _SESSION.id == bindparam("this"), _SESSION.owner_id == bindparam("owner_id")
)


class SessionsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, query_filter: SessionFilter, *, limit: int, after: tuple[datetime, str] | None
    ) -> Sequence[SessionRow]:
        """Return sessions, latest activity first.

        `asked.search` is folded; it is found in titles, prompts and replies.
        """
        search = query_filter.search
        listed = select_rows(SessionRow).where(_SESSION.owner_id == owner_id, _SESSION.deleted_at.is_(None))
        is_search = bool(search or query_filter.tag)
        if query_filter.archived is not None or not is_search:
            listed = listed.where(_SESSION.archived.is_(query_filter.archived or False))
        if query_filter.tag is not None:
            tagged = select(SessionTagRow.c.session_id).where(
                SessionTagRow.c.owner_id == owner_id, SessionTagRow.c.name == query_filter.tag
            )
            listed = listed.where(_SESSION.id.in_(tagged))
        if query_filter.mode is not None:
            listed = listed.where(_SESSION.mode == query_filter.mode)
        if query_filter.pinned is not None:
            listed = listed.where(_SESSION.pinned.is_(query_filter.pinned))
        if after:
            listed = listed.where(tuple_(_SESSION.updated_at, _SESSION.id) < tuple_(*after))
        listed = listed.order_by(_SESSION.updated_at.desc(), _SESSION.id.desc())
        if not search:
            return self._rows(listed.limit(limit))
        searching = SearchRepository(self._db)
        latest = self._rows(searching.among_latest(listed, search).limit(limit))
        if len(latest) == limit:
            return latest
        return self._rows(searching.among_all(listed, owner_id, search).limit(limit))

    def get(self, owner_id: str, session_id: str, *, deleted: bool = False) -> SessionRow:
        """Return a session of the owner. Raises NotFound."""
        rows = self._db.rows(_OWNED, {"this": session_id, "owner_id": owner_id}, SessionRow)
        if not rows or (rows[0].deleted_at is not None and not deleted):
            raise NotFound("This session doesn't exist.", "It may have been deleted.")
        return rows[0]

    def seal(self, session_id: str) -> SealedSessionRow:
        """Return the seal of a session. Raises Conflict if it has none."""
        row = seal_of(self._db, session_id)
        if row is None:
            raise not_sealed()
        return row

    def check_seal(self, session: SessionRow, seal: Seal | None) -> None:
        """Raise Conflict or Forbidden unless a request has the key of a session that is sealed."""
        check_seal(self._db, session.id, seal, sealed=session.sealed)

    def title(self, session: SessionRow, seal: Seal | None) -> str:
        """Return a session's title; that of a sealed one with its key only."""
        if seal is None or not session.sealed:
            return session.title
        return seal.open(self.seal(session.id).title, title_place(session.id))

    def retitle_sealed(self, session: SessionRow, title: str, seal: Seal) -> None:
        """Change the title of a sealed session, which nothing is searched by."""
        sealed = seal.text(title, title_place(session.id))
        these = update(SealedSessionRow.table).where(SealedSessionRow.c.session_id == session.id)
        self._db.execute(these.values(title=sealed))

    def ciphertext(self, session_id: str) -> tuple[dict[str, object], ...]:
        """Return the rows of a sealed session as they are stored, by turn: for a person's own export."""
        events = select(TurnEventRow.c.turn_id, TurnEventRow.c.seq, TurnEventRow.c.data)
        turns = self._db.select(TurnRow, select_rows(TurnRow).where(TurnRow.c.session_id == session_id))
        ids = [turn.id for turn in turns]
        replies = self._db.select(ReplyRow, select_rows(ReplyRow).where(ReplyRow.c.turn_id.in_(ids)))
        logged = self._db.execute(events.where(TurnEventRow.c.turn_id.in_(ids)).order_by(TurnEventRow.c.seq))
        happened: dict[str, list[object]] = {}
        for turn_id, seq, data in logged:
            happened.setdefault(turn_id, []).append({"seq": seq, "data": data})
        return tuple(
            {
                "turn_id": turn.id,
                "input": turn.input,
                "error": turn.error,
                "replies": [
                    {name: getattr(reply, name) for name in _EXPORTED}
                    for reply in replies
                    if reply.turn_id == turn.id
                ],
                "events": happened.get(turn.id, []),
            }
            for turn in turns
        )

    def change(self, session_id: str, **values: object) -> None:
        """Change columns of a session."""
        self._db.execute(update(SessionRow.table).where(_SESSION.id == session_id).values(values))

    def retitle(self, session: SessionRow, title: str) -> None:
        """Change a session's title, in search too."""
        self.change(session.id, title=title)
        earlier = delete(SearchTextRow.table).where(
            SearchTextRow.c.session_id == session.id, SearchTextRow.c.is_title
        )
        self._db.execute(earlier)
        self._db.insert(SearchTextRow(session.id, session.owner_id, is_title=True, text=folded(title)))

    def unvoted(self, ids: Sequence[str]) -> set[str]:
        """Return which sessions have a complete blind match without a vote as their latest."""
        later, unfinished = MatchRow.table.alias().c, TurnRow.table.alias().c
        query = (
            select(MatchRow.c.session_id)
            .where(MatchRow.c.session_id.in_(ids), MatchRow.c.blind, MatchRow.c.status == "open")
            .where(~exists().where(later.session_id == MatchRow.c.session_id, later.index > MatchRow.c.index))
            .where(~exists().where(unfinished.match_id == MatchRow.c.id, unfinished.status != "completed"))
        )
        return set(self._db.scalars(query)) if ids else set()

    def void(self, ids: Sequence[str]) -> set[str]:
        """Return which sessions have a void match as their latest."""
        later = MatchRow.table.alias().c
        query = (
            select(MatchRow.c.session_id)
            .where(MatchRow.c.session_id.in_(ids), MatchRow.c.status == "void")
            .where(~exists().where(later.session_id == MatchRow.c.session_id, later.index > MatchRow.c.index))
        )
        return set(self._db.scalars(query)) if ids else set()

    def tags(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """Return the tags of sessions, by session and name."""
        query = select(SessionTagRow.c.session_id, SessionTagRow.c.name).where(
            SessionTagRow.c.session_id.in_(ids)
        )
        tags: dict[str, list[str]] = {}
        for session_id, name in self._db.execute(query.order_by(SessionTagRow.c.name)) if ids else ():
            tags.setdefault(session_id, []).append(name)
        return tags

    def add_tags(self, session: SessionRow, names: Iterable[str]) -> None:
        """Add tags to a session. Raises Invalid if it would have too many."""
        if session.sealed:
            raise not_in_sealed(
                "Tags can't be given", "Tags are stored as they are, so they would be readable."
            )
        had = set(self.tags([session.id]).get(session.id, ()))
        added = set(names) - had
        if len(had) + len(added) > TAGS:
            raise Invalid("add_tags", f"“{session.title}” can't have more than {TAGS} tags.", "Remove some.")
        self._db.insert(*(SessionTagRow(session.id, name, session.owner_id) for name in sorted(added)))

    def remove_tags(self, session_id: str, names: Collection[str] | None = None) -> None:
        """Remove these tags from a session; without names, all of them."""
        these = delete(SessionTagRow.table).where(SessionTagRow.c.session_id == session_id)
        self._db.execute(these if names is None else these.where(SessionTagRow.c.name.in_(names)))

    def tag_counts(self, owner_id: str) -> list[tuple[str, int]]:
        """Return each tag of the owner with its number of sessions that are not deleted, by name."""
        query = (
            select(SessionTagRow.c.name, func.count())
            .join(SessionRow.table, SessionRow.c.id == SessionTagRow.c.session_id)
            .where(SessionTagRow.c.owner_id == owner_id, SessionRow.c.deleted_at.is_(None))
            .group_by(SessionTagRow.c.name)
            .order_by(SessionTagRow.c.name)
        )
        return [(name, count) for name, count in self._db.execute(query)]

    def ids(self, owner_id: str, *, deleted: bool = False, limit: int | None = None) -> Sequence[str]:
        """Return the ids of the owner's sessions, oldest first."""
        query = select(SessionRow.c.id).where(SessionRow.c.owner_id == owner_id)
        if not deleted:
            query = query.where(SessionRow.c.deleted_at.is_(None))
        return self._db.scalars(query.order_by(SessionRow.c.created_at, SessionRow.c.id).limit(limit))

    def untouched(
        self, before: datetime | None, *, archived: bool | None, limit: int | None = None
    ) -> Sequence[tuple[str, str]]:
        """Return everybody's sessions that were last changed before a time, by owner and id; pinned ones left out."""
        query = select(_SESSION.owner_id, _SESSION.id).where(
            _SESSION.deleted_at.is_(None), _SESSION.pinned.is_(False)
        )
        if archived is not None:
            query = query.where(_SESSION.archived.is_(archived))
        if before is not None:
            query = query.where(_SESSION.updated_at < before)
        rows = self._db.execute(query.order_by(_SESSION.updated_at).limit(limit))
        return [(row.owner_id, row.id) for row in rows]

    def purge(self, before: datetime) -> int:
        """Remove the texts of sessions deleted before a time; return how many sessions.

        Their votes stay, under the voter's pseudonym.
        """
        query = select(SessionRow.c.id).where(SessionRow.c.deleted_at < before)
        ids = self._db.scalars(query)
        self.forget(ids)
        return len(ids)

    def forget(self, ids: Sequence[str]) -> None:
        """Remove sessions with all their texts. Their votes stay, under the voter's pseudonym."""
        for session_id in ids:
            self._forget_votes(session_id)
            self._db.execute(delete(SessionRow.table).where(SessionRow.c.id == session_id))

    def drop_receipts(self, before: datetime) -> None:
        """Delete idempotency keys older than a time."""
        self._db.execute(delete(ReceiptRow.table).where(ReceiptRow.c.created_at < before))

    def _forget_votes(self, session_id: str) -> None:
        for vote in self._db.select(VoteRow, select_rows(VoteRow).where(VoteRow.c.session_id == session_id)):
            result: dict[str, Any] = {**vote.result, "reason": None}
            values = {"session_id": None, "owner_id": None, "reason": None, "result": result}
            self._db.execute(update(VoteRow.table).where(VoteRow.c.seq == vote.seq).values(values))
            # The receipt of a vote under an idempotency key repeats its reason.
            of_vote = ReceiptRow.c.result["vote_id"].as_string() == vote.id
            self._db.execute(delete(ReceiptRow.table).where(of_vote))

    def _rows(self, query: Listed) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._db.execute(query)]
