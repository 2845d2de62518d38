"""Routes of turns."""

from fastapi import Request

from parley.api.answers import CONTINUES, STARTS, TURN_EVENTS, FeedResponse, TurnOutcome, answer_turn
from parley.api.contract import Routes
from parley.api.deps import App, CallerDep, Key
from parley.kernel.caller import Scope
from parley.kernel.events import TurnSnapshot
from parley.kernel.inbox import Interjection
from parley.kernel.views import Attempts, InnerReplies
from parley.workspace.arena.schemas import AskAgain, Interject, StopTurn, stored_input

routes = Routes("/api/turns", tag="turns", needs=Scope.TALK)


@routes.get("/{turn_id}")
async def read_turn(turn_id: str, app: App, caller: CallerDep) -> TurnSnapshot:
    """Read a turn, as in the first event of its stream."""
    return await app.arena.read_turn(caller, turn_id)


@routes.get("/{turn_id}/events", stream=TURN_EVENTS)
async def follow_turn(turn_id: str, app: App, caller: CallerDep) -> FeedResponse:
    """Stream a turn: a snapshot, its events, and its end."""
    return FeedResponse(await app.arena.follow(caller, turn_id))


@routes.get("/{turn_id}/inner-replies", errors=("still_blind",))
async def read_inner_replies(turn_id: str, app: App, caller: CallerDep) -> InnerReplies:
    """Read the replies inside the ensembles of a turn. In a blind match, only after the vote."""
    return await app.arena.read_inner(caller, turn_id)


@routes.get("/{turn_id}/attempts", errors=("still_blind",))
async def read_attempts(turn_id: str, app: App, caller: CallerDep) -> Attempts:
    """Read earlier attempts of a turn's replies. In a blind match, only after the vote."""
    return await app.arena.read_attempts(caller, turn_id)


@routes.post("/{turn_id}/stop", errors=("turn_not_running",))
async def stop_turn(turn_id: str, app: App, caller: CallerDep, asked: StopTurn | None = None) -> TurnSnapshot:
    """Stop a turn, or one seat of an open match. Replies so far are saved."""
    return await app.arena.stop(caller, turn_id, asked.seat if asked else None)


@routes.post("/{turn_id}/retry", stream=TURN_EVENTS, errors=(*STARTS, *CONTINUES, "nothing_to_retry"))
async def retry_turn(
    request: Request,
    turn_id: str,
    app: App,
    caller: CallerDep,
    key: Key,
    asked: AskAgain | None = None,
) -> TurnOutcome | FeedResponse:
    """Retry the incomplete replies of a turn, or any one seat of an open match."""
    started = await app.arena.retry(caller, turn_id, key, seat=asked.seat if asked else None)
    return await answer_turn(request, app, caller, started)


@routes.post("/{turn_id}/interject", errors=("turn_not_running",))
async def interject(turn_id: str, asked: Interject, app: App, caller: CallerDep, key: Key) -> Interjection:
    """Add a message to a running turn. Its next round reads it."""
    return await app.arena.interject(caller, turn_id, stored_input(asked.input), key)
