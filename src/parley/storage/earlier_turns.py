"""Earlier turns, read from the tables: of a match, and of the matches that it carries on."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from parley.kernel.events import InputAdded, NoteAdded, RoundStarted, SeatConcluded, TurnRenewed, event_tag
from parley.kernel.history import Conclusion, EarlierReply, EarlierTurn, Part
from parley.kernel.inbox import read_inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.views import NoteView, TurnStatus
from parley.storage.tables.conversations import Reply, Seat, Turn, TurnEvent

MAX_LINEAGE = 64
"""How many matches a conversation may be carried on through."""

_NOTED, _CONCLUDED, _RENEWED = (event_tag(kind) for kind in (NoteAdded, SeatConcluded, TurnRenewed))
_SPOKEN = (_CONCLUDED, _RENEWED, event_tag(InputAdded), event_tag(RoundStarted))

Event: TypeAlias = tuple[str, dict[str, Any]]
Where: TypeAlias = Sequence[ColumnElement[bool]]


def read_earlier(
    session: Session, match_id: str, before: int, *, whole: bool = False
) -> tuple[EarlierTurn, ...]:
    """Return a match's turns below an index, oldest first.

    Unless they are wanted `whole`, only what histories are made of: without notes and replies that are not complete.
    """
    if before == 0:
        return ()
    these = (Turn.match_id == match_id, Turn.index < before)
    query = select(Turn.id, Turn.index, Turn.input, Turn.status).where(*these).order_by(Turn.index)
    turns = session.execute(query).all()
    replies = _replies(session, these, whole=whole)
    events = _events(session, these, (*_SPOKEN, _NOTED) if whole else _SPOKEN)
    return tuple(
        EarlierTurn(
            index=index,
            input=decode_input(said),
            status=msgspec.convert(status, TurnStatus),
            replies=tuple(replies[turn_id]),
            notes=_notes(events[turn_id]),
            heard=read_inbox(events[turn_id]).heard,
            concluded=_conclusions(events[turn_id]),
        )
        for turn_id, index, said, status in turns
    )


def read_lineages(session: Session, seats: Sequence[Seat]) -> dict[str, list[Part]]:
    """Return by seat the conversations that it carries on, oldest first, as far as they are there."""
    read = cache(partial(read_earlier, session))
    return {seat.name: _lineage(session, seat, read) for seat in seats}


def _lineage(
    session: Session, seat: Seat | None, read: Callable[[str, int], tuple[EarlierTurn, ...]]
) -> list[Part]:
    parts: list[Part] = []
    while seat is not None and seat.parent_turn_id is not None and len(parts) < MAX_LINEAGE - 1:
        parent = session.get(Turn, seat.parent_turn_id)
        if parent is None or seat.parent_seat is None:
            break
        parts.append(Part(seat.parent_seat, read(parent.match_id, parent.index + 1)))
        query = select(Seat).where(Seat.match_id == parent.match_id, Seat.name == seat.parent_seat)
        seat = session.scalars(query).one_or_none()
    return parts[::-1]


def decode_input(data: object) -> TurnInput:
    """Return a turn's input as it was stored."""
    return msgspec.convert(data, TurnInput)


def _replies(session: Session, these: Where, *, whole: bool) -> dict[str, list[EarlierReply]]:
    query = (
        select(Reply.turn_id, Reply.seat, Reply.round, Reply.purpose, Reply.text, Reply.status)
        .join(Turn, Turn.id == Reply.turn_id)
        .where(*these, Reply.path == "")
        .order_by(Reply.round, Reply.seat, Reply.purpose)
    )
    if not whole:
        query = query.where(Reply.status == "completed")
    replies: dict[str, list[EarlierReply]] = defaultdict(list)
    for turn_id, seat, number, purpose, text, status in session.execute(query):
        said = {"seat": seat, "round": number, "purpose": purpose, "text": text, "status": status}
        replies[turn_id].append(msgspec.convert(said, EarlierReply))
    return replies


def _events(session: Session, these: Where, kinds: Sequence[str]) -> dict[str, list[Event]]:
    query = (
        select(TurnEvent.turn_id, TurnEvent.kind, TurnEvent.data)
        .join(Turn, Turn.id == TurnEvent.turn_id)
        .where(*these, TurnEvent.kind.in_(kinds))
        .order_by(TurnEvent.turn_id, TurnEvent.seq)
    )
    events: dict[str, list[Event]] = defaultdict(list)
    for turn_id, kind, data in session.execute(query):
        events[turn_id].append((kind, data))
    return events


def _since_renewed(events: Sequence[Event]) -> Sequence[Event]:
    """Return what holds since the person last asked the turn again."""
    renewed = max((place for place, (kind, _) in enumerate(events) if kind == _RENEWED), default=-1)
    return events[renewed + 1 :]


def _notes(events: Sequence[Event]) -> tuple[NoteView, ...]:
    return tuple(
        msgspec.convert(data["note"], NoteView) for kind, data in _since_renewed(events) if kind == _NOTED
    )


def _conclusions(events: Sequence[Event]) -> dict[str, Conclusion]:
    """Return by seat what it concluded last. Before there was a choice, every conclusion revised."""
    return {
        data["seat"]: Conclusion(data["text"], data.get("revises", True))
        for kind, data in _since_renewed(events)
        if kind == _CONCLUDED
    }
