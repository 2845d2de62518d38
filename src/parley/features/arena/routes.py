"""Routes of matches, and their aliases for battles: `battle_id` is a match's id."""

from fastapi import Request

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep, Key
from parley.api.streams import FeedResponse
from parley.features.arena.quotes import Quote
from parley.features.arena.schemas import (
    AskAgain,
    AskQuote,
    Interject,
    NewSession,
    SendMessage,
    StartBattle,
    StartMatch,
    StartTurn,
    StopTurn,
    attachments_of,
    stored_input,
)
from parley.features.arena.service import ArenaService
from parley.features.arena.turn_outcome import (
    CONTINUES,
    SESSION_EVENTS,
    STARTS,
    TURN_EVENTS,
    TurnOutcome,
    answer_turn,
)
from parley.kernel.caller import Scope
from parley.kernel.events import TurnSnapshot
from parley.kernel.inbox import Interjection
from parley.kernel.inputs import PromptInput
from parley.kernel.views import Attempts, Failures, InnerReplies

routes = Routes("/api", tag="matches", needs=Scope.TALK)


@routes.post(
    "/quote",
    needs=Scope.READ,
    errors=("no_models", "not_enough_models", "models_resting"),
    example={"prompt": "Why is the sky blue?", "mode": "battle"},
)
async def quote(body: AskQuote, app: App) -> Quote:
    """Estimate the minimum and maximum calls and cost of a turn without starting it."""
    return app[ArenaService].quote(body)


@routes.post(
    "/matches/{match_id}/turns",
    stream=TURN_EVENTS,
    hot=True,
    errors=(*STARTS, *CONTINUES),
    example={"input": {"type": "prompt", "text": "And at sunset?"}},
)
async def start_turn(
    request: Request, match_id: str, body: StartTurn, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start the next turn of a match, and change its seats if `seats` is given."""
    turn_input, files = stored_input(body.input), attachments_of(body.input)
    started = await app[ArenaService].start_turn(
        caller, match_id, turn_input, key, change=body.seats, files=files
    )
    return await answer_turn(request, app, caller, started)


@routes.post(
    "/battles/{battle_id}/messages",
    stream=TURN_EVENTS,
    hot=True,
    errors=(*STARTS, *CONTINUES),
    example={"content": "And at sunset?"},
)
async def send_message(
    request: Request, battle_id: str, body: SendMessage, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start the next turn of a battle. Each model sees the history of its own side only."""
    turn_input = PromptInput(body.content)
    started = await app[ArenaService].start_turn(caller, battle_id, turn_input, key, files=body.attachments)
    return await answer_turn(request, app, caller, started)


session_routes = Routes("/api/sessions", tag="sessions", needs=Scope.TALK)


@session_routes.post(
    stream=TURN_EVENTS, hot=True, errors=STARTS, example={"prompt": "Why is the sky blue?", "mode": "battle"}
)
async def start_session(
    request: Request, body: NewSession, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a session with its first match (a battle by default) and its first turn."""
    return await answer_turn(request, app, caller, await app[ArenaService].start_session(caller, body, key))


@session_routes.get("/{session_id}/events", stream=SESSION_EVENTS)
async def follow_session(session_id: str, app: App, caller: CallerDep) -> FeedResponse:
    """Stream what happens in a session outside its turns: votes, new turns, a new title, who is there."""
    return FeedResponse(await app[ArenaService].follow_session(caller, session_id))


@session_routes.post(
    "/{session_id}/matches",
    stream=TURN_EVENTS,
    hot=True,
    errors=(*STARTS, *CONTINUES),
    example={"prompt": "And at sunset?", "mode": "battle"},
)
async def start_match(
    request: Request, session_id: str, body: StartMatch, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a new match in a session."""
    return await answer_turn(
        request, app, caller, await app[ArenaService].start_match(caller, session_id, body, key)
    )


@session_routes.post(
    "/{session_id}/battles",
    stream=TURN_EVENTS,
    errors=(*STARTS, *CONTINUES),
    example={"prompt": "And at sunset?"},
)
async def start_battle(
    request: Request, session_id: str, body: StartBattle, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a new battle in a session, with a new pair of models."""
    match = StartMatch(prompt=body.prompt, attachments=body.attachments, mode="battle")
    return await answer_turn(
        request, app, caller, await app[ArenaService].start_match(caller, session_id, match, key)
    )


turn_routes = Routes("/api/turns", tag="turns", needs=Scope.TALK)


@turn_routes.get("/{turn_id}")
async def read_turn(turn_id: str, app: App, caller: CallerDep) -> TurnSnapshot:
    """Read a turn, as in the first event of its stream."""
    return await app[ArenaService].read_turn(caller, turn_id)


@turn_routes.get("/{turn_id}/events", stream=TURN_EVENTS)
async def follow_turn(turn_id: str, app: App, caller: CallerDep) -> FeedResponse:
    """Stream a turn: a snapshot, its events, and its end."""
    return FeedResponse(await app[ArenaService].follow(caller, turn_id))


@turn_routes.get("/{turn_id}/inner-replies", errors=("still_blind",))
async def read_inner_replies(turn_id: str, app: App, caller: CallerDep) -> InnerReplies:
    """Read the replies inside the ensembles of a turn. In a blind match, only after the vote."""
    return await app[ArenaService].reader.inner_replies(caller, turn_id)


@turn_routes.get("/{turn_id}/failures", errors=("still_blind", "not_void"))
async def read_failures(turn_id: str, app: App, caller: CallerDep) -> Failures:
    """Read which models made a battle void, once the next one has been voted on."""
    return await app[ArenaService].reader.failures(caller, turn_id)


@turn_routes.get("/{turn_id}/attempts", errors=("still_blind",))
async def read_attempts(turn_id: str, app: App, caller: CallerDep) -> Attempts:
    """Read earlier attempts of a turn's replies. In a blind match, only after the vote."""
    return await app[ArenaService].reader.attempts(caller, turn_id)


@turn_routes.post(
    "/{turn_id}/stop", errors=("turn_not_running", "seats_together", "replica_away"), example={"seat": "a"}
)
async def stop_turn(turn_id: str, app: App, caller: CallerDep, body: StopTurn | None = None) -> TurnSnapshot:
    """Stop a turn, or one seat of an open match. Replies so far are saved."""
    return await app[ArenaService].stop(caller, turn_id, body.seat if body else None)


@turn_routes.post(
    "/{turn_id}/retry",
    stream=TURN_EVENTS,
    errors=(*STARTS, *CONTINUES, "nothing_to_retry"),
    example={"seat": "assistant"},
)
async def retry_turn(
    request: Request,
    turn_id: str,
    app: App,
    caller: CallerDep,
    key: Key,
    body: AskAgain | None = None,
) -> TurnOutcome | FeedResponse:
    """Retry the incomplete replies of a turn, or any one seat of an open match."""
    started = await app[ArenaService].retry(caller, turn_id, key, seat=body.seat if body else None)
    return await answer_turn(request, app, caller, started)


@turn_routes.post(
    "/{turn_id}/interject",
    errors=("turn_not_running", "prompt_held"),
    example={"input": {"type": "steer", "text": "Be brief."}},
)
async def interject(turn_id: str, body: Interject, app: App, caller: CallerDep, key: Key) -> Interjection:
    """Add a message to a running turn. Its next round reads it."""
    return await app[ArenaService].interject(caller, turn_id, stored_input(body.input), key)
