"""Scripts: everything needed to play a turn, read from the tables."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import bindparam, func, select

from parley.kernel.caps import Used
from parley.kernel.errors import NotFound
from parley.kernel.events import (
    InputAdded,
    NoteAdded,
    ReplyStarted,
    RoundStarted,
    ToolCalled,
    ToolReturned,
    TurnRenewed,
    event_tag,
)
from parley.kernel.history import SeatTurns, converse
from parley.kernel.inbox import Inbox, read_inbox
from parley.kernel.inputs import PromptInput, TurnInput
from parley.kernel.messages import ToolCall
from parley.kernel.paths import outer_seat
from parley.kernel.ports import StepRecord, TurnScript
from parley.kernel.sealing import Seal, is_sealed, key_needed
from parley.kernel.seats import Seat, SeatSettings
from parley.kernel.tools import ToolRecord, read_tools
from parley.kernel.views import NoteView
from parley.storage.earlier_turns import decode_input, read_earlier, read_lineages
from parley.storage.sealed_rows import opened, opened_events
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import (
    MatchRow,
    ReplyRow,
    SeatRow,
    TurnEventRow,
    TurnRow,
)
from parley.storage.tables.rows import select_rows
from parley.storage.transaction import Transaction

# Statements are created once: each caches how it is compiled.
_TURN = select_rows(TurnRow).where(TurnRow.c.id == bindparam("this"))
_MATCH = select_rows(MatchRow).where(MatchRow.c.id == bindparam("this"))
_SEAT = SeatRow.c
_SEATS = (
    select_rows(SeatRow)
    .where(
        _SEAT.match_id == bindparam("match_id"),
        _SEAT.from_turn <= bindparam("turn"),
        _SEAT.until_turn.is_(None) | (_SEAT.until_turn > bindparam("turn")),
    )
    .order_by(_SEAT.index)
)
_REPLIES = select_rows(ReplyRow).where(ReplyRow.c.turn_id == bindparam("this"))
_INBOX = tuple(event_tag(kind) for kind in (InputAdded, RoundStarted, TurnRenewed))
_TOOLS = tuple(event_tag(kind) for kind in (ToolCalled, ToolReturned, TurnRenewed))


def read_script(
    transaction: Transaction,
    turn_id: str,
    remembers: Callable[[str], bool] = lambda _: True,
    seal: Seal | None = None,
) -> TurnScript:
    """Return everything needed to play the turn. Raises NotFound, and Conflict without the key of a sealed session.

    Earlier turns are read if its mode `remembers` them.
    """
    rows = transaction.rows(_TURN, {"this": turn_id}, TurnRow)
    if not rows:
        raise NotFound("This turn doesn't exist.", "Its session may have been deleted.")
    (turn,) = opened(seal, rows)
    stored = transaction.rows(_MATCH, {"this": turn.match_id}, MatchRow)
    if seal is None and is_sealed(stored[0].brief):
        raise key_needed()
    (match,) = opened(seal, stored)
    seats = opened(seal, transaction.rows(_SEATS, {"match_id": match.id, "turn": turn.index}, SeatRow))
    turn_input = decode_input(turn.input)
    last_seq = transaction.scalar(
        select(func.max(TurnEventRow.c.seq)).where(TurnEventRow.c.turn_id == turn_id)
    )
    renewal, tools = _renewal(transaction, turn_id), _tools(transaction, turn_id, seal)
    remembered = remembers(match.mode)
    earlier = read_earlier(transaction, match.id, turn.index, in_full=remembered, seal=seal)
    talks = {
        name: converse([*lineage, SeatTurns(name, earlier)], name, turn_input)
        for name, lineage in read_lineages(transaction, seats, seal).items()
    }
    prompts = [
        each.text for each in (*(past.input for past in earlier), turn_input) if isinstance(each, PromptInput)
    ]
    return msgspec.structs.replace(
        first_script(match, turn, turn_input, tuple(map(seat_of, seats)), seal),
        prompt=prompts[-1] if prompts else "",
        history={name: talk.messages for name, talk in talks.items()},
        unanswered={name: talk.unanswered for name, talk in talks.items()},
        attached={name: talk.attached for name, talk in talks.items() if talk.attached},
        earlier=earlier if remembered else (),
        next_seq=0 if last_seq is None else last_seq + 1,
        steps=_steps(transaction, turn_id, renewal, tools, seal),
        notes=_notes(transaction, turn_id, renewal.seq, seal),
        inbox=_inbox(transaction, turn_id, seal),
        tools=tools,
        used=_used(transaction, turn_id),
    )


def first_script(
    match: MatchRow,
    turn: TurnRow,
    turn_input: TurnInput,
    seats: Sequence[Seat],
    seal: Seal | None = None,
) -> TurnScript:
    """Return the script of a match's first turn, of which nothing was played yet."""
    return TurnScript(
        turn_id=turn.id,
        match_id=match.id,
        session_id=turn.session_id,
        owner_id=turn.owner_id,
        author_id=turn.author_id if turn.author_id != turn.owner_id else None,
        index=turn.index,
        created_at=turn.created_at.isoformat(),
        mode=match.mode,
        brief=match.brief,
        seats=tuple(seats),
        input=turn_input,
        prompt=turn_input.text if isinstance(turn_input, PromptInput) else "",
        history={seat.name: () for seat in seats},
        play=turn.play + 1,
        next_seq=0,
        steps=(),
        notes=(),
        seal=seal,
    )


