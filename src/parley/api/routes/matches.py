"""Routes of matches, and their aliases for battles: `battle_id` is a match's id."""

from typing import Any

import msgspec
from fastapi import Request

from parley.api.answers import CONTINUES, STARTS, TURN_EVENTS, FeedResponse, TurnOutcome, answer_turn
from parley.api.contract import Routes
from parley.api.deps import App, CallerDep, Key
from parley.api.shapes import VoteAnswer
from parley.kernel.caller import Scope
from parley.kernel.errors import Conflict
from parley.kernel.inputs import PromptInput
from parley.kernel.views import VoteView
from parley.workspace.arena.quotes import Quote
from parley.workspace.arena.schemas import AskQuote, SendMessage, StartTurn, asked_with, stored_input
from parley.workspace.voting.schemas import CastVote

VOTES = ("already_voted", "battle_void", "no_ballot", "replies_not_complete", "turn_running")
"""What can go wrong with a vote."""

routes = Routes("/api", tag="matches", needs=Scope.TALK)


@routes.post("/quote", needs=Scope.READ, errors=("no_models", "not_enough_models"))
async def quote(asked: AskQuote, app: App) -> Quote:
    """Estimate the minimum and maximum calls and cost of a turn without starting it."""
    return app.arena.quote(asked)


@routes.post("/matches/{match_id}/turns", stream=TURN_EVENTS, hot=True, errors=(*STARTS, *CONTINUES))
async def start_turn(
    request: Request, match_id: str, asked: StartTurn, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start the next turn of a match, and change its seats if `seats` is given."""
    given, files = stored_input(asked.input), asked_with(asked.input)
    started = await app.arena.start_turn(caller, match_id, given, key, change=asked.seats, files=files)
    return await answer_turn(request, app, caller, started)


@routes.post("/battles/{battle_id}/messages", stream=TURN_EVENTS, hot=True, errors=(*STARTS, *CONTINUES))
async def send_message(
    request: Request, battle_id: str, asked: SendMessage, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start the next turn of a battle. Each model sees the history of its own side only."""
    given = PromptInput(asked.content)
    started = await app.arena.start_turn(caller, battle_id, given, key, files=asked.attachments)
    return await answer_turn(request, app, caller, started)


@routes.post("/matches/{match_id}/vote", hot=True, errors=VOTES)
async def vote(match_id: str, asked: CastVote, app: App, caller: CallerDep, key: Key) -> VoteView:
    """Vote on a match, or on one of its turns, depending on the ballot.

    A vote on a blind match ends it and reveals its models.
    """
    return await app.voting.vote(caller, match_id, asked, key)


@routes.post("/battles/{battle_id}/vote", hot=True, errors=VOTES)
async def vote_on_battle(
    battle_id: str, asked: CastVote, app: App, caller: CallerDep, key: Key
) -> VoteAnswer:
    """Vote on a battle. The vote ends it and reveals its models."""
    try:
        return msgspec.convert(_by_side(await app.voting.vote(caller, battle_id, asked, key)), VoteAnswer)
    except Conflict as error:
        if error.leaf_code == "already_voted":
            error.result = _by_side(error.result)
        raise


def _by_side(view: object) -> dict[str, Any]:
    """Return a vote with each seat as a field of its own, as clients of battles expect."""
    vote = msgspec.to_builtins(view)
    return {name: value for name, value in vote.items() if name not in ("seats", "turn_id")} | vote["seats"]
