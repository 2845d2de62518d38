"""Responses with streams, and turns as streams or as their outcome."""

import asyncio

import msgspec
from fastapi import Request, Response
from starlette.types import Receive, Scope, Send

from parley.api.contract import EVENT_STREAM, Stream
from parley.engine.feed import Feed
from parley.kernel import events
from parley.kernel.caller import Caller
from parley.kernel.errors import Problem
from parley.kernel.events import TurnSnapshot
from parley.kernel.views import ReplyStatus, TurnStatus
from parley.wiring import Application
from parley.workspace.arena.new_turns import Started
from parley.workspace.standings.schemas import StandingsChanged
from parley.workspace.vote_files.schemas import ImportEvent

TURN_EVENTS = Stream("TurnEvent", events.TurnEvent)
SESSION_EVENTS = Stream("SessionEvent", events.SessionEvent)
STANDINGS_EVENTS = Stream("StandingsEvent", StandingsChanged)
IMPORT_EVENTS = Stream("ImportEvent", ImportEvent)

STARTS = (
    "no_models",
    "not_enough_models",
    "models_resting",
    "model_without_vision",
    "picture_too_late",
    "attachment_missing",
)
"""What can go wrong when a turn starts."""

CONTINUES = (
    "turn_running",
    "turn_not_complete",
    "battle_over",
    "battle_void",
    "seats_stay",
    "seats_together",
    "still_blind",
)
"""What else can go wrong if it is not the first one of its session."""

_STREAM_HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"content-type", f"{EVENT_STREAM}; charset=utf-8".encode()),
]


class SaidReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A short form of one seat's reply. `error` says why it is incomplete, unless the match is blind."""

    content: str
    status: ReplyStatus
    error: Problem | None = None


class TurnOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The outcome of a turn, for programs that wait for it. `battle_id` is set in rated matches."""

    session_id: str
    match_id: str
    turn_id: str
    status: TurnStatus
    responses: dict[str, SaidReply]
    battle_id: str | None = None
    error: Problem | None = None


class FeedResponse(Response):
    """Sends a feed's encoded frames as server-sent events."""

    def __init__(self, feed: Feed) -> None:
        # Without Response's __init__: a stream has no length, and its headers never change.
        self.status_code = 200
        self.background = None
        self.raw_headers = _STREAM_HEADERS
        self._feed = feed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's
        """Send the feed's frames until it ends or the client leaves."""
        feed = self._feed
        watching = asyncio.create_task(_end_with_client(feed, receive))
        try:
            feed.open()
            # Let a turn that has just started call its models, so that its first events are sent with the headers.
            await asyncio.sleep(0)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while frames := await feed.read():
                await send({"type": "http.response.body", "body": frames, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            feed.close()
            watching.cancel()


async def _end_with_client(feed: Feed, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    feed.end()


async def answer_turn(
    request: Request, app: Application, caller: Caller, started: Started
) -> TurnOutcome | FeedResponse:
    """Return a started turn as its stream or its outcome, depending on the Accept header."""
    if EVENT_STREAM in request.headers.get("accept", ""):
        return FeedResponse(await app.arena.follow(caller, started.turn_id))
    return outcome(await app.arena.wait(caller, started.turn_id))


def outcome(snapshot: TurnSnapshot) -> TurnOutcome:
    """Return the outcome of a finished turn."""
    ballot = snapshot.match.ballot
    return TurnOutcome(
        session_id=snapshot.turn.session_id,
        match_id=snapshot.match.id,
        turn_id=snapshot.turn.id,
        status=snapshot.turn.status,
        responses={
            reply.seat: SaidReply(reply.text, reply.status, reply.error) for reply in snapshot.turn.replies
        },
        battle_id=snapshot.match.id if ballot and ballot.rated else None,
        error=snapshot.turn.error,
    )
