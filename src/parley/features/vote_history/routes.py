"""Routes of votes: lists, categories, files and replays."""

from typing import Annotated

from fastapi import Query, Request

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.disconnects import unless_gone
from parley.features.vote_history.categories import VoteCategories
from parley.features.vote_history.schemas import (
    CategoryReasons,
    CorrectVote,
    PreferredModels,
    Replay,
    VoteCard,
    VoteFilter,
    VotePage,
)
from parley.features.vote_history.service import VotesService
from parley.features.voting.withdrawals import Withdrawals
from parley.kernel.caller import Scope
from parley.kernel.views import VoteView

routes = Routes("/api", tag="votes", needs=Scope.TALK)


class VoteQuery(VoteFilter):
    """The filter and the page of a list of votes."""

    limit: Annotated[int, Query(ge=1, le=200, description="The maximum number of items in the response.")] = (
        50
    )
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None


@routes.get("/votes")
async def list_votes(
    query: Annotated[VoteQuery, Query()], request: Request, app: App, caller: CallerDep
) -> VotePage:
    """List the caller's votes, newest first."""
    reading = app[VotesService].page(caller, query, query.limit, query.cursor)
    return await unless_gone(request, reading)


@routes.get("/votes/preferred")
async def read_preferred(app: App, caller: CallerDep) -> PreferredModels:
    """Read, for each category, the model that the caller preferred significantly more often than by chance."""
    return await app[VotesService].preferred(caller)


@routes.get("/votes/{vote_id}")
async def read_vote(vote_id: str, app: App, caller: CallerDep) -> VoteCard:
    """Read a vote."""
    return await app[VotesService].vote(caller, vote_id)


@routes.patch("/votes/{vote_id}", errors=("still_blind",), example={"categories": ["coding"]})
async def correct_vote(vote_id: str, body: CorrectVote, app: App, caller: CallerDep) -> VoteCard:
    """Set the categories of your own vote. The tables are updated."""
    await app[VoteCategories].correct(caller, vote_id, body)
    return await app[VotesService].vote(caller, vote_id)


@routes.post("/votes/{vote_id}/withdraw", errors=("undo_too_late", "vote_excluded"))
async def withdraw_vote(vote_id: str, app: App, caller: CallerDep) -> VoteView:
    """Withdraw your own vote: a blind one within ten seconds, an open one at any time.

    It stays in the audit log and never counts again.
    """
    return await app[Withdrawals].withdraw(caller, vote_id)


@routes.get("/votes/{vote_id}/categories")
async def explain_categories(vote_id: str, app: App, caller: CallerDep) -> CategoryReasons:
    """Explain which rules put a vote into its categories."""
    return await app[VoteCategories].explain(caller, vote_id)


@routes.get("/turns/{turn_id}/replay", errors=("still_blind", "turn_running"))
async def replay_turn(turn_id: str, app: App, caller: CallerDep) -> Replay:
    """Read a past turn with the timing of its replies. In a blind match, only after the vote."""
    return await app[VotesService].replay(caller, turn_id)
