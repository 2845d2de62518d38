"""Routes of usage: figures, measures and dashboards."""

from typing import Annotated

from fastapi import Query, Request, Response

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.usage.schemas import Analytics, Scale, UsageTable
from parley.features.usage.service import UsageRequest, UsageService
from parley.kernel.caller import Scope

routes = Routes("/api", tag="usage", needs=Scope.TALK, strict=True)

CSV = "text/csv"


@routes.get("/analytics")
async def read_analytics(app: App, caller: CallerDep) -> Analytics:
    """List the dashboards that the caller may see, and every measure."""
    return app[UsageService].analytics(caller)


@routes.get("/usage", downloads=(CSV,))
async def read_usage(
    request: Request,
    app: App,
    caller: CallerDep,
    measure: Annotated[str, Query(max_length=64, description="A measure of GET /api/analytics.")],
    by: Annotated[
        str, Query(max_length=200, description="Groups, comma-separated, such as `day,model`.")
    ] = "",
    start: Annotated[
        str, Query(alias="from", max_length=40, description="ISO 8601, UTC; 30 days before the end.")
    ] = "",
    end: Annotated[str, Query(alias="to", max_length=40, description="ISO 8601, UTC; by default now.")] = "",
    where: Annotated[
        str, Query(max_length=2000, description="Conditions, such as `model:gpt-5,mode:chat`.")
    ] = "",
    of: Annotated[
        Scale, Query(description="Whose usage: one's own, the workspace's, or everybody's.")
    ] = "me",
) -> UsageTable | Response:
    """Read figures of usage, as JSON or as CSV (`Accept: text/csv`). A range of more than two days has whole days."""
    service = app[UsageService]
    table = await service.read(
        caller, UsageRequest(measure=measure, by=by, start=start, end=end, where=where, of=of)
    )
    if CSV not in request.headers.get("accept", ""):
        return table
    name = f'attachment; filename="parley-{table.measure}.csv"'
    return Response(service.csv(table), media_type=CSV, headers={"content-disposition": name})
