"""Rows become views: what is stored of a match and a turn, veiled for the one who looks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from parley.kernel import blindness
from parley.kernel.errors import Problem
from parley.kernel.events import TurnCompleted, TurnEnd, TurnFailed, TurnSnapshot, TurnStopped
from parley.kernel.views import (
    BallotView,
    InnerReplyView,
    MatchStatus,
    MatchView,
    ModelCard,
    NoteView,
    ReplyView,
    SeatView,
    TurnInput,
    TurnStatus,
    TurnView,
    VoteView,
)

if TYPE_CHECKING:
    from parley.storage.tables.conversations import Match, Reply, Seat, Turn
    from parley.storage.tables.judgements import Vote
    from parley.workspace.arena.ballot_repository import VotedMatch, VotedSeat
    from parley.workspace.arena.drafts import MatchDraft, SeatDraft

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def match_view(
    match: "Match | MatchDraft | VotedMatch",
    seats: "Sequence[Seat | SeatDraft | VotedSeat]",
    turn_statuses: Sequence[str],
    vote: "Vote | None",
    card: Callable[[str], ModelCard],
) -> MatchView:
    """Return a match, veiled until its owner has voted; a void match stays veiled."""
    ready = match.status == "open" and bool(turn_statuses) and set(turn_statuses) == {"completed"}
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
        ballot=BallotView(choices=tuple(match.ballot), open=ready) if match.ballot else None,
        vote=msgspec.convert(vote.result, VoteView) if vote else None,
        void=msgspec.convert(match.void, Problem | None),
        created_at=match.created_at.isoformat(),
    )
    return blindness.veil_match(view)


def turn_snapshot(
    match: MatchView, turn: "Turn", replies: Sequence["Reply"], notes: Sequence[Any]
) -> TurnSnapshot:
    """Return a turn that is not being played, veiled as its match is."""
    view = TurnView(
        id=turn.id,
        match_id=turn.match_id,
        session_id=turn.session_id,
        index=turn.index,
        input=msgspec.convert(turn.input, TurnInput),
        status=_status(turn),
        play=turn.play,
        round=max((reply.round for reply in replies), default=0),
        replies=tuple(_reply_view(reply) for reply in _in_order(match, replies)),
        notes=tuple(msgspec.convert(note["note"], NoteView) for note in notes),
        error=msgspec.convert(turn.error, Problem | None),
        created_at=turn.created_at.isoformat(),
    )
    if match.blind:
        visible = None if view.status == "completed" else turn.released or 0
        view = blindness.veil_turn(view, visible=visible)
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


def _seat_view(seat: "Seat | SeatDraft | VotedSeat", model: ModelCard, *, blind: bool) -> SeatView:
    label = f"Assistant {LETTERS[seat.index % len(LETTERS)]}" if blind else model.name
    return SeatView(id=seat.id, name=seat.name, role=seat.role, label=label, model=model)


def _status(turn: "Turn") -> TurnStatus:
    """A turn that is marked as running but is played by nobody was interrupted."""
    return "interrupted" if turn.status == "running" else msgspec.convert(turn.status, TurnStatus)


def _in_order(match: MatchView, replies: Sequence["Reply"]) -> list["Reply"]:
    order = {seat.name: index for index, seat in enumerate(match.seats)}
    return sorted(replies, key=lambda reply: (reply.round, order.get(reply.seat, len(order)), reply.path))


def _reply_view(reply: "Reply") -> ReplyView:
    return msgspec.convert(
        {
            "id": reply.id,
            "seat": reply.seat,
            "path": reply.path,
            "round": reply.round,
            "purpose": reply.purpose,
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