def seat_of(row: SeatRow) -> Seat:
    """Return a seat as it was stored."""
    settings = msgspec.convert(row.settings or {}, SeatSettings)
    return Seat(row.id, row.name, row.role, row.model_id, settings)


def _used(transaction: Transaction, turn_id: str) -> Used:
    """Return what all calls of a turn have used so far, earlier attempts too."""
    taken = func.sum(CallRow.c.input_tokens + CallRow.c.output_tokens), func.sum(CallRow.c.cost_micros)
    tokens, cost = transaction.execute(select(*taken).where(CallRow.c.turn_id == turn_id)).one()
    return Used(tokens=int(tokens or 0), cost_micros=int(cost or 0))


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
        select(TurnEventRow.c.seq, TurnEventRow.c.data)
        .where(TurnEventRow.c.turn_id == turn_id, TurnEventRow.c.kind == event_tag(TurnRenewed))
        .order_by(TurnEventRow.c.seq.desc())
        .limit(1)
    )
    last = transaction.execute(query).first()
    return _Renewal(last.seq, last.data.get("seat")) if last else _Renewal()


def _steps(
    transaction: Transaction,
    turn_id: str,
    renewal: _Renewal,
    tools: Sequence[ToolRecord],
    seal: Seal | None,
) -> tuple[StepRecord, ...]:
    fresh = _asked_since(transaction, turn_id, renewal.seq, seal) if renewal.seq >= 0 else None
    rows = opened(seal, transaction.rows(_REPLIES, {"this": turn_id}, ReplyRow))
    stale = {row.id for row in rows if fresh is not None and row.id not in fresh}
    return tuple(
        msgspec.convert(
            {
                **msgspec.structs.asdict(row),
                "reply_id": row.id,
                "stale": row.id in stale,
                "renewed": row.id in stale and renewal.concerns(row),
                "tool_calls": _tool_calls(tools, row.id, row.attempt),
                "parts": row.parts or (),
            },
            StepRecord,
        )
        for row in rows
    )


def _tools(transaction: Transaction, turn_id: str, seal: Seal | None) -> tuple[ToolRecord, ...]:
    return read_tools(_events(transaction, turn_id, _TOOLS, seal))


def _tool_calls(tools: Sequence[ToolRecord], reply_id: str, attempt: int) -> tuple[ToolCall, ...]:
    """Return the tools that an attempt of a reply called."""
    calls = [each.call for each in tools if (each.call.reply_id, each.call.attempt) == (reply_id, attempt)]
    return tuple(ToolCall(at, call.id, call.name, call.arguments) for at, call in enumerate(calls))


def _asked_since(transaction: Transaction, turn_id: str, renewed: int, seal: Seal | None) -> frozenset[str]:
    started = _events(transaction, turn_id, (event_tag(ReplyStarted),), seal, after=renewed)
    return frozenset(data["reply_id"] for _, data in started)


def _notes(transaction: Transaction, turn_id: str, renewed: int, seal: Seal | None) -> tuple[NoteView, ...]:
    added = _events(transaction, turn_id, (event_tag(NoteAdded),), seal, after=renewed)
    return tuple(msgspec.convert(data["note"], NoteView) for _, data in added)


def _inbox(transaction: Transaction, turn_id: str, seal: Seal | None) -> Inbox:
    return read_inbox(_events(transaction, turn_id, _INBOX, seal))


def _events(
    transaction: Transaction, turn_id: str, kinds: Sequence[str], seal: Seal | None, *, after: int = -1
) -> list[tuple[str, dict[str, Any]]]:
    """Return the kinds and data of a turn's events after a number, in order."""
    there = TurnEventRow.c
    query = (
        select(there.turn_id, there.seq, there.kind, there.data)
        .where(there.turn_id == turn_id, there.kind.in_(kinds), there.seq > after)
        .order_by(there.seq)
    )
    return [(kind, data) for _, _, kind, data in opened_events(seal, transaction.execute(query))]
