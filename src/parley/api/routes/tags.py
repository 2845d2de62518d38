"""The route of a person's tags; sessions are tagged by their own routes."""

from fastapi import APIRouter, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep

router = APIRouter(prefix="/api/tags", tags=["sessions"])


@router.get("", responses=documented("TagList"))
async def list_tags(app: App, caller: CallerDep) -> Response:
    """List the caller's tags, each with its number of sessions."""
    return as_json(await app.sessions.tags(caller))
