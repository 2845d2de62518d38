"""Routes of votes: lists, categories, files and replays."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.api.vote_files import (
    UPLOAD,
    ExportQuery,
    ImportQuery,
    as_file,
    export_response,
    import_response,
)
from parley.workspace.vote_history.schemas import CorrectVote, VoteFilter

router = APIRouter(prefix="/api", tags=["votes"])


class VoteQuery(VoteFilter):
    """The filter and the page of a list of votes."""

    limit: Annotated[int, Query(ge=1, le=200)] = 50
    cursor: str | None = None


@router.get("/votes", responses=documented("VotePage"))
async def list_votes(asked: Annotated[VoteQuery, Query()], app: App, caller: CallerDep) -> Response:
    """List the caller's votes, newest first."""
    return as_json(await app.votes.page(caller, asked, asked.limit, asked.cursor))


@router.get("/votes/preferred", responses=documented("PreferredModels"))
async def read_preferred(app: App, caller: CallerDep) -> Response:
    """Read, for each category, the model that the caller preferred significantly more often than by chance."""
    return as_json(await app.votes.preferred(caller))


@router.get("/votes/export", responses=as_file())
async def export_votes(asked: Annotated[ExportQuery, Query()], app: App, caller: CallerDep) -> Response:
    """Export all votes of the installation as a file with LMArena's columns."""
    return await export_response(app, caller, asked)


@router.post(
    "/votes/import", responses=documented("ImportReport", stream="ImportEvent"), openapi_extra=UPLOAD
)
async def import_votes(
    request: Request, asked: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> Response:
    """Import a file of votes, all or nothing, and stream its progress. The body is the file."""
    return await import_response(request, app, caller, asked)


@router.get("/votes/{vote_id}", responses=documented("VoteCard"))
async def read_vote(vote_id: str, app: App, caller: CallerDep) -> Response:
    """Read a vote."""
    return as_json(await app.votes.vote(caller, vote_id))


@router.patch("/votes/{vote_id}", responses=documented("VoteCard"))
async def correct_vote(vote_id: str, asked: CorrectVote, app: App, caller: CallerDep) -> Response:
    """Set the categories of your own vote. The tables are updated."""
    await app.vote_categories.correct(caller, vote_id, asked)
    return as_json(await app.votes.vote(caller, vote_id))


@router.post("/votes/{vote_id}/withdraw", responses=documented("VoteView"))
async def withdraw_vote(vote_id: str, app: App, caller: CallerDep) -> Response:
    """Withdraw your own vote: a blind one within ten seconds, an open one at any time.

    It stays in the audit log and never counts again.
    """
    return as_json(await app.withdrawals.withdraw(caller, vote_id))


@router.get("/votes/{vote_id}/categories", responses=documented("CategoryReasons"))
async def explain_categories(vote_id: str, app: App, caller: CallerDep) -> Response:
    """Explain which rules put a vote into its categories."""
    return as_json(await app.vote_categories.explain(caller, vote_id))


@router.get("/turns/{turn_id}/replay", responses=documented("Replay"))
async def replay_turn(turn_id: str, app: App, caller: CallerDep) -> Response:
    """Read a past turn with the timing of its replies. In a blind match, only after the vote."""
    return as_json(await app.votes.replay(caller, turn_id))
