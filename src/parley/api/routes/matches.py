"""Routes of matches, and their aliases for battles: `battle_id` is a match's id."""

from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from parley.api.answers import answer_turn, as_json, documented
from parley.api.deps import App, CallerDep, Key
from parley.kernel.errors import Conflict
from parley.kernel.inputs import PromptInput
from parley.workspace.arena.schemas import AskQuote, SendMessage, StartTurn, asked_with, stored_input
from parley.workspace.voting.schemas import CastVote

router = APIRouter(prefix="/api", tags=["matches"])


@router.post("/quote", responses=documented("Quote"))
async def quote(asked: AskQuote, app: App) -> Response:
    """Estimate the minimum and maximum calls and cost of a turn without starting it."""
    return as_json(app.arena.quote(asked))


@router.post("/matches/{match_id}/turns", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_turn(
    request: Request, match_id: str, asked: StartTurn, app: App, caller: CallerDep, key: Key
) -> Response:
    """Start the next turn of a match, and change its seats if `seats` is given."""
    given, files = stored_input(asked.input), asked_with(asked.input)
    started = await app.arena.start_turn(caller, match_id, given, key, change=asked.seats, files=files)
    return await answer_turn(request, app, caller, started)


@router.post("/battles/{battle_id}/messages", responses=documented("TurnOutcome", stream="TurnEvent"))
async def send_message(
    request: Request, battle_id: str, asked: SendMessage, app: App, caller: CallerDep, key: Key
) -> Response:
    """Start the next turn of a battle. Each model sees the history of its own side only."""
    given = PromptInput(asked.content)
    started = await app.arena.start_turn(caller, battle_id, given, key, files=asked.attachments)
    return await answer_turn(request, app, caller, started)


@router.post("/matches/{match_id}/vote", responses=documented("VoteView"))
async def vote(match_id: str, asked: CastVote, app: App, caller: CallerDep, key: Key) -> Response:
    """Vote on a match, or on one of its turns, depending on the ballot.

    A vote on a blind match ends it and reveals its models.
    """
    return as_json(await app.voting.vote(caller, match_id, asked, key))


@router.post("/battles/{battle_id}/vote", responses=documented("VoteAnswer"))
async def vote_on_battle(battle_id: str, asked: CastVote, app: App, caller: CallerDep, key: Key) -> Response:
    """Vote on a battle. The vote ends it and reveals its models."""
    try:
        return as_json(_by_side(msgspec.to_builtins(await app.voting.vote(caller, battle_id, asked, key))))
    except Conflict as error:
        if error.leaf_code == "already_voted":
            error.result = _by_side(msgspec.to_builtins(error.result))
        raise


def _by_side(vote: dict[str, Any]) -> dict[str, Any]:
    """Return a vote with each seat as a field of its own, as clients of battles expect."""
    return {name: value for name, value in vote.items() if name not in ("seats", "turn_id")} | vote["seats"]
