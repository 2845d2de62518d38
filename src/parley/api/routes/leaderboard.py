"""Routes of the standings: tables, history, pairs of models, and single models."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from parley.api.answers import FeedResponse, as_json, documented
from parley.api.deps import App, CallerDep, known_parameters
from parley.kernel.errors import Invalid
from parley.workspace.standings.health_schemas import FlaggedVoters, VoterQuery, VoterSort
from parley.workspace.standings.schemas import Method, Order, SortKey, TableQuery

router = APIRouter(prefix="/api", tags=["leaderboard"], dependencies=[Depends(known_parameters)])

Category = Annotated[str, Query(max_length=64)]
Word = Annotated[str | None, Query(max_length=200)]


@router.get("/leaderboard", responses=documented("Leaderboard"))
async def read_leaderboard(
    app: App,
    *,
    category: Category = "overall",
    method: Method = "bradley-terry",
    sort_by: SortKey = "rank",
    order: Order | None = None,
    search: Annotated[str, Query(max_length=200)] = "",
    license: Word = None,  # noqa: A002 - the parameter's name
    organization: Word = None,
    provider: Word = None,
    local: bool | None = None,
    min_votes: Annotated[int, Query(ge=0, le=1_000_000)] = 5,
    style_control: bool = False,
    include_uncounted: bool = False,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    cursor: Annotated[str | None, Query(max_length=1000)] = None,
) -> Response:
    """Read a page of the leaderboard of a category."""
    asked = TableQuery(
        category=category,
        method=_styled(method, style_control),
        sort_by=sort_by,
        order=order,
        search=search,
        license=license,
        organization=organization,
        provider=provider,
        local=local,
        min_votes=min_votes,
        include_uncounted=include_uncounted,
        limit=limit,
        cursor=cursor,
    )
    return as_json(await app.standings.leaderboard.page(asked))


@router.get("/leaderboard/preferences", responses=documented("Preferences"))
async def read_preferences(app: App) -> Response:
    """Read the table of preferences, made from votes that are not rated."""
    return as_json(await app.standings.preferences.read())


@router.get("/leaderboard/history", responses=documented("History"))
async def read_history(
    app: App,
    *,
    category: Category = "overall",
    method: Method = "bradley-terry",
    model: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - FastAPI copies it
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
    days: Annotated[int | None, Query(ge=1, le=36_500)] = None,
) -> Response:
    """Read ratings over time, of the given models or of the best ones."""
    return as_json(await app.standings.leaderboard.history(category, method, model, limit=limit, days=days))


@router.get("/leaderboard/matrix", responses=documented("Matrix"))
async def read_matrix(
    app: App,
    *,
    category: Category = "overall",
    min_votes: Annotated[int, Query(ge=0, le=1_000_000)] = 5,
    include_uncounted: bool = False,
    limit: Annotated[int, Query(ge=2, le=300)] = 30,
) -> Response:
    """Read win rates between the best models."""
    matrix = await app.standings.models.matrix(
        category, limit=limit, min_votes=min_votes, include_uncounted=include_uncounted
    )
    return as_json(matrix)


@router.get("/leaderboard/events", responses=documented("", stream="StandingsEvent"))
async def follow_leaderboard(app: App) -> Response:
    """Stream the current state of the standings, then every change."""
    return FeedResponse(await app.standings.follow())


@router.post("/leaderboard/rebuild", responses=documented("Rebuilt"))
async def rebuild_leaderboard(app: App, caller: CallerDep) -> Response:
    """Recount every vote and correct what differs, like `parley standings rebuild`."""
    return as_json(await app.standings.rebuild(caller))


@router.get("/leaderboard/voters", responses=documented("FlaggedVoters"))
async def read_flagged_voters(app: App) -> Response:
    """List the voters whose votes look planned, and those excluded for it."""
    return as_json(FlaggedVoters(voters=await app.standings.voters.voters()))


@router.get("/leaderboard/health", responses=documented("VoteHealth"))
async def read_vote_health(app: App) -> Response:
    """Read who stands behind the overall table: voters, speed, sides, and what single voters move."""
    return as_json(await app.standings.health.read())


@router.get("/leaderboard/health/voters", responses=documented("VoterPage"))
async def read_voters(
    app: App,
    *,
    sort_by: VoterSort = "votes",
    order: Order = "desc",
    limit: Annotated[int, Query(ge=1, le=50)] = 25,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> Response:
    """List the voters by pseudonym, with their evidence over time."""
    asked = VoterQuery(sort_by=sort_by, order=order, limit=limit, offset=offset)
    return as_json(await app.standings.health.voters(asked))


@router.post("/leaderboard/voters/{voter_id}/exclude", responses=documented("FlaggedVoter"))
async def exclude_voter(voter_id: str, app: App, caller: CallerDep) -> Response:
    """Exclude all votes that a flagged voter has cast so far from the ratings."""
    return as_json(await app.standings.voters.exclude(caller, voter_id))


@router.post("/leaderboard/voters/{voter_id}/reinstate", responses=documented("FlaggedVoter"))
async def reinstate_voter(voter_id: str, app: App, caller: CallerDep) -> Response:
    """Count the votes of an excluded voter again."""
    return as_json(await app.standings.voters.reinstate(caller, voter_id))


@router.get("/models/{model_id}/stats", responses=documented("ModelStatsView"))
async def read_model(model_id: str, app: App, caller: CallerDep) -> Response:
    """Read a model's ratings and results."""
    return as_json(await app.standings.models.stats(caller, model_id))


@router.get("/head-to-head/{a}/{b}", responses=documented("HeadToHead"))
async def read_head_to_head(a: str, b: str, app: App, caller: CallerDep) -> Response:
    """Read the results of two models against each other."""
    return as_json(await app.standings.models.head_to_head(caller, a, b))


def _styled(method: Method, style_control: bool) -> Method:
    if not style_control:
        return method
    if method == "elo":
        raise Invalid("style_control", "style_control: must be false with the method elo.")
    return "style-control"
