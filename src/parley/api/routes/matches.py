"""Routes of matches, and the battle's own names for them: `battle_id` is a match's id."""

from typing import Any

import msgspec
from fastapi import APIRouter, Request, Response

from parley.api.answers import answer_turn, as_json, documented
from parley.api.deps import CallerDep, HouseDep, Key
from parley.kernel.errors import Conflict
from parley.kernel.inputs import PromptInput
from parley.workspace.arena.schemas import AskQuote, SendMessage, StartTurn
from parley.workspace.voting.schemas import CastVote

router = APIRouter(prefix="/api", tags=["matches"])


@router.post("/quote", responses=documented("Quote"))
async def quote(asked: AskQuote, house: HouseDep) -> Response:
    """Tell what a turn would take, at least and at most, before it begins."""
    return as_json(house.arena.quote(asked))


@router.post("/matches/{match_id}/turns", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_turn(
    request: Request, match_id: str, asked: StartTurn, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Take the next turn of a match, with whom there is then."""
    started = await house.arena.start_turn(caller, match_id, asked.said, key, change=asked.seats)
    return await answer_turn(request, house, caller, started)


@router.post("/battles/{battle_id}/messages", responses=documented("TurnOutcome", stream="TurnEvent"))
async def send_message(
    request: Request, battle_id: str, asked: SendMessage, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Take the next turn of a battle: each model hears its own side's whole history."""
    started = await house.arena.start_turn(caller, battle_id, PromptInput(asked.content), key)
    return await answer_turn(request, house, caller, started)


@router.post("/matches/{match_id}/vote", responses=documented("VoteView"))
async def vote(match_id: str, asked: CastVote, house: HouseDep, caller: CallerDep, key: Key) -> Response:
    """Vote on a match or on one of its turns, as its ballot has it; a blind match ends and shows who sat where."""
    return as_json(await house.voting.vote(caller, match_id, asked, key))


@router.post("/battles/{battle_id}/vote", responses=documented("VoteAnswer"))
async def vote_on_battle(
    battle_id: str, asked: CastVote, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Vote on a battle; it ends and shows who sat where."""
    try:
        return as_json(_by_side(msgspec.to_builtins(await house.voting.vote(caller, battle_id, asked, key))))
    except Conflict as error:
        if error.leaf_code == "already_voted":
            error.result = _by_side(msgspec.to_builtins(error.result))
        raise


def _by_side(vote: dict[str, Any]) -> dict[str, Any]:
    """Return a vote with each seat under its own name, as clients of battles know it."""
    return {name: value for name, value in vote.items() if name not in ("seats", "turn_id")} | vote["seats"]
