"""Routes of the public prior: the published results that the leaderboard starts from."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.api.prior_file import PriorQuery, set_prior
from parley.api.vote_files import UPLOAD

router = APIRouter(prefix="/api", tags=["leaderboard"])


@router.get("/leaderboard/prior", responses=documented("PublicPriorState"))
async def read_prior(app: App) -> Response:
    """Read the published results that the leaderboard starts from, and whether they help."""
    return as_json(await app.standings.prior.read())


@router.put("/leaderboard/prior", responses=documented("PublicPriorState"), openapi_extra=UPLOAD)
async def put_prior(
    request: Request, asked: Annotated[PriorQuery, Query()], app: App, caller: CallerDep
) -> Response:
    """Start the leaderboard from a file of published results, in place of an earlier one. The body is the file."""
    return await set_prior(request, app, caller, asked)


@router.delete("/leaderboard/prior", responses=documented("PublicPriorState"))
async def remove_prior(app: App, caller: CallerDep) -> Response:
    """Remove the published results. The leaderboard is made from your own votes alone."""
    return as_json(await app.standings.prior.remove(caller))
