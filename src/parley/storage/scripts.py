"""Scripts: everything needed to play a turn, read from the tables."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from parley.kernel.errors import NotFound
from parley.kernel.events import (
    InputAdded,
    NoteAdded,
    ReplyStarted,
    RoundStarted,
    ToolCalled,
    TurnRenewed,
    event_tag,
)
from parley.kernel.history import Part, converse
from parley.kernel.inbox import Inbox, read_inbox
from parley.kernel.inputs import PromptInput
from parley.kernel.messages import ToolCall
from parley.kernel.paths import outer_seat
from parley.kernel.ports import StepRecord, TurnScript
from parley.kernel.seats import Seat, SeatSettings
from parley.kernel.views import NoteView
from parley.storage.earlier_turns import decode_input, read_earlier, read_lineages
from parley.storage.tables import conversations as tables
from parley.storage.tables.conversations import Match, Reply, Turn, TurnEvent

_INBOX = tuple(event_tag(kind) for kind in (InputAdded, RoundStarted, TurnRenewed))


def read_script(
    session: Session, turn_id: str, remembers: Callable[[str], bool] = lambda _: True
) -> TurnScript:
    """Return everything needed to play the turn; earlier turns where its mode `remembers`. Raises NotFound."""
    turn = session.get(Turn, turn_id)
    if turn is None:
        raise NotFound("This turn does not exist.")
    match = session.get_one(Match, turn.match_id)
    rows = _seats(session, match.id, turn.index)
    said = decode_input(turn.input)
    last_seq = session.scalar(select(func.max(TurnEvent.seq)).where(TurnEvent.turn_id == turn_id))
    renewal = _renewal(session, turn_id)
    remembered = remembers(match.mode)
    earlier = read_earlier(session, match.id, turn.index, whole=remembered)
    talks = {
        name: converse([*lineage, Part(name, earlier)], name, said)
        for name, lineage in read_lineages(session, rows).items()
    }
    prompts = [
        each.text for each in (*(past.input for past in earlier), said) if isinstance(each, PromptInput)
    ]
    return TurnScript(
        turn_id=turn.id,
        match_id=match.id,
        session_id=turn.session_id,
        owner_id=turn.owner_id,
        index=turn.index,
        created_at=turn.created_at.isoformat(),
        mode=match.mode,
        brief=match.brief,
        seats=tuple(map(seat_of, rows)),
        input=said,
        prompt=prompts[-1] if prompts else "",
        history={name: talk.messages for name, talk in talks.items()},
        unanswered={name: talk.unanswered for name, talk in talks.items()},
        earlier=earlier if remembered else (),
        play=turn.play + 1,
        next_seq=0 if last_seq is None else last_seq + 1,
        steps=_steps(session, turn_id, renewal),
        notes=_notes(session, turn_id, renewal.seq),
        inbox=_inbox(session, turn_id),
    )


def seat_of(row: tables.Seat) -> Seat:
    """Return a seat as it was stored."""
    settings = msgspec.convert(row.settings or {}, SeatSettings)
    return Seat(row.id, row.name, row.role, row.model_id, settings)


def _seats(session: Session, match_id: str, turn: int) -> Sequence[tables.Seat]:
    """Return who sits at a match in one of its turns."""
    until = tables.Seat.until_turn
    query = (
        select(tables.Seat)
        .where(
            tables.Seat.match_id == match_id,
            tables.Seat.from_turn <= turn,
            until.is_(None) | (until > turn),
        )
        .order_by(tables.Seat.index)
    )
    return session.scalars(query).all()


class _Renewal(NamedTuple):
    """When the person last asked a turn again, as the number of an event, -1 where that never was; and which seat."""

    seq: int = -1
    seat: str | None = None

    def concerns(self, row: Reply) -> bool:
        """Return whether a step of before is to be asked anew: what is not complete, or all of the one seat."""
        if self.seat is None:
            return row.status != "completed"
        return self.seat == (outer_seat(row.path) if row.path else row.seat)


def _renewal(session: Session, turn_id: str) -> _Renewal:
    query = (
        select(TurnEvent.seq, TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(TurnRenewed))
        .order_by(TurnEvent.seq.desc())
        .limit(1)
    )
    last = session.execute(query).first()
    return _Renewal(last.seq, last.data.get("seat")) if last else _Renewal()


def _steps(session: Session, turn_id: str, renewal: _Renewal) -> tuple[StepRecord, ...]:
    fresh = _asked_since(session, turn_id, renewal.seq) if renewal.seq >= 0 else None
    rows = session.scalars(select(Reply).where(Reply.turn_id == turn_id)).all()
    stale = {row.id for row in rows if fresh is not None and row.id not in fresh}
    calls = _tool_calls(session, turn_id) if rows else {}
    return tuple(
        msgspec.convert(
            {
                "reply_id": row.id,
                "path": row.path,
                "round": row.round,
                "seat": row.seat,
                "purpose": row.purpose,
                "order": row.order,
                "attempt": row.attempt,
                "status": row.status,
                "text": row.text,
                "reasoning": row.reasoning,
                "messages_sha256": row.messages_sha256,
                "finish_reason": row.finish_reason,
                "metrics": row.metrics,
                "error": row.error,
                "stale": row.id in stale,
                "renewed": row.id in stale and renewal.concerns(row),
                "tool_calls": calls.get(row.id, ()),
            },
            StepRecord,
        )
        for row in rows
    )


def _tool_calls(session: Session, turn_id: str) -> dict[str, list[ToolCall]]:
    """Return by reply the tools that its latest attempt has called."""
    query = (
        select(TurnEvent.kind, TurnEvent.data)
        .where(
            TurnEvent.turn_id == turn_id,
            TurnEvent.kind.in_((event_tag(ReplyStarted), event_tag(ToolCalled))),
        )
        .order_by(TurnEvent.seq)
    )
    calls: dict[str, list[ToolCall]] = {}
    for kind, data in session.execute(query).all():
        if kind == event_tag(ReplyStarted):
            calls[data["reply_id"]] = []
        else:
            made = calls[data["reply_id"]]
            made.append(ToolCall(len(made), data["call_id"], data["name"], data["arguments"]))
    return calls


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


def _inbox(session: Session, turn_id: str) -> Inbox:
    query = (
        select(TurnEvent.kind, TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind.in_(_INBOX))
        .order_by(TurnEvent.seq)
    )
    return read_inbox((kind, data) for kind, data in session.execute(query))
