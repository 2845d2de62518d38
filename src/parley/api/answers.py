"""Answers: views as JSON, turns as streams or as their outcome."""

from collections.abc import AsyncIterator
from typing import Any, Literal

import msgspec
from fastapi import Request, Response
from starlette.responses import StreamingResponse

from parley.kernel.errors import Problem
from parley.kernel.events import TurnSnapshot
from parley.kernel.views import ReplyStatus, TurnStatus
from parley.wiring import House
from parley.workspace.arena.openings import Started

EVENT_STREAM = "text/event-stream"
_STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class SaidReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one seat said, in short; `error` says why it is not whole, unless the match is blind."""

    content: str
    status: ReplyStatus
    error: Problem | None = None


class TurnOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The end of a turn, for programs that wait for it. `battle_id` is there in blind matches."""

    session_id: str
    match_id: str
    turn_id: str
    status: TurnStatus
    responses: dict[str, SaidReply]
    battle_id: str | None = None
    error: Problem | None = None


def as_json(view: object, status: int = 200) -> Response:
    """Return a view as JSON."""
    return Response(msgspec.json.encode(view), status, media_type="application/json")


def as_stream(frames: AsyncIterator[bytes]) -> Response:
    """Return ready-made frames as server-sent events."""
    return StreamingResponse(frames, headers=_STREAM_HEADERS, media_type=EVENT_STREAM)


async def answer_turn(request: Request, house: House, owner_id: str, started: Started) -> Response:
    """Answer a request that began a turn, as its Accept header asks: the stream, or the outcome."""
    if EVENT_STREAM in request.headers.get("accept", ""):
        return as_stream(await house.arena.follow(owner_id, started.turn_id))
    return as_json(outcome(await house.arena.wait(owner_id, started.turn_id)))


def outcome(snapshot: TurnSnapshot) -> TurnOutcome:
    """Return a turn's end in short."""
    return TurnOutcome(
        session_id=snapshot.turn.session_id,
        match_id=snapshot.match.id,
        turn_id=snapshot.turn.id,
        status=snapshot.turn.status,
        responses={
            reply.seat: SaidReply(reply.text, reply.status, reply.error) for reply in snapshot.turn.replies
        },
        battle_id=snapshot.match.id if snapshot.match.ballot else None,
        error=snapshot.turn.error,
    )


def documented(
    kind: str, *, stream: Literal["TurnEvent", "SessionEvent"] | None = None
) -> dict[int | str, Any]:
    """Return OpenAPI's description of an answer; types are named in `document.py`."""
    content: dict[str, Any] = {}
    if kind:
        content["application/json"] = {"schema": {"$ref": f"#/components/schemas/{kind}"}}
    if stream:
        content[EVENT_STREAM] = {"schema": {"$ref": f"#/components/schemas/{stream}"}}
    return {200: {"description": "OK", "content": content}}
