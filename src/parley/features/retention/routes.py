"""Routes of retention."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App
from parley.features.retention.schemas import RetentionList, RetentionPreview, RetentionView, SetRetention
from parley.features.retention.service import Retention
from parley.kernel.caller import Scope

routes = Routes("/api/retention", tag="retention", needs=Scope.MANAGE)


@routes.get()
async def list_retention(app: App) -> RetentionList:
    """List how long things are stored, by kind."""
    return await app[Retention].list()


@routes.get("/{kind}/preview")
async def preview_retention(
    kind: str, app: App, *, days: Annotated[int, Query(ge=1, le=3650, description="The rule to try.")]
) -> RetentionPreview:
    """Count what a rule would delete now. Nothing is changed."""
    return await app[Retention].preview(kind, days)


@routes.put("/{kind}", example={"days": 365})
async def set_retention(kind: str, body: SetRetention, app: App) -> RetentionView:
    """Set how long things of a kind are stored for everybody. What is due already is deleted within the hour."""
    return await app[Retention].set(kind, body)
