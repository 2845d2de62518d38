"""Turns as programs see them: their stream, or their outcome once they have ended."""

import msgspec
from fastapi import Request

from parley.api.contract import EVENT_STREAM, Stream
from parley.api.streams import FeedResponse
from parley.features.arena.new_turns import Started
from parley.features.arena.service import ArenaService
from parley.kernel import events
from parley.kernel.caller import Caller
from parley.kernel.errors import Problem
from parley.kernel.events import TurnSnapshot
from parley.kernel.messages import ReplyPart
from parley.kernel.parts import Parts
from parley.kernel.views import ReplyStatus, TurnStatus

TURN_EVENTS = Stream("TurnEvent", events.TurnEvent)
SESSION_EVENTS = Stream("SessionEvent", events.SessionEvent)

STARTS = (
    "no_model_fits",
    "no_models",
    "not_enough_models",
    "models_resting",
    "model_without_vision",
    "picture_too_late",
    "attachment_missing",
)
"""The errors of a turn's start."""

CONTINUES = (
    "turn_running",
    "turn_not_complete",
    "battle_over",
    "battle_void",
    "seats_stay",
    "seats_together",
    "still_blind",
)
"""Further errors if it is not the first one of its session."""


class ShortReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A short form of one seat's reply. `error` says why it is incomplete, unless the match is blind.

    `parts` are its pictures and files: `GET /api/attachments/{sha256}` has their bytes.
    """

    content: str
    status: ReplyStatus
    error: Problem | None = None
    parts: tuple[ReplyPart, ...] = ()


class TurnOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a turn, for programs that wait for it. `battle_id` is set in rated matches."""

    session_id: str
    match_id: str
    turn_id: str
    status: TurnStatus
    responses: dict[str, ShortReply]
    battle_id: str | None = None
    error: Problem | None = None


async def answer_turn(
    request: Request, app: Parts, caller: Caller, started: Started
) -> TurnOutcome | FeedResponse:
    """Return a started turn as its stream or its outcome, depending on the Accept header."""
    if EVENT_STREAM in request.headers.get("accept", ""):
        return FeedResponse(await app[ArenaService].follow(caller, started.turn_id))
    return outcome(await app[ArenaService].wait(caller, started.turn_id))


def outcome(snapshot: TurnSnapshot) -> TurnOutcome:
    """Return the outcome of a finished turn."""
    ballot = snapshot.match.ballot
    return TurnOutcome(
        session_id=snapshot.turn.session_id,
        match_id=snapshot.match.id,
        turn_id=snapshot.turn.id,
        status=snapshot.turn.status,
        responses={
            reply.seat: ShortReply(reply.text, reply.status, reply.error, reply.parts)
            for reply in snapshot.turn.replies
        },
        battle_id=snapshot.match.id if ballot and ballot.rated else None,
        error=snapshot.turn.error,
    )
