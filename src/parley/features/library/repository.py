"""The queries of the library. Everything is looked up together with its owner."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, exists, func, not_, or_, select, tuple_, update

from parley.features.library.schemas import AssetFilter
from parley.kernel.errors import NotFound
from parley.kernel.sealing import is_sealed, not_in_sealed
from parley.storage.database import Transaction
from parley.storage.tables.assets import AssetRow, AssetTagRow
from parley.storage.tables.conversations import MatchRow, ReplyRow, SeatRow, SessionRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import VoteRow

_ASSET = AssetRow.c
_OPEN = exists().where(MatchRow.c.id == _ASSET.match_id, MatchRow.c.status == "open")
_SEEN = or_(not_(_ASSET.veiled), not_(_OPEN))
"""A picture of a blind match shows with its model once the match is over."""
_DELETED_SESSIONS = select(SessionRow.c.id).where(SessionRow.c.deleted_at.is_not(None))
_PLACE = ("reply_id", "source_id", "kind", "part")
_IN_KEPT = or_(_ASSET.session_id.is_(None), _ASSET.session_id.not_in(_DELETED_SESSIONS))


class Origin(NamedTuple):
    """The rows that something was made in."""

    session: SessionRow
    match: MatchRow
    turn: TurnRow
    reply: ReplyRow
    seat: SeatRow | None
    votes: Sequence[VoteRow]


_APART = (_ASSET.deleted_at.is_(None), _ASSET.turn_id.is_(None), _ASSET.session_id.is_(None))


class LibraryRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def page(
        self, owner_id: str, wanted: AssetFilter, *, limit: int, after: tuple[datetime, str] | None
    ) -> list[AssetRow]:
        """Return things of the library by time."""
        order = tuple_(_ASSET.created_at, _ASSET.id)
        query = select_rows(AssetRow).where(*_conditions(owner_id, wanted, kinds=True))
        if after is not None:
            query = query.where(order > tuple_(*after) if wanted.oldest_first else order < tuple_(*after))
        columns = (_ASSET.created_at, _ASSET.id)
        query = query.order_by(*columns if wanted.oldest_first else (each.desc() for each in columns))
        return self._db.select(AssetRow, query.limit(limit))

    def counts(
        self, owner_id: str, wanted: AssetFilter, whole: Sequence[AssetRow] | None
    ) -> dict[str, tuple[int, int]]:
        """Return each kind's number and bytes, whichever kind is wanted.

        `whole`: everything of the kinds that are wanted, if a page holds it. It is not searched for again.
        """
        counts: dict[str, tuple[int, int]] = {}
        for row in whole or ():
            number, size = counts.get(row.kind, (0, 0))
            counts[row.kind] = number + 1, size + row.size
        if whole is not None and wanted.kind is None:
            return counts
        query = select(_ASSET.kind, func.count(), func.sum(_ASSET.size))
        query = query.where(*_conditions(owner_id, wanted, kinds=False)).group_by(_ASSET.kind)
        if whole is not None:
            query = query.where(_ASSET.kind != wanted.kind)
        return counts | {kind: (count, int(size)) for kind, count, size in self._db.execute(query)}

    def get(self, owner_id: str, asset_id: str, *, deleted: bool = False) -> AssetRow:
        """Return a thing of the owner that can be seen. Raises NotFound."""
        row = self._db.find(AssetRow, _ASSET.id == asset_id, _ASSET.owner_id == owner_id, _SEEN)
        if row is None or (row.deleted_at is not None and not deleted):
            raise NotFound("This isn't in your library.", "It may have been deleted.")
        return row

    def alike(self, row: AssetRow, limit: int) -> list[AssetRow]:
        """Return other things that answer the same question."""
        query = select_rows(AssetRow).where(
            _ASSET.owner_id == row.owner_id,
            _ASSET.turn_id == row.turn_id,
            _ASSET.id != row.id,
            _ASSET.kind == row.kind,
            _ASSET.deleted_at.is_(None),
        )
        return self._db.select(AssetRow, query.order_by(_ASSET.created_at, _ASSET.id).limit(limit))

    def origin(self, row: AssetRow) -> Origin | None:
        """Return where something was made; None if it was not made here."""
        reply = self._db.find(ReplyRow, ReplyRow.c.id == row.reply_id) if row.reply_id else None
        if reply is None or row.turn_id is None or row.session_id is None:
            return None
        match = self._db.one(MatchRow, MatchRow.c.id == row.match_id)
        return Origin(
            session=self._db.one(SessionRow, SessionRow.c.id == row.session_id),
            match=match,
            turn=self._db.one(TurnRow, TurnRow.c.id == row.turn_id),
            reply=reply,
            seat=self._db.find(SeatRow, SeatRow.c.match_id == match.id, SeatRow.c.name == reply.seat),
            votes=self._db.select(VoteRow, select_rows(VoteRow).where(VoteRow.c.match_id == match.id)),
        )

    def texts(self, reply_ids: Sequence[str], characters: int) -> dict[str, str]:
        """Return the texts of replies, by id, up to so many characters each."""
        query = select(ReplyRow.c.id, func.substr(ReplyRow.c.text, 1, characters))
        rows = self._db.execute(query.where(ReplyRow.c.id.in_(reply_ids)))
        return {row[0]: row[1] for row in rows}

    def preferred(self, reply_ids: Sequence[str]) -> set[str]:
        """Return which replies won a vote that still counts."""
        query = (
            select(ReplyRow.c.id)
            .join(TurnRow.table, TurnRow.c.id == ReplyRow.c.turn_id)
            .join(VoteRow.table, VoteRow.c.match_id == TurnRow.c.match_id)
            .where(
                ReplyRow.c.id.in_(reply_ids),
                VoteRow.c.choice == ReplyRow.c.seat,
                VoteRow.c.excluded_reason.is_(None),
            )
            .where(or_(VoteRow.c.turn_id.is_(None), VoteRow.c.turn_id == TurnRow.c.id))
        )
        return {row[0] for row in self._db.execute(query)}

    def tags(self, asset_id: str) -> list[str]:
        """Return the tags of something, by name."""
        query = select(AssetTagRow.c.name).where(AssetTagRow.c.asset_id == asset_id)
        return [row[0] for row in self._db.execute(query.order_by(AssetTagRow.c.name))]

    def set_tags(self, asset_id: str, names: Sequence[str]) -> None:
        """Replace the tags of something."""
        self._db.execute(delete(AssetTagRow.table).where(AssetTagRow.c.asset_id == asset_id))
        self._db.insert(*(AssetTagRow(asset_id, name) for name in dict.fromkeys(names)))

    def change(self, asset_id: str, **values: object) -> None:
        """Change columns of something."""
        self._db.execute(update(AssetRow.table).where(_ASSET.id == asset_id).values(values))

    def add(self, row: AssetRow) -> AssetRow:
        """Insert a row, unless the same thing is there; return the row that stands there now."""
        there = self._db.find(
            AssetRow,
            _ASSET.owner_id == row.owner_id,
            _ASSET.sha256 == row.sha256,
            _ASSET.origin == row.origin,
            *(_ASSET[name].is_not_distinct_from(getattr(row, name)) for name in _PLACE),
        )
        if there is None:
            self._db.insert(row)
            return row
        self.change(there.id, deleted_at=None)
        there.deleted_at = None
        return there

    def session(self, owner_id: str, session_id: str) -> SessionRow | None:
        """Return a session of the owner that is not deleted."""
        here = (SessionRow.c.owner_id == owner_id, SessionRow.c.deleted_at.is_(None))
        return self._db.find(SessionRow, SessionRow.c.id == session_id, *here)

    def choices(self, owner_id: str, most: int) -> tuple[list[str], list[str], list[tuple[str, str]]]:
        """Return the models, tags and latest sessions of what is in the library."""
        here = (_ASSET.owner_id == owner_id, _ASSET.deleted_at.is_(None), _SEEN)
        models = select(_ASSET.model_id).where(*here, _ASSET.model_id.is_not(None)).distinct()
        tags = select(AssetTagRow.c.name).join(AssetRow.table, _ASSET.id == AssetTagRow.c.asset_id)
        within = select(_ASSET.session_id).where(*here, _ASSET.session_id.is_not(None))
        sessions = select(SessionRow.c.id, SessionRow.c.title).where(
            SessionRow.c.id.in_(within), SessionRow.c.deleted_at.is_(None)
        )
        return (
            sorted(row[0] for row in self._db.execute(models)),
            sorted({row[0] for row in self._db.execute(tags.where(*here))}),
            [(row[0], row[1]) for row in self._db.execute(_latest(sessions).limit(most))],
        )

    def own_reply(self, owner_id: str, reply_id: str) -> tuple[ReplyRow, TurnRow, MatchRow]:
        """Return a reply of the owner with its turn and match. Raises NotFound."""
        reply = self._db.find(ReplyRow, ReplyRow.c.id == reply_id)
        turn = reply and self._db.find(TurnRow, TurnRow.c.id == reply.turn_id, TurnRow.c.owner_id == owner_id)
        if reply is None or turn is None:
            raise NotFound("This reply doesn't exist.", "Its session may have been deleted.")
        if is_sealed(reply.text):
            raise not_in_sealed("A reply can't be kept in the library", "The library's texts are not sealed.")
        return reply, turn, self._db.one(MatchRow, MatchRow.c.id == turn.match_id)

    def count(self, owner_id: str) -> int:
        """Return how many things an owner has in the library."""
        return self._db.scalar(select(func.count()).where(_ASSET.owner_id == owner_id)) or 0

    def remove_all(self, owner_id: str) -> int:
        """Delete every row of an owner; return how many."""
        removed = self.count(owner_id)
        these = select(_ASSET.id).where(_ASSET.owner_id == owner_id)
        self._db.execute(delete(AssetTagRow.table).where(AssetTagRow.c.asset_id.in_(these)))
        self._db.execute(delete(AssetRow.table).where(_ASSET.owner_id == owner_id))
        return removed

    def count_apart(self, before: datetime | None) -> int:
        """Return how many of everybody's things belong to no conversation, and were added before a time, or at all."""
        query = select(func.count()).select_from(AssetRow.table).where(*_APART)
        return self._db.scalar(query if before is None else query.where(_ASSET.created_at < before)) or 0

    def delete_apart(self, before: datetime, now: datetime) -> int:
        """Delete those that were added before a time, until they are purged; return how many."""
        these = update(AssetRow.table).where(*_APART, _ASSET.created_at < before)
        return self._db.execute(these.values(deleted_at=now)).rowcount

    def purge(self, before: datetime) -> None:
        """Delete what was deleted before then and is stored nowhere else; what was made in a turn stays hidden."""
        these = (_ASSET.deleted_at < before, _ASSET.turn_id.is_(None))
        gone = select(_ASSET.id).where(*these)
        self._db.execute(delete(AssetTagRow.table).where(AssetTagRow.c.asset_id.in_(gone)))
        self._db.execute(delete(AssetRow.table).where(*these))


def _latest(sessions: Any) -> Any:
    return sessions.order_by(SessionRow.c.updated_at.desc())


def _conditions(owner_id: str, wanted: AssetFilter, *, kinds: bool) -> list[ColumnElement[bool]]:
    """Return the conditions of a filter; `wanted.search` is folded."""
    conditions: list[ColumnElement[bool]] = [
        _ASSET.owner_id == owner_id,
        _ASSET.deleted_at.is_(None),
        _SEEN,
        _IN_KEPT,
    ]
    conditions += [_ASSET.words.contains(word, autoescape=True) for word in wanted.search.split()]
    if kinds and wanted.kind is not None:
        conditions.append(_ASSET.kind == wanted.kind)
    if wanted.model is not None:
        conditions.append(_ASSET.model_id == wanted.model)
    if wanted.session is not None:
        conditions.append(_ASSET.session_id == wanted.session)
    if wanted.tag is not None:
        conditions.append(
            _ASSET.id.in_(select(AssetTagRow.c.asset_id).where(AssetTagRow.c.name == wanted.tag))
        )
    if wanted.since is not None:
        conditions.append(_ASSET.created_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(_ASSET.created_at < wanted.until)
    return conditions
