"""Routes of a person's data as a whole."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from starlette.responses import StreamingResponse

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep

router = APIRouter(prefix="/api/data", tags=["data"])

_LINES = "application/x-ndjson"


@router.get("", responses=documented("DataSummary"))
async def read_data(app: App, caller: CallerDep) -> Response:
    """Read where the data is stored and how large it is."""
    return as_json(await app.data.summary(caller, app.folders))


@router.get("/export", responses={200: {"description": "OK", "content": {_LINES: {}}}})
async def export_data(app: App, caller: CallerDep) -> Response:
    """Export all sessions and presets as JSON Lines. Votes have their own export."""
    headers = {
        "Content-Disposition": 'attachment; filename="parley-sessions.jsonl"',
        "Cache-Control": "no-store",
    }
    return StreamingResponse(app.data.export(caller), headers=headers, media_type=_LINES)


@router.delete("", responses=documented("Erased"))
async def erase_data(
    app: App,
    caller: CallerDep,
    confirm: Annotated[Literal["delete"], Query()],  # noqa: ARG001 - only asked for
) -> Response:
    """Delete all sessions and presets permanently. Requires `confirm=delete`. Votes are kept without their texts."""
    return as_json(await app.data.erase(caller))
