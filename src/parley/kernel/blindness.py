"""Blindness: the one place that decides what a viewer may not see before the vote.

Whatever depends on which model sits at a seat is taken out here: names, prices, tokens, timings,
providers, reasoning, and texts of errors.
"""

import msgspec

from parley.kernel.errors import Problem
from parley.kernel.events import (
    BallotOpened,
    Event,
    ReplyCompleted,
    ReplyDelta,
    ReplyStarted,
    RoundStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from parley.kernel.views import MatchView, ReplyView, TurnView

VOID = Problem(
    code="battle_void",
    title="One of the models could not answer, so this battle is void.",
    detail="Nothing was counted. Draw again to ask two models the same question.",
)


def veil_match(match: MatchView) -> MatchView:
    """Return the match as a blind viewer sees it; an open match comes back unchanged."""
    if not match.blind:
        return match
    return msgspec.structs.replace(
        match,
        seats=tuple(msgspec.structs.replace(seat, model=None) for seat in match.seats),
        void=VOID if match.void else None,
    )


def veil_reply(reply: ReplyView, *, visible: int, attempt: int, ended: bool) -> ReplyView:
    """Return a reply as a blind viewer sees it: the first `visible` code points of its text.

    `attempt` is the turn's play, the same for both sides; until the turn has `ended` every reply
    is streaming, because the moment one of them finishes would tell how fast its model is.
    """
    text = reply.text[:visible]
    status = "completed" if ended and reply.status == "completed" else "stopped" if ended else "streaming"
    return msgspec.structs.replace(
        reply,
        attempt=attempt,
        status=status,
        text=text,
        text_end=len(text),
        reasoning="",
        reasoning_end=0,
        finish_reason=None,
        metrics=None,
        error=None,
    )


def veil_turn(turn: TurnView, *, visible: int | None) -> TurnView:
    """Return a turn as a blind viewer sees it; `visible` None means that all text was released."""
    ended = turn.status not in ("running", "interrupted")
    replies = tuple(
        veil_reply(
            reply, visible=len(reply.text) if visible is None else visible, attempt=turn.play, ended=ended
        )
        for reply in turn.replies
    )
    order = {reply.seat: reply for reply in replies}
    return msgspec.structs.replace(
        turn,
        replies=tuple(order[seat] for seat in sorted(order)),
        notes=(),
        error=VOID if turn.error else None,
    )


def veil_event(event: Event, *, attempt: int) -> Event | None:
    """Return an event as a blind viewer may hear it; None where it could tell a side from the other.

    `attempt` is the turn's play, the same for both sides.
    """
    match event:
        case TurnStarted() | RoundStarted() | ReplyDelta() | BallotOpened() | TurnCompleted() | TurnStopped():
            return event
        case ReplyStarted():
            return msgspec.structs.replace(event, attempt=attempt)
        case ReplyCompleted():
            return msgspec.structs.replace(
                event, attempt=attempt, reasoning_end=0, finish_reason=None, metrics=None
            )
        case TurnFailed():
            return msgspec.structs.replace(event, error=VOID)
        case _:
            return None
