"""Routes of tools."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.tools.schemas import ChooseTool, PermitTool, ToolList
from parley.features.tools.service import SessionToolbox
from parley.kernel.caller import Scope

routes = Routes("/api/tools", tag="tools", needs=Scope.TALK, personal=True)
session_routes = Routes("/api/sessions/{session_id}/tools", tag="tools", needs=Scope.TALK)


@routes.get()
async def list_tools(app: App, caller: CallerDep) -> ToolList:
    """List the tools that models may call."""
    return await app[SessionToolbox].everything(caller)


@routes.put("/{name}", example={"enabled": True, "asks": True})
async def choose_tool(name: str, body: ChooseTool, app: App, caller: CallerDep) -> None:
    """Switch a tool on or off, or say that it asks first."""
    await app[SessionToolbox].choose(caller, name, body)


@session_routes.get()
async def list_session_tools(session_id: str, app: App, caller: CallerDep) -> ToolList:
    """List the tools of a session, with your answers to those that ask first."""
    return await app[SessionToolbox].of_session(caller, session_id)


@session_routes.put("/{name}", example={"allowed": True})
async def permit_tool(session_id: str, name: str, body: PermitTool, app: App, caller: CallerDep) -> None:
    """Allow a tool in a session, or refuse it. A call that waits for the answer goes on."""
    await app[SessionToolbox].permit(caller, session_id, name, allowed=body.allowed)
