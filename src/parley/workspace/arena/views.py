"""Rows become views: what is stored of a match and a turn, veiled for the one who looks."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

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
from parley.kernel.views import (
    AttemptView,
    BallotView,
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

if TYPE_CHECKING:
    from parley.storage.tables.conversations import Match, Reply, ReplyAttempt, Seat, Turn
    from parley.workspace.arena.drafts import MatchDraft, SeatDraft

S = TypeVar("S", bound="Seat | SeatDraft | SeatShown")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class MatchShown(msgspec.Struct, frozen=True):
    """A match as far as its view tells of it."""

    id: str
    session_id: str
    index: int
    mode: str
    brief: dict[str, Any]
    blind: bool
    paced: bool
    ballot: dict[str, Any] | None
    status: str
    void: dict[str, Any] | None
    created_at: datetime


class SeatShown(msgspec.Struct, frozen=True):
    """A seat of such a match."""

    id: str
    index: int
    name: str
    role: str
    model_id: str
    settings: dict[str, Any] | None
    from_turn: int
    until_turn: int | None


def match_view(
    match: "Match | MatchDraft | MatchShown",
    seats: "Sequence[Seat | SeatDraft | SeatShown]",
    turns: Sequence[TurnReplies],
    votes: Sequence[VoteView],
    card: Callable[[str], ModelCard],
) -> MatchView:
    """Return a match, veiled until its owner has voted; a void match stays veiled. `votes` are those that stand."""
    view = MatchView(
        id=match.id,
        session_id=match.session_id,
        index=match.index,
        mode=match.mode,
        status=msgspec.convert(match.status, MatchStatus),
        blind=match.blind and match.status != "voted",
        paced=match.paced,
        seats=tuple(_seat_view(seat, card(seat.model_id), blind=match.blind) for seat in seats),
        brief=match.brief,
        ballot=_ballot_view(match, seats, turns),
        vote=votes[-1] if votes else None,
        votes=tuple(votes),
        void=msgspec.convert(match.void, Problem | None),
        created_at=match.created_at.isoformat(),
    )
    return blindness.veil_match(view)


def ballot_of(match: "Match | MatchDraft | MatchShown") -> Ballot | None:
    """Return the ballot of a match; None where there is nothing to vote on."""
    return None if match.ballot is None else msgspec.convert(match.ballot, Ballot)


def sitting(seats: "Sequence[S]", turn: int) -> "list[S]":
    """Return those of the seats that are asked in the turn of this index."""
    return [
        seat
        for seat in seats
        if seat.from_turn <= turn and (seat.until_turn is None or turn < seat.until_turn)
    ]


def choices_of(ballot: Ballot, seats: "Sequence[Seat | SeatDraft | SeatShown]", turn: int) -> tuple[str, ...]:
    """Return the choices of a ballot; where each turn is judged by itself, no seat that is not asked in this one."""
    if not ballot.each_turn:
        return ballot.choices
    away = {seat.name for seat in seats} - {seat.name for seat in sitting(seats, turn)}
    return tuple(choice for choice in ballot.choices if choice not in away)


def _ballot_view(
    match: "Match | MatchDraft | MatchShown",
    seats: "Sequence[Seat | SeatDraft | SeatShown]",
    turns: Sequence[TurnReplies],
) -> BallotView | None:
    ballot = ballot_of(match)
    if ballot is None:
        return None
    judged, before = (turns[-1:], ()) if ballot.each_turn else (turns, turns[:-1])
    names = [seat.name for seat in seats]
    choices = choices_of(ballot, seats, max(len(turns) - 1, 0))
    found = choosable(choices, ballot.needs, names, judged) if turns and match.status == "open" else ()
    earlier = choosable(choices, ballot.needs, names, before) if before else choices
    return BallotView(
        choices=found or earlier,
        open=bool(found),
        each_turn=ballot.each_turn,
        rated=ballot.rated,
        ends_match=ballot.ends_match,
        needs=ballot.needs,
    )


def turn_snapshot(
    match: MatchView, turn: "Turn", replies: Sequence["Reply"], events: Sequence[tuple[str, dict[str, Any]]]
) -> TurnSnapshot:
    """Return a turn that is not being played, veiled as its match is; `events` are kinds and data, in order."""
    view = TurnView(
        id=turn.id,
        match_id=turn.match_id,
        session_id=turn.session_id,
        index=turn.index,
        input=msgspec.convert(turn.input, TurnInput),
        status=_status(turn),
        play=turn.play,
        round=max((reply.round for reply in replies), default=0),
        replies=tuple(_reply_view(reply) for reply in replies),
        notes=_notes(events),
        interjections=read_inbox(events).interjections,
        error=msgspec.convert(turn.error, Problem | None),
        created_at=turn.created_at.isoformat(),
    )
    if match.blind:
        view = blindness.veil_turn(view, visible=_visible(view.status, replies))
    return TurnSnapshot(match=match, turn=view)


def end_event(turn: TurnView) -> TurnEnd | None:
    """Return the event that ended a turn; None where it has not ended."""
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


def attempt_view(attempt: "ReplyAttempt", reply: "Reply") -> AttemptView:
    """Return what a reply said in an earlier attempt."""
    return msgspec.convert(
        {
            "reply_id": reply.id,
            "attempt": attempt.attempt,
            "seat": reply.seat,
            "round": reply.round,
            "purpose": reply.purpose,
            "status": attempt.status,
            "text": attempt.text,
            "reasoning": attempt.reasoning,
            "finish_reason": attempt.finish_reason,
            "metrics": attempt.metrics,
            "error": attempt.error,
        },
        AttemptView,
    )


def inner_view(reply: "Reply", card: Callable[[str], ModelCard]) -> InnerReplyView:
    """Return what was said within an ensemble."""
    view = _reply_view(reply)
    return InnerReplyView(
        id=view.id,
        parent_reply_id=reply.parent_reply_id or "",
        path=view.path,
        round=view.round,
        seat=view.seat,
        purpose=view.purpose,
        model=card(reply.model_id),
        status=view.status,
        text=view.text,
        metrics=view.metrics,
    )


def _seat_view(seat: "Seat | SeatDraft | SeatShown", model: ModelCard, *, blind: bool) -> SeatView:
    label = f"Assistant {LETTERS[seat.index % len(LETTERS)]}" if blind else model.name
    return SeatView(
        id=seat.id,
        name=seat.name,
        role=seat.role,
        label=label,
        model=model,
        settings=msgspec.convert(seat.settings, SeatSettings | None),
        from_turn=seat.from_turn,
        until_turn=seat.until_turn,
    )


def _notes(events: Sequence[tuple[str, dict[str, Any]]]) -> tuple[NoteView, ...]:
    """Return the notes since the person last asked the turn again."""
    notes: list[NoteView] = []
    for kind, data in events:
        if kind == event_tag(TurnRenewed):
            notes.clear()
        elif kind == event_tag(NoteAdded):
            notes.append(msgspec.convert(data["note"], NoteView))
    return tuple(notes)


def _status(turn: "Turn") -> TurnStatus:
    """A turn that is marked as running but is played by nobody was interrupted."""
    return "interrupted" if turn.status == "running" else msgspec.convert(turn.status, TurnStatus)


def _visible(status: TurnStatus, replies: Sequence["Reply"]) -> dict[str, int] | None:
    """Return what a blind viewer has seen of each reply; None where that is all.

    What an earlier play had shown is gone once the turn is played again, also where that was interrupted.
    """
    if status == "completed":
        return None
    if status == "interrupted":
        return {}
    return {reply.id: reply.released for reply in replies if reply.released is not None}


def _reply_view(reply: "Reply") -> ReplyView:
    return msgspec.convert(
        {
            "id": reply.id,
            "seat": reply.seat,
            "path": reply.path,
            "round": reply.round,
            "purpose": reply.purpose,
            "order": reply.order,
            "attempt": reply.attempt,
            "status": reply.status,
            "text": reply.text,
            "text_end": len(reply.text),
            "reasoning": reply.reasoning,
            "reasoning_end": len(reply.reasoning),
            "finish_reason": reply.finish_reason,
            "metrics": reply.metrics,
            "error": reply.error,
        },
        ReplyView,
    )
