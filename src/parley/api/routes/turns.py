"""Routes of turns."""

from fastapi import APIRouter, Request, Response

from parley.api.answers import FeedResponse, answer_turn, as_json, documented
from parley.api.deps import CallerDep, HouseDep, Key
from parley.workspace.arena.schemas import AskAgain, Interject

router = APIRouter(prefix="/api/turns", tags=["turns"])


@router.get("/{turn_id}", responses=documented("TurnSnapshot"))
async def read_turn(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read a turn: the twin of its stream's first event."""
    return as_json(await house.arena.read_turn(caller, turn_id))


@router.get("/{turn_id}/events", responses=documented("", stream="TurnEvent"))
async def follow_turn(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Follow a turn: a snapshot, what happens, and one end."""
    return FeedResponse(await house.arena.follow(caller, turn_id))


@router.get("/{turn_id}/inner-replies", responses=documented("InnerReplies"))
async def read_inner_replies(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read how ensembles came to their answers in a turn; of a blind match only after the vote."""
    return as_json(await house.arena.read_inner(caller, turn_id))


@router.get("/{turn_id}/attempts", responses=documented("Attempts"))
async def read_attempts(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read what replies said in attempts before the latest; of a blind match only after the vote."""
    return as_json(await house.arena.read_attempts(caller, turn_id))


@router.post("/{turn_id}/stop", responses=documented("TurnSnapshot"))
async def stop_turn(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Stop a turn; what had come is kept."""
    return as_json(await house.arena.stop(caller, turn_id))


@router.post("/{turn_id}/retry", responses=documented("TurnOutcome", stream="TurnEvent"))
async def retry_turn(
    request: Request,
    turn_id: str,
    house: HouseDep,
    caller: CallerDep,
    key: Key,
    asked: AskAgain | None = None,
) -> Response:
    """Ask again what is not complete, or one seat of an open match whatever it has said."""
    started = await house.arena.retry(caller, turn_id, key, seat=asked.seat if asked else None)
    return await answer_turn(request, house, caller, started)


@router.post("/{turn_id}/interject", responses=documented("Interjection"))
async def interject(turn_id: str, asked: Interject, house: HouseDep, caller: CallerDep, key: Key) -> Response:
    """Say something while a turn runs; the next round to begin hears it."""
    return as_json(await house.arena.interject(caller, turn_id, asked.said, key))
