"""The route of a person's tags; sessions are tagged by their own routes."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.kernel.caller import Scope
from parley.workspace.sessions.schemas import TagList

routes = Routes("/api/tags", tag="sessions", needs=Scope.TALK)


@routes.get()
async def list_tags(app: App, caller: CallerDep) -> TagList:
    """List the caller's tags, each with its number of sessions."""
    return await app.sessions.tags(caller)
