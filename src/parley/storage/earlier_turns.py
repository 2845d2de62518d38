"""Earlier turns, read from the tables: of a match, and of the matches that it continues."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, bindparam, select

from parley.kernel.events import InputAdded, NoteAdded, RoundStarted, SeatConcluded, TurnRenewed, event_tag
from parley.kernel.history import Conclusion, EarlierReply, EarlierTurn, SeatTurns
from parley.kernel.inbox import read_inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.sealing import Seal
from parley.kernel.views import NoteView, TurnStatus
from parley.storage.sealed_rows import open_input, open_reply_text, opened_events
from parley.storage.tables.conversations import ReplyRow, SeatRow, TurnEventRow, TurnRow
from parley.storage.tables.rows import select_rows
from parley.storage.transaction import Transaction

MAX_LINEAGE = 64
"""The most matches that one conversation can span."""

_NOTED, _CONCLUDED, _RENEWED = (event_tag(kind) for kind in (NoteAdded, SeatConcluded, TurnRenewed))
_SPOKEN = (_CONCLUDED, _RENEWED, event_tag(InputAdded), event_tag(RoundStarted))

# Created once: a statement caches how it is compiled.
_PLACE = select(TurnRow.c.match_id, TurnRow.c.index).where(TurnRow.c.id == bindparam("this"))
_SEAT = select_rows(SeatRow).where(
    SeatRow.c.match_id == bindparam("match_id"), SeatRow.c.name == bindparam("name")
)

Event: TypeAlias = tuple[str, dict[str, Any]]
Where: TypeAlias = Sequence[ColumnElement[bool]]


def read_earlier(
    transaction: Transaction,
    match_id: str,
    before: int,
    *,
    in_full: bool = False,
    seal: Seal | None = None,
) -> tuple[EarlierTurn, ...]:
    """Return a match's turns below an index, oldest first.

    Unless `in_full`, only what histories need: without notes and incomplete replies.
    """
    if before == 0:
        return ()
    these = (TurnRow.c.match_id == match_id, TurnRow.c.index < before)
    query = (
        select(TurnRow.c.id, TurnRow.c.index, TurnRow.c.input, TurnRow.c.status)
        .where(*these)
        .order_by(TurnRow.c.index)
    )
    turns = transaction.execute(query).all()
    replies = _replies(transaction, these, seal, in_full=in_full)
    events = _events(transaction, these, seal, (*_SPOKEN, _NOTED) if in_full else _SPOKEN)
    return tuple(
        EarlierTurn(
            index=index,
            input=decode_input(open_input(seal, turn_id, turn_input)),
            status=msgspec.convert(status, TurnStatus),
            replies=tuple(replies[turn_id]),
            notes=_notes(events[turn_id]),
            heard=read_inbox(events[turn_id]).heard,
            concluded=_conclusions(events[turn_id]),
        )
        for turn_id, index, turn_input, status in turns
    )


def read_lineages(
    transaction: Transaction, seats: Sequence[SeatRow], seal: Seal | None = None
) -> dict[str, list[SeatTurns]]:
    """Return the conversations that each seat continues, oldest first, if they still exist."""
    read = cache(partial(read_earlier, transaction, seal=seal))
    return {seat.name: _lineage(transaction, seat, read) for seat in seats}


def _lineage(
    transaction: Transaction, seat: SeatRow | None, read: Callable[[str, int], tuple[EarlierTurn, ...]]
) -> list[SeatTurns]:
    parts: list[SeatTurns] = []
    while seat is not None and seat.parent_turn_id is not None and len(parts) < MAX_LINEAGE - 1:
        place = transaction.rows(_PLACE, {"this": seat.parent_turn_id}, _place)
        if not place or seat.parent_seat is None:
            break
        match_id, index = place[0]
        parts.append(SeatTurns(seat.parent_seat, read(match_id, index + 1)))
        named = {"match_id": match_id, "name": seat.parent_seat}
        seat = next(iter(transaction.rows(_SEAT, named, SeatRow)), None)
    return parts[::-1]


def _place(match_id: str, index: int) -> tuple[str, int]:
    return match_id, index


def decode_input(data: object) -> TurnInput:
    """Return a turn's input as it was stored."""
    return msgspec.convert(data, TurnInput)


def _replies(
    transaction: Transaction, these: Where, seal: Seal | None, *, in_full: bool
) -> dict[str, list[EarlierReply]]:
    query = (
        select(
            ReplyRow.c.turn_id,
            ReplyRow.c.seat,
            ReplyRow.c.round,
            ReplyRow.c.purpose,
            ReplyRow.c.text,
            ReplyRow.c.status,
            ReplyRow.c.parts,
            ReplyRow.c.id,
            ReplyRow.c.attempt,
        )
        .join(TurnRow.table, TurnRow.c.id == ReplyRow.c.turn_id)
        .where(*these, ReplyRow.c.path == "")
        .order_by(ReplyRow.c.round, ReplyRow.c.seat, ReplyRow.c.purpose)
    )
    if not in_full:
        query = query.where(ReplyRow.c.status == "completed")
    replies: dict[str, list[EarlierReply]] = defaultdict(list)
    for turn_id, seat, number, purpose, stored, status, parts, this, attempt in transaction.execute(query):
        text = stored if seal is None else open_reply_text(seal, stored, "text", f"{this}:{attempt}")
        reply = {"seat": seat, "round": number, "purpose": purpose, "text": text, "status": status}
        replies[turn_id].append(msgspec.convert({**reply, "parts": parts or ()}, EarlierReply))
    return replies


def _events(
    transaction: Transaction, these: Where, seal: Seal | None, kinds: Sequence[str]
) -> dict[str, list[Event]]:
    query = (
        select(TurnEventRow.c.turn_id, TurnEventRow.c.seq, TurnEventRow.c.kind, TurnEventRow.c.data)
        .join(TurnRow.table, TurnRow.c.id == TurnEventRow.c.turn_id)
        .where(*these, TurnEventRow.c.kind.in_(kinds))
        .order_by(TurnEventRow.c.turn_id, TurnEventRow.c.seq)
    )
    events: dict[str, list[Event]] = defaultdict(list)
    for turn_id, _seq, kind, data in opened_events(seal, transaction.execute(query)):
        events[turn_id].append((kind, data))
    return events


def _since_renewed(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events since the last retry."""
    renewed = max((place for place, (kind, _) in enumerate(events) if kind == _RENEWED), default=-1)
    return events[renewed + 1 :]


def _notes(events: Sequence[Event]) -> tuple[NoteView, ...]:
    return tuple(
        msgspec.convert(data["note"], NoteView) for kind, data in _since_renewed(events) if kind == _NOTED
    )


def _conclusions(events: Sequence[Event]) -> dict[str, Conclusion]:
    """Return each seat's last conclusion. In older events every conclusion revises."""
    return {
        data["seat"]: Conclusion(data["text"], data.get("revises", True))
        for kind, data in _since_renewed(events)
        if kind == _CONCLUDED
    }
