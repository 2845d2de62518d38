"""Routes of votes: lists, categories, files and replays."""

from typing import Annotated

from fastapi import Query, Request, Response

from parley.api.answers import IMPORT_EVENTS
from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.vote_files import (
    DOWNLOADS,
    UPLOADS,
    ExportQuery,
    ImportQuery,
    export_response,
    import_response,
)
from parley.kernel.caller import Scope
from parley.kernel.views import VoteView
from parley.workspace.vote_files.schemas import ImportReport
from parley.workspace.vote_history.schemas import (
    CategoryReasons,
    CorrectVote,
    PreferredModels,
    Replay,
    VoteCard,
    VoteFilter,
    VotePage,
)

routes = Routes("/api", tag="votes", needs=Scope.TALK)


class VoteQuery(VoteFilter):
    """The filter and the page of a list of votes."""

    limit: Annotated[int, Query(ge=1, le=200, description="The maximum number of items in the response.")] = (
        50
    )
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None


@routes.get("/votes")
async def list_votes(asked: Annotated[VoteQuery, Query()], app: App, caller: CallerDep) -> VotePage:
    """List the caller's votes, newest first."""
    return await app.votes.page(caller, asked, asked.limit, asked.cursor)


@routes.get("/votes/preferred")
async def read_preferred(app: App, caller: CallerDep) -> PreferredModels:
    """Read, for each category, the model that the caller preferred significantly more often than by chance."""
    return await app.votes.preferred(caller)


@routes.get("/votes/export", needs=Scope.MANAGE, downloads=DOWNLOADS)
async def export_votes(asked: Annotated[ExportQuery, Query()], app: App, caller: CallerDep) -> Response:
    """Export all votes of the installation as a file with LMArena's columns."""
    return await export_response(app, caller, asked)


@routes.post(
    "/votes/import",
    needs=Scope.MANAGE,
    stream=IMPORT_EVENTS,
    uploads=UPLOADS,
    errors=("bad_rows", "import_running", "import_interrupted"),
)
async def import_votes(
    request: Request, asked: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> ImportReport | Response:
    """Import a file of votes, all or nothing, and stream its progress. The body is the file."""
    return await import_response(request, app, caller, asked)


@routes.get("/votes/{vote_id}")
async def read_vote(vote_id: str, app: App, caller: CallerDep) -> VoteCard:
    """Read a vote."""
    return await app.votes.vote(caller, vote_id)


@routes.patch("/votes/{vote_id}", errors=("still_blind",))
async def correct_vote(vote_id: str, asked: CorrectVote, app: App, caller: CallerDep) -> VoteCard:
    """Set the categories of your own vote. The tables are updated."""
    await app.vote_categories.correct(caller, vote_id, asked)
    return await app.votes.vote(caller, vote_id)


@routes.post("/votes/{vote_id}/withdraw", errors=("undo_too_late", "vote_excluded"))
async def withdraw_vote(vote_id: str, app: App, caller: CallerDep) -> VoteView:
    """Withdraw your own vote: a blind one within ten seconds, an open one at any time.

    It stays in the audit log and never counts again.
    """
    return await app.withdrawals.withdraw(caller, vote_id)


@routes.get("/votes/{vote_id}/categories")
async def explain_categories(vote_id: str, app: App, caller: CallerDep) -> CategoryReasons:
    """Explain which rules put a vote into its categories."""
    return await app.vote_categories.explain(caller, vote_id)


@routes.get("/turns/{turn_id}/replay", errors=("still_blind", "turn_running"))
async def replay_turn(turn_id: str, app: App, caller: CallerDep) -> Replay:
    """Read a past turn with the timing of its replies. In a blind match, only after the vote."""
    return await app.votes.replay(caller, turn_id)
