"""Routes of votes that were cast."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parley.api.answers import as_json, documented
from parley.api.deps import CallerDep, HouseDep
from parley.api.vote_files import (
    UPLOAD,
    ExportQuery,
    ImportQuery,
    as_file,
    export_response,
    import_response,
)
from parley.workspace.votes.schemas import CorrectVote, VoteFilter

router = APIRouter(prefix="/api", tags=["votes"])


class VoteQuery(VoteFilter):
    """A page of votes that is asked for."""

    limit: Annotated[int, Query(ge=1, le=200)] = 50
    cursor: str | None = None


@router.get("/votes", responses=documented("VotePage"))
async def list_votes(asked: Annotated[VoteQuery, Query()], house: HouseDep, caller: CallerDep) -> Response:
    """List the votes of whoever asks, newest first."""
    return as_json(await house.votes.page(caller, asked, asked.limit, asked.cursor))


@router.get("/votes/export", responses=as_file())
async def export_votes(
    asked: Annotated[ExportQuery, Query()], house: HouseDep, caller: CallerDep
) -> Response:
    """Write all votes of the installation as a file in LMArena's columns."""
    return await export_response(house, caller, asked)


@router.post(
    "/votes/import", responses=documented("ImportReport", stream="ImportEvent"), openapi_extra=UPLOAD
)
async def import_votes(
    request: Request, asked: Annotated[ImportQuery, Query()], house: HouseDep, caller: CallerDep
) -> Response:
    """Take in a file of votes, whole or not at all, and tell how far it is; the body is the file itself."""
    return await import_response(request, house, caller, asked)


@router.get("/votes/{vote_id}", responses=documented("VoteCard"))
async def read_vote(vote_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read a vote."""
    return as_json(await house.votes.vote(caller, vote_id))


@router.patch("/votes/{vote_id}", responses=documented("VoteCard"))
async def correct_vote(vote_id: str, asked: CorrectVote, house: HouseDep, caller: CallerDep) -> Response:
    """Say which categories one's own vote is in; the table follows."""
    await house.vote_categories.correct(caller, vote_id, asked)
    return as_json(await house.votes.vote(caller, vote_id))


@router.get("/votes/{vote_id}/categories", responses=documented("CategoryReasons"))
async def explain_categories(vote_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read why a vote is in its categories, by the rules."""
    return as_json(await house.vote_categories.explain(caller, vote_id))


@router.get("/turns/{turn_id}/replay", responses=documented("Replay"))
async def replay_turn(turn_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read a past turn with the pace at which it came; of a blind match only after the vote."""
    return as_json(await house.votes.replay(caller, turn_id))
