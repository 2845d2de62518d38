"""The arena's queries. Everything that a person owns is looked up together with its owner."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import BindParameter, Select, bindparam, func, insert, select, update

from parley.features.arena.views import vote_view
from parley.kernel.errors import NotFound, Problem
from parley.kernel.events import (
    InputAdded,
    NoteAdded,
    RoundStarted,
    ToolCalled,
    ToolReturned,
    TurnRenewed,
    event_kind,
    event_tag,
)
from parley.kernel.messages import sha256_text
from parley.kernel.ports import TurnScript
from parley.kernel.sealing import Seal, is_sealed
from parley.kernel.views import VoteView
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.scripts import read_script
from parley.storage.sealed_rows import check_seal, opened, opened_events, sealed_row
from parley.storage.tables.attachments import AttachmentRow
from parley.storage.tables.bookkeeping import ReceiptRow
from parley.storage.tables.conversations import (
    AttemptRow,
    MatchRow,
    ReplyRow,
    SeatRow,
    SessionRow,
    TurnEventRow,
    TurnRow,
)
from parley.storage.tables.rows import Row, select_rows
from parley.storage.tables.votes import REPLACED, VoteRow

R = TypeVar("R", bound=Row)

# Statements are created once: each caches how it is compiled.
_SESSIONS, _MATCHES, _SEATS, _TURNS = (row.c for row in (SessionRow, MatchRow, SeatRow, TurnRow))
_REPLIES, _EVENTS, _VOTES = (row.c for row in (ReplyRow, TurnEventRow, VoteRow))
_THIS: BindParameter[str] = bindparam("this")
_OWNER: BindParameter[str] = bindparam("owner_id")
_IDS: BindParameter[Sequence[str]] = bindparam("ids", expanding=True)

_SESSION = select_rows(SessionRow).where(
    _SESSIONS.id == _THIS, _SESSIONS.owner_id == _OWNER, _SESSIONS.deleted_at.is_(None)
)
_ANY_MATCH = select_rows(MatchRow).where(_MATCHES.id == _THIS)
_MATCH = _ANY_MATCH.join(SessionRow.table, _SESSIONS.id == _MATCHES.session_id).where(
    _MATCHES.owner_id == _OWNER, _SESSIONS.deleted_at.is_(None)
)
_LOCKED_MATCH = _MATCH.with_for_update(of=MatchRow.table)
_MATCHES_OF_SESSION = select_rows(MatchRow).where(_MATCHES.session_id == _THIS).order_by(_MATCHES.index)
_ATTACHED = AttachmentRow.c
_ATTACHMENTS = (
    select_rows(AttachmentRow)
    .where(_ATTACHED.owner_id == _OWNER, _ATTACHED.sha256.in_(_IDS))
    .with_for_update()
)
_NEXT_INDEX = select(func.coalesce(func.max(_MATCHES.index) + 1, 0)).where(_MATCHES.session_id == _THIS)
_SET_BALLOT = update(MatchRow.table).where(_MATCHES.id == _THIS).values(ballot=bindparam("to_ballot"))
_SEATS_OF_MATCHES = (
    select_rows(SeatRow).where(_SEATS.match_id.in_(_IDS)).order_by(_SEATS.match_id, _SEATS.index)
)
_TURN = (
    select_rows(TurnRow)
    .join(SessionRow.table, _SESSIONS.id == _TURNS.session_id)
    .where(_TURNS.id == _THIS, _TURNS.owner_id == _OWNER, _SESSIONS.deleted_at.is_(None))
)
_TURNS_OF_MATCHES = (
    select_rows(TurnRow).where(_TURNS.match_id.in_(_IDS)).order_by(_TURNS.match_id, _TURNS.index)
)
_RUN_TURN = update(TurnRow.table).where(_TURNS.id == _THIS).values(status="running")
_REPLIES_OF_TURNS = (
    select_rows(ReplyRow)
    .where(_REPLIES.turn_id.in_(_IDS), _REPLIES.parent_reply_id.is_(None))
    .order_by(_REPLIES.order, _REPLIES.purpose)
)
_STATUSES = select(_REPLIES.turn_id, _REPLIES.seat, _REPLIES.status).where(
    _REPLIES.turn_id.in_(_IDS), _REPLIES.parent_reply_id.is_(None)
)
_INNER_REPLIES = (
    select_rows(ReplyRow)
    .where(_REPLIES.turn_id == _THIS, _REPLIES.parent_reply_id.is_not(None))
    .order_by(_REPLIES.path, _REPLIES.order)
)
_ATTEMPTS = (
    select_rows(AttemptRow)
    .add_columns(_REPLIES.seat, _REPLIES.round, _REPLIES.purpose)
    .join(ReplyRow.table, _REPLIES.id == AttemptRow.c.reply_id)
    .where(_REPLIES.turn_id == _THIS, _REPLIES.parent_reply_id.is_(None))
    .order_by(_REPLIES.round, _REPLIES.seat, _REPLIES.purpose, AttemptRow.c.attempt)
)
_SHOWN = tuple(
    event_tag(kind) for kind in (NoteAdded, InputAdded, RoundStarted, ToolCalled, ToolReturned, TurnRenewed)
)
_SHOWN_EVENTS = (
    select(_EVENTS.turn_id, _EVENTS.seq, _EVENTS.kind, _EVENTS.data)
    .where(_EVENTS.turn_id.in_(_IDS), _EVENTS.kind.in_(_SHOWN))
    .order_by(_EVENTS.turn_id, _EVENTS.seq)
)
_NEXT_SEQ = select(func.coalesce(func.max(_EVENTS.seq) + 1, 0)).where(_EVENTS.turn_id == _THIS)
_LOG_EVENT = insert(TurnEventRow.table)
_STANDING_VOTES = (
    select(_VOTES.match_id, _VOTES.result, _VOTES.excluded_reason)
    .where(_VOTES.match_id.in_(_IDS), _VOTES.excluded_reason.is_distinct_from(REPLACED))
    .order_by(_VOTES.seq)
)
_TOUCH = update(SessionRow.table).where(_SESSIONS.id == _THIS)
_TOUCH_TIME = _TOUCH.values(updated_at=bindparam("now"))
_TOUCH_MODE = _TOUCH.values(updated_at=bindparam("now"), mode=bindparam("to_mode"))


class ArenaRepository:
    """Queries on one open transaction. With `seal`, rows are sealed when they are stored and opened when read.

    What belongs to a sealed session is found with its key only: without it Conflict is raised, with another Forbidden.
    """

    def __init__(self, session: Transaction, seal: Seal | None = None) -> None:
        self._db = session
        self._seal = seal

    def insert(self, *rows: Row) -> None:
        """Insert rows in their order."""
        self._db.insert(*(rows if self._seal is None else (sealed_row(self._seal, row) for row in rows)))

    def session(self, owner_id: str, session_id: str) -> SessionRow:
        """Return a session of the owner that is not deleted. Raises NotFound."""
        rows = self._first(_SESSION, SessionRow, this=session_id, owner_id=owner_id)
        if rows is None:
            raise NotFound("This session doesn't exist.", "It may have been deleted.")
        check_seal(self._db, session_id, self._seal, sealed=rows.sealed)
        return rows

    def match(self, owner_id: str, match_id: str, *, lock: bool = False) -> MatchRow:
        """Return a match of the owner in a session that is not deleted. Raises NotFound."""
        query = _LOCKED_MATCH if lock else _MATCH
        rows = self._first(query, MatchRow, this=match_id, owner_id=owner_id)
        if rows is None:
            raise NotFound("This match doesn't exist.", "Its session may have been deleted.")
        check_seal(self._db, rows.session_id, self._seal, sealed=is_sealed(rows.brief))
        return opened(self._seal, [rows])[0]

    def turn(self, owner_id: str, turn_id: str) -> TurnRow:
        """Return a turn of the owner in a session that is not deleted. Raises NotFound."""
        rows = self._first(_TURN, TurnRow, this=turn_id, owner_id=owner_id)
        if rows is None:
            raise NotFound("This turn doesn't exist.", "Its session may have been deleted.")
        check_seal(self._db, rows.session_id, self._seal, sealed=is_sealed(rows.input.get("text")))
        return opened(self._seal, [rows])[0]

    def any_match(self, match_id: str) -> MatchRow:
        """Return a match, whoever owns it: for the engine."""
        return opened(self._seal, self._db.rows(_ANY_MATCH, {"this": match_id}, MatchRow))[0]

    def script(self, turn_id: str, remembers: Callable[[str], bool]) -> TurnScript:
        """Return everything needed to play a turn, whoever owns it. Raises NotFound."""
        return read_script(self._db, turn_id, remembers, self._seal)

    def matches(self, session_id: str) -> Sequence[MatchRow]:
        """Return a session's matches, oldest first."""
        return opened(self._seal, self._db.rows(_MATCHES_OF_SESSION, {"this": session_id}, MatchRow))

    def set_ballot(self, match_id: str, ballot: dict[str, Any]) -> None:
        """Replace the ballot of a match."""
        self._db.run(_SET_BALLOT, [{"this": match_id, "to_ballot": ballot}])

    def seats(self, match_ids: Sequence[str]) -> Sequence[SeatRow]:
        """Return the seats of matches, in their order."""
        return opened(self._seal, self._db.rows(_SEATS_OF_MATCHES, {"ids": match_ids}, SeatRow))

    def free_seats(self, seat_ids: Sequence[str], turn: int) -> None:
        """Store that seats have left from a turn on."""
        self._db.execute(update(SeatRow.table).where(_SEATS.id.in_(seat_ids)).values(until_turn=turn))

    def turns(self, match_ids: Sequence[str]) -> Sequence[TurnRow]:
        """Return the turns of matches, oldest first."""
        return opened(self._seal, self._db.rows(_TURNS_OF_MATCHES, {"ids": match_ids}, TurnRow))

    def replies(self, turn_ids: Sequence[str]) -> Sequence[ReplyRow]:
        """Return the replies of turns in their order, without inner replies of ensembles."""
        return opened(self._seal, self._db.rows(_REPLIES_OF_TURNS, {"ids": turn_ids}, ReplyRow))

    def reply_statuses(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return the seats and statuses of the replies of turns, by turn."""
        statuses: dict[str, list[tuple[str, str]]] = {}
        for turn_id, seat, status in self._db.execute(_STATUSES, {"ids": turn_ids}):
            statuses.setdefault(turn_id, []).append((seat, status))
        return statuses

    def inner_replies(self, turn_id: str) -> Sequence[ReplyRow]:
        """Return the inner replies of a turn's ensembles, in the order of asking."""
        return opened(self._seal, self._db.rows(_INNER_REPLIES, {"this": turn_id}, ReplyRow))

    def attempts(self, turn_id: str) -> Sequence[tuple[AttemptRow, str, int, str]]:
        """Return the earlier attempts of a turn's replies, each with its seat, round and purpose."""
        rows = self._db.rows(_ATTEMPTS, {"this": turn_id}, _attempt)
        attempts = opened(self._seal, (row[0] for row in rows))
        return [
            (attempt, seat, number, purpose)
            for attempt, (_, seat, number, purpose) in zip(attempts, rows, strict=True)
        ]

    def events(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, dict[str, Any]]]]:
        """Return, by turn, the kinds and data of the events that its view shows, in order."""
        events: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        shown = self._db.execute(_SHOWN_EVENTS, {"ids": turn_ids}).all()
        for turn_id, _seq, kind, data in opened_events(self._seal, shown):
            events.setdefault(turn_id, []).append((kind, data))
        return events

    def interrupt_sealed(self, turn_id: str, error: Problem) -> None:
        """End a sealed turn that can't go on without its key; what was written stays, sealed, as it is."""
        these = (_REPLIES.turn_id == turn_id, _REPLIES.status.in_(("waiting", "streaming")))
        for reply_id, text in self._db.execute(select(_REPLIES.id, _REPLIES.text).where(*these)).all():
            # With its digest, a retry keeps it as an earlier attempt.
            ended = {"status": "stopped", "text_sha256": sha256_text(text)}
            self._db.execute(update(ReplyRow.table).where(_REPLIES.id == reply_id).values(ended))
        failed = {"status": "failed", "error": msgspec.to_builtins(error)}
        self._db.execute(update(TurnRow.table).where(_TURNS.id == turn_id).values(failed))

    def renew(self, turn_id: str, seat: str | None = None) -> None:
        """Mark a turn as running again, to retry its incomplete replies or one seat.

        The caller has made sure that it is not being played.
        """
        event = TurnRenewed(turn_id=turn_id, seat=seat)
        row = {
            "turn_id": turn_id,
            "seq": self._number(_NEXT_SEQ, turn_id),
            "kind": event_kind(event),
            "version": 1,
            "data": msgspec.to_builtins(event),
        }
        self._db.run(_LOG_EVENT, [row])
        self._db.run(_RUN_TURN, [{"this": turn_id}])

    def votes(self, match_ids: Sequence[str]) -> dict[str, list[VoteView]]:
        """Return the current votes by match, oldest first."""
        votes: dict[str, list[VoteView]] = {}
        for match_id, result, excluded in self._db.execute(_STANDING_VOTES, {"ids": match_ids}):
            votes.setdefault(match_id, []).append(vote_view(result, excluded))
        return votes

    def attachments(self, owner_id: str, sha256s: Sequence[str]) -> Sequence[AttachmentRow]:
        """Return these attachments of the owner, locked against deletion until this transaction ends."""
        return self._db.rows(_ATTACHMENTS, {"owner_id": owner_id, "ids": sha256s}, AttachmentRow)

    def release(self, owner_id: str, sha256s: Sequence[str], now: datetime) -> None:
        """Mark attachments as used, so that they are deleted with their turns only."""
        where = (_ATTACHED.owner_id == owner_id, _ATTACHED.sha256.in_(sha256s))
        self._db.execute(update(AttachmentRow.table).where(*where).values(kept_until=now))

    def next_match_index(self, session_id: str) -> int:
        """Return the index that the session's next match gets."""
        return self._number(_NEXT_INDEX, session_id)

    def touch(self, session_id: str, now: datetime, mode: str | None = None) -> None:
        """Move a session to the top of the list."""
        if mode is None:
            self._db.run(_TOUCH_TIME, [{"this": session_id, "now": now}])
        else:
            self._db.run(_TOUCH_MODE, [{"this": session_id, "now": now, "to_mode": mode}])

    def take_receipt(self, owner_id: str, key: str, request_sha256: str, now: datetime) -> bool:
        """Reserve an idempotency key; return False if it is taken. Waits for a transaction that is reserving it."""
        row: dict[str, Any] = {
            "owner_id": owner_id,
            "key": key,
            "request_sha256": request_sha256,
            "result": {},
            "created_at": now,
        }
        take = insert_or_ignore(self._db, ReceiptRow)
        return self._db.execute(take.returning(ReceiptRow.c.key), row).first() is not None

    def fill_receipt(self, owner_id: str, key: str, result: dict[str, Any]) -> None:
        """Store the result of an idempotency key."""
        query = update(ReceiptRow.table).where(ReceiptRow.c.owner_id == owner_id, ReceiptRow.c.key == key)
        self._db.execute(query.values(result=result))

    def receipt(self, owner_id: str, key: str) -> ReceiptRow:
        """Return the result stored for an idempotency key."""
        return self._db.one(ReceiptRow, ReceiptRow.c.owner_id == owner_id, ReceiptRow.c.key == key)

    def _first(self, query: Select[*tuple[Any, ...]], kind: type[R], **values: str) -> R | None:
        return next(iter(self._db.rows(query, values, kind)), None)

    def _number(self, query: Select[*tuple[Any, ...]], this: str) -> int:
        return self._db.rows(query, {"this": this}, int)[0]


def _attempt(*values: Any) -> tuple[AttemptRow, str, int, str]:
    *attempt, seat, number, purpose = values
    return AttemptRow(*attempt), seat, number, purpose
