"""Routes of tools."""

from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from starlette.responses import RedirectResponse

from parley.api.contract import ANYONE, Routes, as_response
from parley.api.deps import App, CallerDep
from parley.features.tools.schemas import ChooseTool, PermitTool, SignInAddress, SignInAtServer, ToolList
from parley.features.tools.service import SessionToolbox
from parley.features.tools.sign_in.service import JOURNEY_S, ToolSignIns
from parley.kernel.caller import Scope
from parley.kernel.errors import ParleyError
from parley.settings import Settings
from parley.wire.tool_tokens import Arrival

JOURNEY_COOKIE = "parley_tool_journey"

routes = Routes("/api/tools", tag="tools", needs=Scope.TALK, personal=True)
server_routes = Routes("/api/tools/servers", tag="tools", needs=Scope.TALK, personal=True, audited=True)
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


@server_routes.post(
    "/{name}/sign-in",
    errors=("tool_sign_in_refused", "tool_server_unreachable", "key_lost"),
    example={"back": "/settings"},
)
async def begin_sign_in(
    name: str, body: SignInAtServer, request: Request, app: App, caller: CallerDep
) -> SignInAddress | Response:
    """Begin to sign in at a server of tools; the browser then goes to the address of the answer."""
    url = app[Settings].public_url or f"http://{request.headers.get('host', '')}"
    address, journey = await app[ToolSignIns].begin(caller.author_id, name, url, body.back)
    response = as_response(SignInAddress(address))
    response.set_cookie(
        JOURNEY_COOKIE,
        journey,
        max_age=JOURNEY_S,
        path=f"/api/tools/servers/{name}/back",
        httponly=True,
        samesite="lax",
        secure=url.startswith("https:"),
    )
    return response


@server_routes.get("/{name}/back", needs=ANYONE, from_elsewhere=True)
async def come_back(
    name: str,
    request: Request,
    app: App,
    caller: CallerDep,
    code: str = "",
    state: str = "",
    iss: str = "",
    error: str = "",
) -> Response:
    """Come back from an authorization server; leads to the page."""
    journey = request.cookies.get(JOURNEY_COOKIE, "")
    arrival = Arrival(code, state, iss, error)
    try:
        back = await app[ToolSignIns].finish(caller.author_id, name, arrival, journey)
    except ParleyError as failed:
        words = quote(f"{failed.title} {failed.detail or ''}".strip(), safe="")
        back = f"/settings?sign-in-failed={words}#tools"
    response = RedirectResponse(back, 303)
    response.delete_cookie(JOURNEY_COOKIE, path=urlsplit(str(request.url)).path)
    return response


@server_routes.delete("/{name}/sign-in")
async def sign_out(name: str, app: App, caller: CallerDep) -> None:
    """Sign out at a server of tools: the tokens are deleted here, and revoked there if it offers that."""
    await app[ToolSignIns].end(caller.author_id, name)
