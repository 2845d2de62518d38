"""The arena's queries. Everything that belongs to somebody is looked up together with its owner."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import BindParameter, bindparam, func, insert, select, update

from parley.kernel.errors import NotFound
from parley.kernel.events import InputAdded, NoteAdded, RoundStarted, TurnRenewed, event_kind, event_tag
from parley.kernel.ports import TurnScript
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.scripts import read_script
from parley.storage.tables.bookkeeping import Receipt
from parley.storage.tables.conversations import (
    Match,
    Reply,
    ReplyAttempt,
    Seat,
    Session,
    Turn,
    TurnEvent,
)
from parley.storage.tables.declared import core
from parley.storage.tables.judgements import REPLACED, Vote
from parley.workspace.arena.drafts import TABLES, Draft

# What every turn and vote needs is made once: a statement remembers how it is compiled.
_INSERTS = {draft: insert(core(table)) for draft, table in TABLES.items()}
_LOG_EVENT = insert(core(TurnEvent))
_MATCH = (
    select(Match)
    .join(Session, Session.id == Match.session_id)
    .where(
        Match.id == bindparam("match_id"),
        Match.owner_id == bindparam("owner_id"),
        Session.deleted_at.is_(None),
    )
)
_LOCKED_MATCH = _MATCH.with_for_update(of=Match)
_TURN = (
    select(Turn)
    .join(Session, Session.id == Turn.session_id)
    .where(
        Turn.id == bindparam("turn_id"), Turn.owner_id == bindparam("owner_id"), Session.deleted_at.is_(None)
    )
)
_IDS: BindParameter[Sequence[str]] = bindparam("ids", expanding=True)
_SEATS = select(Seat).where(Seat.match_id.in_(_IDS)).order_by(Seat.match_id, Seat.index)
_TURNS = select(Turn).where(Turn.match_id.in_(_IDS)).order_by(Turn.match_id, Turn.index)
_REPLIES = select(Reply).where(Reply.turn_id.in_(_IDS), Reply.parent_reply_id.is_(None)).order_by(Reply.order)
_SHOWN = tuple(event_tag(kind) for kind in (NoteAdded, InputAdded, RoundStarted, TurnRenewed))
_EVENTS = (
    select(TurnEvent.turn_id, TurnEvent.kind, TurnEvent.data)
    .where(TurnEvent.turn_id.in_(_IDS), TurnEvent.kind.in_(_SHOWN))
    .order_by(TurnEvent.turn_id, TurnEvent.seq)
)
_SPOKEN = select(Reply.turn_id, Reply.seat, Reply.status).where(
    Reply.turn_id.in_(_IDS), Reply.parent_reply_id.is_(None)
)
_VOTES = (
    select(Vote)
    .where(Vote.match_id.in_(_IDS), Vote.excluded_reason.is_distinct_from(REPLACED))
    .order_by(Vote.seq)
)
_TOUCH = update(core(Session)).where(core(Session).c.id == bindparam("this"))
_TOUCH_TIME = _TOUCH.values(updated_at=bindparam("now"))
_TOUCH_MODE = _TOUCH.values(updated_at=bindparam("now"), mode=bindparam("to_mode"))


class ArenaRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def insert(self, *rows: Draft) -> None:
        """Insert rows, in their order; neighbours of one table together."""
        for kind, group in groupby(rows, type):
            self._db.run(_INSERTS[kind], [msgspec.structs.asdict(row) for row in group])

    def session(self, owner_id: str, session_id: str) -> Session:
        """Return a session of the owner that is not deleted. Raises NotFound."""
        query = select(Session).where(
            Session.id == session_id, Session.owner_id == owner_id, Session.deleted_at.is_(None)
        )
        row = self._db.scalar(query)
        if row is None:
            raise NotFound("There is no such session.", "It may have been deleted.")
        return row

    def match(self, owner_id: str, match_id: str, *, lock: bool = False) -> Match:
        """Return a match of the owner in a session that is not deleted. Raises NotFound."""
        query = _LOCKED_MATCH if lock else _MATCH
        row = self._db.scalar(query, {"match_id": match_id, "owner_id": owner_id})
        if row is None:
            raise NotFound("There is no such match.", "Its session may have been deleted.")
        return row

    def turn(self, owner_id: str, turn_id: str) -> Turn:
        """Return a turn of the owner in a session that is not deleted. Raises NotFound."""
        row = self._db.scalar(_TURN, {"turn_id": turn_id, "owner_id": owner_id})
        if row is None:
            raise NotFound("There is no such turn.", "Its session may have been deleted.")
        return row

    def any_match(self, match_id: str) -> Match:
        """Return a match, whoever owns it: for the engine."""
        return self._db.get_one(Match, match_id)

    def script(self, turn_id: str, remembers: Callable[[str], bool]) -> TurnScript:
        """Return everything needed to play a turn, whoever owns it. Raises NotFound."""
        return read_script(self._db, turn_id, remembers)

    def matches(self, session_id: str) -> Sequence[Match]:
        """Return a session's matches, oldest first."""
        query = select(Match).where(Match.session_id == session_id).order_by(Match.index)
        return (self._db.scalars(query)).all()

    def seats(self, match_ids: Sequence[str]) -> Sequence[Seat]:
        """Return the seats of matches, in their order."""
        return self._db.scalars(_SEATS, {"ids": match_ids}).all()

    def free_seats(self, seat_ids: Sequence[str], turn: int) -> None:
        """Store that seats are not asked any more from a turn on."""
        self._db.execute(update(Seat).where(Seat.id.in_(seat_ids)).values(until_turn=turn))

    def turns(self, match_ids: Sequence[str]) -> Sequence[Turn]:
        """Return the turns of matches, oldest first."""
        return self._db.scalars(_TURNS, {"ids": match_ids}).all()

    def replies(self, turn_ids: Sequence[str]) -> Sequence[Reply]:
        """Return the replies of turns, each turn's in its order; inner replies of ensembles are left out."""
        return self._db.scalars(_REPLIES, {"ids": turn_ids}).all()

    def spoken(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return the seats and statuses of the replies of turns, by turn."""
        found: dict[str, list[tuple[str, str]]] = {}
        for turn_id, seat, status in self._db.execute(_SPOKEN, {"ids": turn_ids}):
            found.setdefault(turn_id, []).append((seat, status))
        return found

    def inner_replies(self, turn_id: str) -> Sequence[Reply]:
        """Return what was said within the ensembles of a turn, in the order in which they were asked."""
        query = select(Reply).where(Reply.turn_id == turn_id, Reply.parent_reply_id.is_not(None))
        return self._db.scalars(query.order_by(Reply.path, Reply.order)).all()

    def attempts(self, turn_id: str) -> Sequence[tuple[ReplyAttempt, Reply]]:
        """Return the earlier attempts of a turn's replies, with what they are attempts of."""
        query = (
            select(ReplyAttempt, Reply)
            .join(Reply, Reply.id == ReplyAttempt.reply_id)
            .where(Reply.turn_id == turn_id, Reply.parent_reply_id.is_(None))
            .order_by(Reply.round, Reply.seat, Reply.purpose, ReplyAttempt.attempt)
        )
        return [(attempt, reply) for attempt, reply in self._db.execute(query)]

    def inner_models(self, turn_ids: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Return who spoke within the ensembles of turns: paths and model ids."""
        query = select(Reply.path, Reply.model_id).where(
            Reply.turn_id.in_(turn_ids), Reply.parent_reply_id.is_not(None)
        )
        return [(path, model_id) for path, model_id in self._db.execute(query.distinct())]

    def events(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, dict[str, Any]]]]:
        """Return what a view of a turn is made of beside its replies: kinds and data of its events, in order."""
        events: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        for turn_id, kind, data in self._db.execute(_EVENTS, {"ids": turn_ids}).all():
            events.setdefault(turn_id, []).append((kind, data))
        return events

    def renew(self, turn_id: str, seat: str | None = None) -> None:
        """Store that the person asks again what is not complete, or one seat, in a turn that nobody plays."""
        query = select(func.coalesce(func.max(TurnEvent.seq) + 1, 0)).where(TurnEvent.turn_id == turn_id)
        event = TurnRenewed(turn_id=turn_id, seat=seat)
        row = {
            "turn_id": turn_id,
            "seq": int(self._db.scalar(query) or 0),
            "kind": event_kind(event),
            "version": 1,
            "data": msgspec.to_builtins(event),
        }
        self._db.run(_LOG_EVENT, [row])

    def votes(self, match_ids: Sequence[str]) -> Sequence[Vote]:
        """Return the votes on matches that stand, oldest first."""
        return self._db.scalars(_VOTES, {"ids": match_ids}).all()

    def next_match_index(self, session_id: str) -> int:
        """Return the index that the session's next match gets."""
        query = select(func.coalesce(func.max(Match.index) + 1, 0)).where(Match.session_id == session_id)
        return int(self._db.scalar(query) or 0)

    def touch(self, session_id: str, now: datetime, mode: str | None = None) -> None:
        """Move a session to the top of the list."""
        if mode is None:
            self._db.run(_TOUCH_TIME, [{"this": session_id, "now": now}])
        else:
            self._db.run(_TOUCH_MODE, [{"this": session_id, "now": now, "to_mode": mode}])

    def claim_receipt(self, owner_id: str, key: str, request_sha256: str, now: datetime) -> bool:
        """Take an idempotency key; False where it is taken. Waits for another transaction that is taking it."""
        row: dict[str, Any] = {
            "owner_id": owner_id,
            "key": key,
            "request_sha256": request_sha256,
            "result": {},
            "created_at": now,
        }
        claim = insert_or_ignore(self._db, Receipt)
        return self._db.execute(claim.returning(core(Receipt).c.key), row).first() is not None

    def fill_receipt(self, owner_id: str, key: str, result: dict[str, Any]) -> None:
        """Store what an idempotency key stands for."""
        query = update(Receipt).where(Receipt.owner_id == owner_id, Receipt.key == key)
        self._db.execute(query.values(result=result))

    def receipt(self, owner_id: str, key: str) -> Receipt:
        """Return what an idempotency key that is taken stands for."""
        return self._db.get_one(Receipt, (owner_id, key))
