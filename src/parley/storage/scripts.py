"""Scripts: everything needed to play a turn, read from the tables."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import bindparam, func, select

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
from parley.kernel.history import SeatTurns, converse
from parley.kernel.inbox import Inbox, read_inbox
from parley.kernel.inputs import PromptInput, TurnInput
from parley.kernel.messages import ToolCall
from parley.kernel.paths import outer_seat
from parley.kernel.ports import StepRecord, TurnScript
from parley.kernel.seats import Seat, SeatSettings
from parley.kernel.views import NoteView
from parley.storage.earlier_turns import decode_input, read_earlier, read_lineages
from parley.storage.tables.conversations import (
    Match,
    MatchRow,
    Reply,
    ReplyRow,
    SeatRow,
    Turn,
    TurnEvent,
    TurnRow,
)
from parley.storage.tables.conversations import Seat as SeatTable
from parley.storage.tables.declared import core, select_rows
from parley.storage.transaction import Transaction

# Statements are created once: each caches how it is compiled.
_TURN = select_rows(TurnRow).where(core(Turn).c.id == bindparam("this"))
_MATCH = select_rows(MatchRow).where(core(Match).c.id == bindparam("this"))
_SEAT = core(SeatTable).c
_SEATS = (
    select_rows(SeatRow)
    .where(
        _SEAT.match_id == bindparam("match_id"),
        _SEAT.from_turn <= bindparam("turn"),
        _SEAT.until_turn.is_(None) | (_SEAT.until_turn > bindparam("turn")),
    )
    .order_by(_SEAT.index)
)
_REPLIES = select_rows(ReplyRow).where(core(Reply).c.turn_id == bindparam("this"))
_INBOX = tuple(event_tag(kind) for kind in (InputAdded, RoundStarted, TurnRenewed))


def read_script(
    transaction: Transaction, turn_id: str, remembers: Callable[[str], bool] = lambda _: True
) -> TurnScript:
    """Return everything needed to play the turn. Raises NotFound.

    Earlier turns are read if its mode `remembers` them.
    """
    found = transaction.rows(_TURN, {"this": turn_id}, TurnRow)
    if not found:
        raise NotFound("This turn doesn't exist.", "Its session may have been deleted.")
    turn = found[0]
    match = transaction.rows(_MATCH, {"this": turn.match_id}, MatchRow)[0]
    seats = transaction.rows(_SEATS, {"match_id": match.id, "turn": turn.index}, SeatRow)
    given = decode_input(turn.input)
    last_seq = transaction.scalar(select(func.max(TurnEvent.seq)).where(TurnEvent.turn_id == turn_id))
    renewal = _renewal(transaction, turn_id)
    remembered = remembers(match.mode)
    earlier = read_earlier(transaction, match.id, turn.index, in_full=remembered)
    talks = {
        name: converse([*lineage, SeatTurns(name, earlier)], name, given)
        for name, lineage in read_lineages(transaction, seats).items()
    }
    prompts = [
        each.text for each in (*(past.input for past in earlier), given) if isinstance(each, PromptInput)
    ]
    return msgspec.structs.replace(
        first_script(match, turn, given, tuple(map(seat_of, seats))),
        prompt=prompts[-1] if prompts else "",
        history={name: talk.messages for name, talk in talks.items()},
        unanswered={name: talk.unanswered for name, talk in talks.items()},
        attached={name: talk.attached for name, talk in talks.items() if talk.attached},
        earlier=earlier if remembered else (),
        next_seq=0 if last_seq is None else last_seq + 1,
        steps=_steps(transaction, turn_id, renewal),
        notes=_notes(transaction, turn_id, renewal.seq),
        inbox=_inbox(transaction, turn_id),
    )


def first_script(match: MatchRow, turn: TurnRow, given: TurnInput, seats: Sequence[Seat]) -> TurnScript:
    """Return the script of a match's first turn, of which nothing was played yet."""
    return TurnScript(
        turn_id=turn.id,
        match_id=match.id,
        session_id=turn.session_id,
        owner_id=turn.owner_id,
        index=turn.index,
        created_at=turn.created_at.isoformat(),
        mode=match.mode,
        brief=match.brief,
        seats=tuple(seats),
        input=given,
        prompt=given.text if isinstance(given, PromptInput) else "",
        history={seat.name: () for seat in seats},
        play=turn.play + 1,
        next_seq=0,
        steps=(),
        notes=(),
    )


