"""Routes of turns."""

from fastapi import APIRouter, Request, Response

from parley.api.answers import FeedResponse, answer_turn, as_json, documented
from parley.api.deps import HouseDep, Key, Owner

router = APIRouter(prefix="/api/turns", tags=["turns"])


@router.get("/{turn_id}", responses=documented("TurnSnapshot"))
async def read_turn(turn_id: str, house: HouseDep, owner: Owner) -> Response:
    """Read a turn: the twin of its stream's first event."""
    return as_json(await house.arena.read_turn(owner, turn_id))


@router.get("/{turn_id}/events", responses=documented("", stream="TurnEvent"))
async def follow_turn(turn_id: str, house: HouseDep, owner: Owner) -> Response:
    """Follow a turn: a snapshot, what happens, and one end."""
    return FeedResponse(await house.arena.follow(owner, turn_id))


@router.get("/{turn_id}/inner-replies", responses=documented("InnerReplies"))
async def read_inner_replies(turn_id: str, house: HouseDep, owner: Owner) -> Response:
    """Read how ensembles came to their answers in a turn; of a blind match only after the vote."""
    return as_json(await house.arena.read_inner(owner, turn_id))


@router.post("/{turn_id}/stop", responses=documented("TurnSnapshot"))
async def stop_turn(turn_id: str, house: HouseDep, owner: Owner) -> Response:
    """Stop a turn; what had come is kept."""
    return as_json(await house.arena.stop(owner, turn_id))


@router.post("/{turn_id}/retry", responses=documented("TurnOutcome", stream="TurnEvent"))
async def retry_turn(request: Request, turn_id: str, house: HouseDep, owner: Owner, key: Key) -> Response:
    """Ask again what is not complete."""
    return await answer_turn(request, house, owner, await house.arena.retry(owner, turn_id, key))
