"""Views of rows: stored matches and turns, veiled for a blind viewer."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec

from parley.kernel import blindness
from parley.kernel.ballot import Ballot, TurnReplies, choosable
from parley.kernel.errors import Problem
from parley.kernel.events import (
    NoteAdded,
    TurnCompleted,
    TurnEnd,
    TurnFailed,
    TurnRenewed,
    TurnSnapshot,
    TurnStopped,
    event_tag,
)
from parley.kernel.inbox import read_inbox
from parley.kernel.inputs import TurnInput
from parley.kernel.seats import SeatSettings
from parley.kernel.tools import latest_calls, read_tools
from parley.kernel.views import (
    AttemptView,
    BallotView,
    Continued,
    InnerReplyView,
    MatchStatus,
    MatchView,
    ModelCard,
    NoteView,
    ReplyView,
    SeatView,
    TurnStatus,
    TurnView,
    VoteView,
)
from parley.storage.tables.conversations import AttemptRow, MatchRow, ReplyRow, SeatRow, TurnRow
from parley.storage.tables.rows import Row
from parley.storage.tables.votes import WITHDRAWN

V = TypeVar("V", bound=msgspec.Struct)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def match_view(
    match: MatchRow,
    seats: Sequence[SeatRow],
    turns: Sequence[TurnReplies],
    votes: Sequence[VoteView],
    card: Callable[[str], ModelCard],
) -> MatchView:
    """Return a match, veiled until its owner has voted; a void match stays veiled. `votes` are the current ones."""
    view = _view(
        MatchView,
        match,
        status=msgspec.convert(match.status, MatchStatus),
        blind=match.blind and match.status != "voted",
        seats=tuple(_seat_view(seat, card(seat.model_id), blind=match.blind) for seat in seats),
        ballot=_ballot_view(match, seats, turns),
        vote=votes[-1] if votes else None,
        votes=tuple(votes),
        void=msgspec.convert(match.void, Problem | None),
        created_at=match.created_at.isoformat(),
    )
    return blindness.veil_match(view)


def vote_view(result: dict[str, Any], excluded_reason: str | None) -> VoteView:
    """Return a stored vote in its current state; an excluded one does not count, and a withdrawn one moves no Elo."""
    vote = msgspec.convert(result, VoteView)
    if excluded_reason is None:
        return vote
    vote = msgspec.structs.replace(vote, counted=False, not_counted_reason=excluded_reason)
    if excluded_reason != WITHDRAWN:
        return vote
    seats = {
        name: msgspec.structs.replace(seat, elo_after=seat.elo_before) for name, seat in vote.seats.items()
    }
    return msgspec.structs.replace(vote, seats=seats)


def ballot_of(match: MatchRow) -> Ballot | None:
    """Return the ballot of a match; None if there is nothing to vote on."""
    return None if match.ballot is None else msgspec.convert(match.ballot, Ballot)


def seats_in_turn(seats: Sequence[SeatRow], turn: int) -> list[SeatRow]:
    """Return the seats that take part in the turn with this index."""
    return [
        seat
        for seat in seats
        if seat.from_turn <= turn and (seat.until_turn is None or turn < seat.until_turn)
    ]


def choices_of(ballot: Ballot, seats: Sequence[SeatRow], turn: int) -> tuple[str, ...]:
    """Return the choices of a ballot in the turn with this index.

    If each turn is judged by itself, only seats that take part in it can be chosen.
    """
    if not ballot.each_turn:
        return ballot.choices
    away = {seat.name for seat in seats} - {seat.name for seat in seats_in_turn(seats, turn)}
    return tuple(choice for choice in ballot.choices if choice not in away)


def _ballot_view(
    match: MatchRow,
    seats: Sequence[SeatRow],
    turns: Sequence[TurnReplies],
) -> BallotView | None:
    ballot = ballot_of(match)
    if ballot is None:
        return None
    judged, before = (turns[-1:], ()) if ballot.each_turn else (turns, turns[:-1])
    names = [seat.name for seat in seats]
    choices = choices_of(ballot, seats, max(len(turns) - 1, 0))
    choosable_seats = (
        choosable(choices, ballot.needs, names, judged) if turns and match.status == "open" else ()
    )
    earlier = choosable(choices, ballot.needs, names, before) if before else choices
    return BallotView(
        choices=choosable_seats or earlier,
        open=bool(choosable_seats),
        each_turn=ballot.each_turn,
        rated=ballot.rated,
        ends_match=ballot.ends_match,
        needs=ballot.needs,
    )


def turn_snapshot(
    match: MatchView, turn: TurnRow, replies: Sequence[ReplyRow], events: Sequence[tuple[str, dict[str, Any]]]
) -> TurnSnapshot:
    """Return a turn that is not being played, veiled like its match. `events` are kinds and data, in order."""
    view = _view(
        TurnView,
        turn,
        input=msgspec.convert(turn.input, TurnInput),
        status=_status(turn),
        round=max((reply.round for reply in replies), default=0),
        replies=tuple(_reply_view(reply) for reply in replies),
        notes=_notes(events),
        interjections=read_inbox(events).interjections,
        tools=latest_calls(
            (each.call for each in read_tools(events) if not each.path),
            {reply.id: reply.attempt for reply in replies},
        ),
        error=msgspec.convert(turn.error, Problem | None),
        created_at=turn.created_at.isoformat(),
        author_id=turn.author_id if turn.author_id != turn.owner_id else None,
    )
    if match.blind:
        view = blindness.veil_turn(view, visible=_visible(view.status, replies))
    return TurnSnapshot(match=match, turn=view)


def end_event(turn: TurnView) -> TurnEnd | None:
    """Return the event that ended a turn; None if it has not ended."""
    match turn.status:
        case "completed":
            return TurnCompleted(turn_id=turn.id)
        case "stopped":
            return TurnStopped(turn_id=turn.id)
        case "failed":
            return TurnFailed(
                turn_id=turn.id, error=turn.error or Problem(code="turn_failed", title="It failed.")
            )
        case _:
            return None


def attempt_view(attempt: AttemptRow, seat: str, number: int, purpose: str) -> AttemptView:
    """Return the earlier attempt of a seat's reply in a round."""
    step = {"seat": seat, "round": number, "purpose": purpose, "parts": attempt.parts or ()}
    return msgspec.convert(_same(attempt, AttemptView) | step, AttemptView)