def seat_of(row: SeatRow) -> Seat:
    """Return a seat as it was stored."""
    settings = msgspec.convert(row.settings or {}, SeatSettings)
    return Seat(row.id, row.name, row.role, row.model_id, settings)


class _Renewal(NamedTuple):
    """The last retry of a turn, and its seat. `seq` is the number of an event, -1 without a retry."""

    seq: int = -1
    seat: str | None = None

    def concerns(self, row: ReplyRow) -> bool:
        """Return whether a retry asks an earlier step again: it is incomplete, or of the retried seat."""
        if self.seat is None:
            return row.status != "completed"
        return self.seat == (outer_seat(row.path) if row.path else row.seat)


def _renewal(transaction: Transaction, turn_id: str) -> _Renewal:
    query = (
        select(TurnEvent.seq, TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(TurnRenewed))
        .order_by(TurnEvent.seq.desc())
        .limit(1)
    )
    last = transaction.execute(query).first()
    return _Renewal(last.seq, last.data.get("seat")) if last else _Renewal()


def _steps(transaction: Transaction, turn_id: str, renewal: _Renewal) -> tuple[StepRecord, ...]:
    fresh = _asked_since(transaction, turn_id, renewal.seq) if renewal.seq >= 0 else None
    rows = transaction.rows(_REPLIES, {"this": turn_id}, ReplyRow)
    stale = {row.id for row in rows if fresh is not None and row.id not in fresh}
    calls = _tool_calls(transaction, turn_id) if rows else {}
    return tuple(
        msgspec.convert(
            {
                **msgspec.structs.asdict(row),
                "reply_id": row.id,
                "stale": row.id in stale,
                "renewed": row.id in stale and renewal.concerns(row),
                "tool_calls": calls.get(row.id, ()),
            },
            StepRecord,
        )
        for row in rows
    )


def _tool_calls(transaction: Transaction, turn_id: str) -> dict[str, list[ToolCall]]:
    """Return the tools that the latest attempt of each reply called."""
    query = (
        select(TurnEvent.kind, TurnEvent.data)
        .where(
            TurnEvent.turn_id == turn_id,
            TurnEvent.kind.in_((event_tag(ReplyStarted), event_tag(ToolCalled))),
        )
        .order_by(TurnEvent.seq)
    )
    calls: dict[str, list[ToolCall]] = {}
    for kind, data in transaction.execute(query).all():
        if kind == event_tag(ReplyStarted):
            calls[data["reply_id"]] = []
        else:
            made = calls[data["reply_id"]]
            made.append(ToolCall(len(made), data["call_id"], data["name"], data["arguments"]))
    return calls


def _asked_since(transaction: Transaction, turn_id: str, renewed: int) -> frozenset[str]:
    query = select(TurnEvent.data).where(
        TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(ReplyStarted), TurnEvent.seq > renewed
    )
    return frozenset(data["reply_id"] for data in transaction.scalars(query))


def _notes(transaction: Transaction, turn_id: str, renewed: int) -> tuple[NoteView, ...]:
    query = (
        select(TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind == event_tag(NoteAdded), TurnEvent.seq > renewed)
        .order_by(TurnEvent.seq)
    )
    return tuple(msgspec.convert(data["note"], NoteView) for data in transaction.scalars(query))


def _inbox(transaction: Transaction, turn_id: str) -> Inbox:
    query = (
        select(TurnEvent.kind, TurnEvent.data)
        .where(TurnEvent.turn_id == turn_id, TurnEvent.kind.in_(_INBOX))
        .order_by(TurnEvent.seq)
    )
    return read_inbox((kind, data) for kind, data in transaction.execute(query))
