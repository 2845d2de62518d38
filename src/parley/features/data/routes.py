"""Routes of a person's data as a whole."""

from typing import Annotated, Literal

from fastapi import Query, Response
from starlette.responses import StreamingResponse

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.data.schemas import DataSummary, Erased
from parley.features.data.service import DataService
from parley.kernel.caller import Scope
from parley.settings import Settings
from parley.storage.database import Database
from parley.storage.disk_space import data_folders

routes = Routes("/api/data", tag="data", needs=Scope.TALK)

_LINES = "application/x-ndjson"


@routes.get()
async def read_data(app: App, caller: CallerDep) -> DataSummary:
    """Read where the data is stored and how large it is."""
    return await app[DataService].summary(caller, data_folders(app[Settings].data_dir, app[Database]))


@routes.get("/export", downloads=(_LINES,), audited=True)
async def export_data(app: App, caller: CallerDep) -> Response:
    """Export all sessions and presets as JSON Lines. Votes have their own export."""
    headers = {
        "Content-Disposition": 'attachment; filename="parley-sessions.jsonl"',
        "Cache-Control": "no-store",
    }
    return StreamingResponse(app[DataService].export(caller), headers=headers, media_type=_LINES)


@routes.delete(audited=True)
async def erase_data(
    app: App,
    caller: CallerDep,
    confirm: Annotated[Literal["delete"], Query(description="Must be `delete`.")],  # noqa: ARG001 - only asked for
) -> Erased:
    """Delete all sessions and presets permanently. Requires `confirm=delete`. Votes are kept without their texts."""
    return await app[DataService].erase(caller)
