"""Routes of the public prior: the published results that the leaderboard starts from."""

from typing import Annotated

from fastapi import Query, Request

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.prior_file import PriorQuery, set_prior
from parley.api.vote_files import UPLOADS
from parley.kernel.caller import Scope
from parley.workspace.standings.prior_schemas import PublicPriorState

routes = Routes("/api", tag="leaderboard", needs=Scope.MANAGE)


@routes.get("/leaderboard/prior", needs=Scope.READ)
async def read_prior(app: App) -> PublicPriorState:
    """Read the published results that the leaderboard starts from, and whether they help."""
    return await app.standings.prior.read()


@routes.put("/leaderboard/prior", uploads=UPLOADS, errors=("bad_published_results", "no_published_results"))
async def put_prior(
    request: Request, asked: Annotated[PriorQuery, Query()], app: App, caller: CallerDep
) -> PublicPriorState:
    """Start the leaderboard from a file of published results, in place of an earlier one. The body is the file."""
    return await set_prior(request, app, caller, asked)


@routes.delete("/leaderboard/prior", errors=("no_public_prior",))
async def remove_prior(app: App, caller: CallerDep) -> PublicPriorState:
    """Remove the published results. The leaderboard is made from your own votes alone."""
    return await app.standings.prior.remove(caller)
