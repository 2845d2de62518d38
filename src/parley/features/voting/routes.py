"""Routes of votes on matches, and of the alias for battles: `battle_id` is a match's id."""

from typing import Any

import msgspec

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep, Key
from parley.features.voting.schemas import CastVote, VoteAnswer
from parley.features.voting.service import VotingService
from parley.kernel.caller import Scope
from parley.kernel.errors import Conflict
from parley.kernel.views import VoteView

VOTES = ("already_voted", "battle_void", "no_ballot", "replies_not_complete", "turn_running")
"""The errors of a vote."""


routes = Routes("/api", tag="matches", needs=Scope.TALK)


@routes.post(
    "/matches/{match_id}/vote",
    hot=True,
    errors=VOTES,
    example={"vote": "left", "reason": "Shorter, and right."},
)
async def vote(match_id: str, body: CastVote, app: App, caller: CallerDep, key: Key) -> VoteView:
    """Vote on a match, or on one of its turns, depending on the ballot.

    A vote on a blind match ends it and reveals its models.
    """
    return await app[VotingService].vote(caller, match_id, body, key)


@routes.post("/battles/{battle_id}/vote", hot=True, errors=VOTES, example={"vote": "tie"})
async def vote_on_battle(battle_id: str, body: CastVote, app: App, caller: CallerDep, key: Key) -> VoteAnswer:
    """Vote on a battle. The vote ends it and reveals its models."""
    try:
        return msgspec.convert(
            _by_side(await app[VotingService].vote(caller, battle_id, body, key)), VoteAnswer
        )
    except Conflict as error:
        if error.leaf_code == "already_voted":
            error.result = _by_side(error.result)
        raise


def _by_side(view: object) -> dict[str, Any]:
    """Return a vote with each seat as a field of its own, as clients of battles expect."""
    vote = msgspec.to_builtins(view)
    return {name: value for name, value in vote.items() if name not in ("seats", "turn_id")} | vote["seats"]