def inner_view(reply: ReplyRow, card: Callable[[str], ModelCard]) -> InnerReplyView:
    """Return a reply from within an ensemble."""
    view = _reply_view(reply)
    return _view(
        InnerReplyView,
        reply,
        model=card(reply.model_id),
        status=view.status,
        metrics=view.metrics,
        parts=view.parts,
    )


def _seat_view(seat: SeatRow, model: ModelCard, *, blind: bool) -> SeatView:
    label = f"Assistant {LETTERS[seat.index % len(LETTERS)]}" if blind else model.name
    settings = msgspec.convert(seat.settings, SeatSettings | None)
    continues = None
    if seat.parent_turn_id and seat.parent_seat:
        continues = Continued(seat.parent_turn_id, seat.parent_seat)
    return _view(SeatView, seat, label=label, model=model, settings=settings, continues=continues)


def _notes(events: Sequence[tuple[str, dict[str, Any]]]) -> tuple[NoteView, ...]:
    """Return the notes since the last retry of the turn."""
    notes: list[NoteView] = []
    for kind, data in events:
        if kind == event_tag(TurnRenewed):
            notes.clear()
        elif kind == event_tag(NoteAdded):
            notes.append(msgspec.convert(data["note"], NoteView))
    return tuple(notes)


def _status(turn: TurnRow) -> TurnStatus:
    """Return a turn's status; one that is marked as running but not being played was interrupted."""
    return "interrupted" if turn.status == "running" else msgspec.convert(turn.status, TurnStatus)


def _visible(status: TurnStatus, replies: Sequence[ReplyRow]) -> dict[str, int] | None:
    """Return how much of each reply a blind viewer has seen; None if everything.

    Once the turn is played again, even if that was interrupted, what an earlier play had shown is hidden again.
    """
    if status == "completed":
        return None
    if status == "interrupted":
        return {}
    return {reply.id: reply.released for reply in replies if reply.released is not None}


def _reply_view(reply: ReplyRow) -> ReplyView:
    values = {"text_end": len(reply.text), "reasoning_end": len(reply.reasoning), "parts": reply.parts or ()}
    return msgspec.convert(_same(reply, ReplyView) | values, ReplyView)


def _view(kind: type[V], row: Row, **values: Any) -> V:
    """Return a view of a row with these values.

    Fields with the same name in both are copied.
    """
    return kind(**{**_same(row, kind), **values})


def _same(row: Row, view: type[msgspec.Struct]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _shared(type(row), view)}


@cache
def _shared(row: type[Row], view: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(name for name in row.__struct_fields__ if name in view.__struct_fields__)
