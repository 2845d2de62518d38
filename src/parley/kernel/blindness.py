"""Blindness: the one place that decides what a viewer may not see before the vote.

Everything that depends on the model of a seat is removed here: names, prices, tokens, timings, providers, settings,
reasoning, and texts of errors.
"""

from collections.abc import Mapping

import msgspec

from parley.kernel.errors import Problem
from parley.kernel.events import (
    BallotOpened,
    Event,
    InputAdded,
    PartAdded,
    ReplyCompleted,
    ReplyDelta,
    ReplyStarted,
    RoundStarted,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    TurnStopped,
)
from parley.kernel.tools import last_steps, question_of
from parley.kernel.views import MatchView, ReplyStatus, ReplyView, TurnStatus, TurnView

VOID = Problem(
    code="battle_void",
    title="One of the models couldn't answer, so this battle is void.",
    detail="Nothing was counted. Start a new battle with the same question. The page “Models” and the command "
    "“parley doctor” check each provider.",
)

HELD = Problem(
    code=VOID.code,
    title="A reply of this battle was held for review, so this battle is void.",
    detail="Nothing was counted, and both replies are hidden, so that nobody can tell which one it was. Your message "
    "is saved. Start a new battle, or ask in other words.",
)

_REPLIES_OF: dict[TurnStatus, ReplyStatus] = {
    "running": "streaming",
    "interrupted": "streaming",
    "completed": "completed",
}
"""The status of every reply in a blind turn; in a turn that ended otherwise all are `stopped`."""


def void_because(cause: Problem) -> Problem:
    """Return why a match is void, with a cause that says nothing about who sits where."""
    detail = " ".join(part for part in (cause.detail, "Nothing was counted.") if part)
    return Problem(code=VOID.code, title=f"This battle is void. {cause.title}", detail=detail)


def veil_problem(problem: Problem) -> Problem:
    """Return what a blind viewer may read of why a match is void."""
    return problem if problem.code == VOID.code else VOID


def veil_match(match: MatchView) -> MatchView:
    """Return the match as a blind viewer sees it; an open match comes back unchanged."""
    if not match.blind:
        return match
    return msgspec.structs.replace(
        match,
        seats=tuple(
            msgspec.structs.replace(seat, model=None, settings=None, continues=None) for seat in match.seats
        ),
        void=veil_problem(match.void) if match.void else None,
    )


def veil_reply(reply: ReplyView, *, visible: int, attempt: int, status: ReplyStatus) -> ReplyView:
    """Return a reply as a blind viewer sees it: the first `visible` code points of its text, and the parts before them.

    `attempt` and `status` are those of the turn, the same for both sides: a complete reply beside an incomplete one
    would reveal which model was faster, or which one failed.
    """
    text = reply.text[:visible]
    return msgspec.structs.replace(
        reply,
        purpose=question_of(reply.purpose),
        attempt=attempt,
        status=status,
        text=text,
        text_end=len(text),
        reasoning="",
        reasoning_end=0,
        finish_reason=None,
        metrics=None,
        error=None,
        queued=msgspec.UNSET,
        progress=msgspec.UNSET,
        parts=tuple(part for part in reply.parts if part.offset < visible),
    )


def veil_turn(turn: TurnView, *, visible: Mapping[str, int] | None) -> TurnView:
    """Return a turn as a blind viewer sees it; `visible` None means that all text was released.

    Otherwise it maps reply ids to released code points. Any other reply, or a later round, stays hidden: it would
    reveal how soon those before were done; so would the steps before an answer that called tools.
    """
    status = _REPLIES_OF.get(turn.status, "stopped")
    replies = tuple(
        veil_reply(
            reply,
            visible=len(reply.text) + 1 if visible is None else visible[reply.id],
            attempt=turn.play,
            status=status,
        )
        for reply in last_steps(turn.replies)
        if visible is None or reply.id in visible
    )
    return msgspec.structs.replace(
        turn,
        replies=replies,
        round=max((reply.round for reply in replies), default=0),
        notes=(),
        tools=(),
        error=veil_problem(turn.error) if turn.error else None,
    )


def veil_event(event: Event, *, attempt: int) -> Event | None:
    """Return an event as a blind viewer may see it; None if it could tell one side from the other."""
    match event:
        case TurnStarted() | RoundStarted() | InputAdded() | ReplyDelta():
            return event
        case BallotOpened() | TurnCompleted() | TurnStopped():
            return event
        case ReplyStarted():
            return msgspec.structs.replace(event, attempt=attempt, purpose=question_of(event.purpose))
        case PartAdded():
            return msgspec.structs.replace(event, attempt=attempt)
        case ReplyCompleted():
            return msgspec.structs.replace(
                event, attempt=attempt, reasoning_end=0, finish_reason=None, metrics=None
            )
        case TurnFailed():
            return msgspec.structs.replace(event, error=veil_problem(event.error))
        case _:
            return None
