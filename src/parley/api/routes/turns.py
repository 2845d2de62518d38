"""Routes of turns."""

from fastapi import APIRouter, Request, Response

from parley.api.answers import FeedResponse, answer_turn, as_json, documented
from parley.api.deps import App, CallerDep, Key
from parley.workspace.arena.schemas import AskAgain, Interject, StopTurn, stored_input

router = APIRouter(prefix="/api/turns", tags=["turns"])


@router.get("/{turn_id}", responses=documented("TurnSnapshot"))
async def read_turn(turn_id: str, app: App, caller: CallerDep) -> Response:
    """Read a turn, as in the first event of its stream."""
    return as_json(await app.arena.read_turn(caller, turn_id))


@router.get("/{turn_id}/events", responses=documented("", stream="TurnEvent"))
async def follow_turn(turn_id: str, app: App, caller: CallerDep) -> Response:
    """Stream a turn: a snapshot, its events, and its end."""
    return FeedResponse(await app.arena.follow(caller, turn_id))


@router.get("/{turn_id}/inner-replies", responses=documented("InnerReplies"))
async def read_inner_replies(turn_id: str, app: App, caller: CallerDep) -> Response:
    """Read the replies inside the ensembles of a turn. In a blind match, only after the vote."""
    return as_json(await app.arena.read_inner(caller, turn_id))


@router.get("/{turn_id}/attempts", responses=documented("Attempts"))
async def read_attempts(turn_id: str, app: App, caller: CallerDep) -> Response:
    """Read earlier attempts of a turn's replies. In a blind match, only after the vote."""
    return as_json(await app.arena.read_attempts(caller, turn_id))


@router.post("/{turn_id}/stop", responses=documented("TurnSnapshot"))
async def stop_turn(turn_id: str, app: App, caller: CallerDep, asked: StopTurn | None = None) -> Response:
    """Stop a turn, or one seat of an open match. Replies so far are saved."""
    return as_json(await app.arena.stop(caller, turn_id, asked.seat if asked else None))


@router.post("/{turn_id}/retry", responses=documented("TurnOutcome", stream="TurnEvent"))
async def retry_turn(
    request: Request,
    turn_id: str,
    app: App,
    caller: CallerDep,
    key: Key,
    asked: AskAgain | None = None,
) -> Response:
    """Retry the incomplete replies of a turn, or any one seat of an open match."""
    started = await app.arena.retry(caller, turn_id, key, seat=asked.seat if asked else None)
    return await answer_turn(request, app, caller, started)


@router.post("/{turn_id}/interject", responses=documented("Interjection"))
async def interject(turn_id: str, asked: Interject, app: App, caller: CallerDep, key: Key) -> Response:
    """Add a message to a running turn. Its next round reads it."""
    return as_json(await app.arena.interject(caller, turn_id, stored_input(asked.input), key))
