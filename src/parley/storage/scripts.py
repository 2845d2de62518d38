"""Scripts: everything needed to play a turn, read from the tables."""

import msgspec
from sqlalchemy import Nullable, func, select
from sqlalchemy.orm import Session

from parley.kernel.errors import NotFound
from parley.kernel.events import NoteAdded, ReplyStarted, SeatConcluded, TurnRenewed, event_tag
from parley.kernel.messages import Message
from parley.kernel.ports import StepRecord, TurnScript
from parley.kernel.seats import Seat
from parley.kernel.views import NoteView, PromptInput, TurnInput
from parley.storage.tables import conversations as tables
from parley.storage.tables.conversations import Match, Reply, Turn, TurnEvent

MAX_LINEAGE = 64
"""How many matches a conversation may be carried on through."""


def read_script(session: Session, turn_id: str) -> TurnScript:
    """Return everything needed to play the turn. Raises NotFound."""
    turn = session.get(Turn, turn_id)
    if turn is None:
        raise NotFound("This turn does not exist.")
    match = session.get_one(Match, turn.match_id)
    seats = _seats(session, match.id)
    said = decode_input(turn.input)
    last_seq = session.scalar(select(func.max(TurnEvent.seq)).where(TurnEvent.turn_id == turn_id))
    renewed = _renewed(session, turn_id)
    return TurnScript(
        turn_id=turn.id,
        match_id=match.id,
        session_id=turn.session_id,
        owner_id=turn.owner_id,
        index=turn.index,
        created_at=turn.created_at.isoformat(),
        mode=match.mode,
        brief=match.brief,
        seats=seats,
        input=said,
        prompt=_prompt(session, turn, said),
        history={seat.name: _history(session, match, turn.index, seat.name) for seat in seats},
        play=turn.play + 1,
        next_seq=0 if last_seq is None else last_seq + 1,
        steps=_steps(session, turn_id, renewed),
        notes=_notes(session, turn_id, renewed),
    )


def decode_input(data: object) -> TurnInput:
    """Return a turn's input as it was stored."""
    return msgspec.convert(data, TurnInput)


def _seats(session: Session, match_id: str) -> tuple[Seat, ...]:
    query = select(tables.Seat).where(tables.Seat.match_id == match_id).order_by(tables.Seat.index)
    return tuple(
        Seat(id=row.id, name=row.name, role=row.role, model_id=row.model_id) for row in session.scalars(query)
    )


def _prompt(session: Session, turn: Turn, said: TurnInput) -> str:
    """Return the person's text of this turn, or of the last turn that had one."""
    if isinstance(said, PromptInput):
        return said.text
    query = (
        select(Turn.input)
        .where(Turn.match_id == turn.match_id, Turn.index < turn.index)
        .order_by(Turn.index.desc())
    )
    for data in session.scalars(query):
        earlier = decode_input(data)
        if isinstance(earlier, PromptInput):
            return earlier.text
    return ""


def _history(session: Session, match: Match, before: int, seat: str) -> tuple[Message, ...]:
    """Return a seat's own conversation: this match's earlier turns, after those it carries on."""
    parts: list[list[Message]] = []
    for _ in range(MAX_LINEAGE):
        parts.append(_said_in_match(session, match.id, before, seat))
        if match.parent_turn_id is None or match.parent_seat is None:
            break
        parent = session.get(Turn, match.parent_turn_id)
        if parent is None:
            break
        match, before, seat = (
            session.get_one(Match, parent.match_id),
            parent.index + 1,
            match.parent_seat,
        )
    return tuple(message for part in reversed(parts) for message in part)


def _said_in_match(session: Session, match_id: str, before: int, seat: str) -> list[Message]:
    """Return what the person and one seat said in a match's earlier turns.

    Of each turn that is what the mode concluded for the seat, else the seat's last word. A turn that went on without
    a new question answers the last one that there was, in place of what the seat may have said to it before.
    """
    if before == 0:
        return []
    concluded = _conclusions(session, match_id, before, seat)
    query = (
        select(Turn.id, Turn.input, Nullable(Reply.text))
        .outerjoin(
            Reply,
            (Reply.turn_id == Turn.id)
            & (Reply.seat == seat)
            & (Reply.path == "")
            & (Reply.status == "completed"),
        )
        .where(Turn.match_id == match_id, Turn.index < before)
        .order_by(Turn.index, Reply.round)
    )
    answered: dict[str, list[Message]] = {}
    asked_in, question = "", ""
    for turn_id, data, text in session.execute(query).all():
        said = decode_input(data)
        if isinstance(said, PromptInput):
            asked_in, question = turn_id, said.text
        if text is not None:
            answer = Message("assistant", concluded.get(turn_id, text))
            answered[asked_in] = [Message("user", question), answer]
    return [message for pair in answered.values() for message in pair]


def _conclusions(session: Session, match_id: str, before: int, seat: str) -> dict[str, str]:
    """Return by turn what a seat's conversation keeps of it, where the mode said so since it was asked again."""
    query = (
        select(TurnEvent.turn_id, TurnEvent.kind, TurnEvent.data)
        .join(Turn, Turn.id == TurnEvent.turn_id)
        .where(
            Turn.match_id == match_id,
            Turn.index < before,
            TurnEvent.kind.in_((event_tag(SeatConcluded), event_tag(TurnRenewed))),
        )
        .order_by(TurnEvent.turn_id, TurnEvent.seq)
    )
    kept: dict[str, str] = {}
    for turn_id, kind, data in session.execute(query).all():
        if kind == event_tag(TurnRenewed):
            kept.pop(turn_id, None)
        elif data["seat"] == seat:
            kept[turn_id] = data["text"]
    return kept


def _renewed(session: Session, turn_id: str) -> int:
    """Return the number of the event with which the person last asked again; -1 where that never was."""
    query = select(func.max(TurnEvent.seq)).where(
        TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(TurnRenewed)
    )
    last = session.scalar(query)
    return -1 if last is None else last


def _steps(session: Session, turn_id: str, renewed: int) -> tuple[StepRecord, ...]:
    fresh = _asked_since(session, turn_id, renewed) if renewed >= 0 else None
    query = select(Reply).where(Reply.turn_id == turn_id)
    return tuple(
        msgspec.convert(
            {
                "reply_id": row.id,
                "path": row.path,
                "round": row.round,
                "seat": row.seat,
                "purpose": row.purpose,
                "attempt": row.attempt,
                "status": row.status,
                "text": row.text,
                "reasoning": row.reasoning,
                "messages_sha256": row.messages_sha256,
                "finish_reason": row.finish_reason,
                "metrics": row.metrics,
                "error": row.error,
                "stale": fresh is not None and row.id not in fresh,
            },
            StepRecord,
        )
        for row in session.scalars(query)
    )


def _asked_since(session: Session, turn_id: str, renewed: int) -> frozenset[str]:
    query = select(TurnEvent.data).where(
        TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(ReplyStarted), TurnEvent.seq > renewed
    )
    return frozenset(data["reply_id"] for data in session.scalars(query))


def _notes(session: Session, turn_id: str, renewed: int) -> tuple[NoteView, ...]:
    query = (
        select(TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(NoteAdded), TurnEvent.seq > renewed)
        .order_by(TurnEvent.seq)
    )
    return tuple(msgspec.convert(data["note"], NoteView) for data in session.scalars(query))
