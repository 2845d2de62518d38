"""Routes of the standings: tables, history, pairs of models, and single models."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.streams import FeedResponse
from parley.features.standings.health_schemas import (
    FlaggedVoter,
    FlaggedVoters,
    VoteHealth,
    VoterPage,
    VoterQuery,
    VoterSort,
)
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.schemas import (
    HeadToHead,
    History,
    Leaderboard,
    Matrix,
    Method,
    ModelStatsView,
    Order,
    Preferences,
    Rebuilt,
    SortKey,
    StandingsChanged,
    TableQuery,
)
from parley.kernel.caller import Scope
from parley.kernel.errors import Invalid

STANDINGS_EVENTS = Stream("StandingsEvent", StandingsChanged)

routes = Routes("/api", tag="leaderboard", needs=Scope.READ, strict=True)

Category = Annotated[str, Query(max_length=64, description="The id of a category. `overall` has all votes.")]


@routes.get("/leaderboard")
async def read_leaderboard(
    app: App,
    *,
    category: Category = "overall",
    method: Annotated[Method, Query(description="How the ratings are computed.")] = "bradley-terry",
    sort_by: Annotated[SortKey, Query(description="The column to sort by.")] = "rank",
    order: Annotated[
        Order | None, Query(description="Ascending or descending. The default depends on the column.")
    ] = None,
    search: Annotated[str, Query(max_length=200, description="Only items that contain these words.")] = "",
    license: Annotated[  # noqa: A002 - the parameter's name
        str | None, Query(max_length=200, description="Only models with this licence.")
    ] = None,
    organization: Annotated[
        str | None, Query(max_length=200, description="Only models of this organisation.")
    ] = None,
    provider: Annotated[
        str | None, Query(max_length=200, description="Only models of this provider.")
    ] = None,
    local: Annotated[
        bool | None,
        Query(description="Only models that run locally (`true`), or only remote ones (`false`)."),
    ] = None,
    min_votes: Annotated[
        int, Query(ge=0, le=1_000_000, description="Leave out models with fewer votes.")
    ] = 5,
    style_control: Annotated[bool, Query(description="`true` is short for `method=style-control`.")] = False,
    include_uncounted: Annotated[
        bool, Query(description="Include votes that are saved but not counted.")
    ] = False,
    limit: Annotated[
        int, Query(ge=1, le=1000, description="The maximum number of items in the response.")
    ] = 100,
    cursor: Annotated[
        str | None, Query(max_length=1000, description="`next_cursor` of the previous page.")
    ] = None,
) -> Leaderboard:
    """Read a page of the leaderboard of a category."""
    query = TableQuery(
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
    return await app[StandingsRuntime].leaderboard.page(query)


@routes.get("/leaderboard/space", needs=Scope.TALK)
async def read_space_leaderboard(
    app: App,
    caller: CallerDep,
    *,
    category: Category = "overall",
    min_votes: Annotated[
        int, Query(ge=0, le=1_000_000, description="Leave out models with fewer votes.")
    ] = 5,
    limit: Annotated[
        int, Query(ge=1, le=1000, description="The maximum number of items in the response.")
    ] = 100,
    cursor: Annotated[
        str | None, Query(max_length=1000, description="`next_cursor` of the previous page.")
    ] = None,
) -> Leaderboard:
    """Read a page of the leaderboard from the votes in this workspace's sessions, or in one's own."""
    query = TableQuery(category=category, min_votes=min_votes, limit=limit, cursor=cursor)
    return await app[StandingsRuntime].spaces.page(caller, query)


@routes.get("/leaderboard/preferences")
async def read_preferences(app: App) -> Preferences:
    """Read the table of preferences, made from votes that are not rated."""
    return await app[StandingsRuntime].preferences.read()


@routes.get("/leaderboard/history", errors=("model_not_found",))
async def read_history(
    app: App,
    *,
    category: Category = "overall",
    method: Annotated[Method, Query(description="How the ratings are computed.")] = "bradley-terry",
    model: Annotated[
        list[str],
        Query(max_length=50, description="The id of a model."),
    ] = [],  # noqa: B006 - FastAPI copies it
    limit: Annotated[
        int, Query(ge=1, le=50, description="The maximum number of items in the response.")
    ] = 10,
    days: Annotated[
        int | None,
        Query(
            ge=1, le=36_500, description="How many days back the history starts. By default it has all days."
        ),
    ] = None,
) -> History:
    """Read ratings over time, of the given models or of the best ones."""
    return await app[StandingsRuntime].leaderboard.history(category, method, model, limit=limit, days=days)


@routes.get("/leaderboard/matrix")
async def read_matrix(
    app: App,
    *,
    category: Category = "overall",
    min_votes: Annotated[
        int, Query(ge=0, le=1_000_000, description="Leave out models with fewer votes.")
    ] = 5,
    include_uncounted: Annotated[
        bool, Query(description="Include votes that are saved but not counted.")
    ] = False,
    limit: Annotated[
        int, Query(ge=2, le=300, description="The maximum number of items in the response.")
    ] = 30,
) -> Matrix:
    """Read win rates between the best models."""
    return await app[StandingsRuntime].models.matrix(
        category, limit=limit, min_votes=min_votes, include_uncounted=include_uncounted
    )


@routes.get("/leaderboard/events", stream=STANDINGS_EVENTS)
async def follow_leaderboard(app: App) -> FeedResponse:
    """Stream the current state of the standings, then every change."""
    return FeedResponse(await app[StandingsRuntime].follow())


@routes.post("/leaderboard/rebuild", needs=Scope.MANAGE, errors=("audit_broken",))
async def rebuild_leaderboard(app: App, caller: CallerDep) -> Rebuilt:
    """Recount every vote and correct what differs, like `parley standings rebuild`."""
    return await app[StandingsRuntime].rebuild(caller)


@routes.get("/leaderboard/voters", needs=Scope.MANAGE)
async def read_flagged_voters(app: App) -> FlaggedVoters:
    """List the voters whose votes look planned, and those excluded for it."""
    return FlaggedVoters(voters=await app[StandingsRuntime].voters.voters())


@routes.get("/leaderboard/health", needs=Scope.MANAGE)
async def read_vote_health(app: App) -> VoteHealth:
    """Read who stands behind the overall table: voters, speed, sides, and what single voters move."""
    return await app[StandingsRuntime].health.read()


@routes.get("/leaderboard/health/voters", needs=Scope.MANAGE)
async def read_voters(
    app: App,
    *,
    sort_by: Annotated[VoterSort, Query(description="The column to sort by.")] = "votes",
    order: Annotated[
        Order, Query(description="Ascending or descending. The default depends on the column.")
    ] = "desc",
    limit: Annotated[
        int, Query(ge=1, le=50, description="The maximum number of items in the response.")
    ] = 25,
    offset: Annotated[int, Query(ge=0, le=1_000_000, description="How many items to skip.")] = 0,
) -> VoterPage:
    """List the voters by pseudonym, with their evidence over time."""
    query = VoterQuery(sort_by=sort_by, order=order, limit=limit, offset=offset)
    return await app[StandingsRuntime].health.voters(query)


@routes.post("/leaderboard/voters/{voter_id}/exclude", needs=Scope.MANAGE, errors=("voter_not_flagged",))
async def exclude_voter(voter_id: str, app: App, caller: CallerDep) -> FlaggedVoter:
    """Exclude all votes that a flagged voter has cast so far from the ratings."""
    return await app[StandingsRuntime].voters.exclude(caller, voter_id)


@routes.post(
    "/leaderboard/voters/{voter_id}/reinstate",
    needs=Scope.MANAGE,
    errors=("voter_not_flagged", "voter_not_excluded"),
)
async def reinstate_voter(voter_id: str, app: App, caller: CallerDep) -> FlaggedVoter:
    """Count the votes of an excluded voter again."""
    return await app[StandingsRuntime].voters.reinstate(caller, voter_id)


@routes.get("/models/{model_id}/stats", errors=("model_not_found",))
async def read_model(model_id: str, app: App, caller: CallerDep) -> ModelStatsView:
    """Read a model's ratings and results."""
    return await app[StandingsRuntime].models.stats(caller, model_id)


@routes.get("/head-to-head/{a}/{b}", errors=("model_not_found",))
async def read_head_to_head(a: str, b: str, app: App, caller: CallerDep) -> HeadToHead:
    """Read the results of two models against each other."""
    return await app[StandingsRuntime].models.head_to_head(caller, a, b)


def _styled(method: Method, style_control: bool) -> Method:
    if not style_control:
        return method
    if method == "elo":
        raise Invalid("style_control", "style_control: must be false with the method elo.")
    return "style-control"
