"""Routes of matches, and the battle's own names for them: `battle_id` is a match's id."""

from fastapi import APIRouter, Request, Response

from parley.api.answers import answer_turn, as_json, documented
from parley.api.deps import HouseDep, Key, Owner
from parley.kernel.views import PromptInput
from parley.workspace.arena.ballots import vote_answer
from parley.workspace.arena.schemas import AskQuote, CastVote, SendMessage, StartTurn

router = APIRouter(prefix="/api", tags=["matches"])


@router.post("/quote", responses=documented("Quote"))
async def quote(asked: AskQuote, house: HouseDep, _: Owner) -> Response:
    """Tell what a turn would take, at least and at most, before it begins."""
    return as_json(house.arena.quote(asked))


@router.post("/matches/{match_id}/turns", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_turn(
    request: Request, match_id: str, asked: StartTurn, house: HouseDep, owner: Owner, key: Key
) -> Response:
    """Take the next turn of a match."""
    started = await house.arena.start_turn(owner, match_id, asked.said, key)
    return await answer_turn(request, house, owner, started)


@router.post("/battles/{battle_id}/messages", responses=documented("TurnOutcome", stream="TurnEvent"))
async def send_message(
    request: Request, battle_id: str, asked: SendMessage, house: HouseDep, owner: Owner, key: Key
) -> Response:
    """Take the next turn of a battle: each model hears its own side's whole history."""
    started = await house.arena.start_turn(owner, battle_id, PromptInput(asked.content), key)
    return await answer_turn(request, house, owner, started)


@router.post("/matches/{match_id}/vote", responses=documented("VoteAnswer"))
async def vote(match_id: str, asked: CastVote, house: HouseDep, owner: Owner, key: Key) -> Response:
    """Vote on a match; it ends and shows who sat where."""
    return as_json(vote_answer(await house.ballots.vote(owner, match_id, asked, key)))


@router.post("/battles/{battle_id}/vote", responses=documented("VoteAnswer"))
async def vote_on_battle(
    battle_id: str, asked: CastVote, house: HouseDep, owner: Owner, key: Key
) -> Response:
    """Vote on a battle; it ends and shows who sat where."""
    return as_json(vote_answer(await house.ballots.vote(owner, battle_id, asked, key)))
