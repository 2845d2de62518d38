"""Routes of shared sessions."""

from fastapi import Response
from starlette.responses import HTMLResponse

from parley.api.contract import ANYONE, Routes
from parley.api.deps import App, CallerDep
from parley.features.sharing.schemas import (
    CopiedSession,
    CopyShared,
    ShareList,
    ShareSession,
    ShareView,
)
from parley.features.sharing.service import Sharing
from parley.kernel.caller import Scope
from parley.kernel.errors import Conflict, NotFound
from parley.settings import Settings

routes = Routes("/api/sessions/{session_id}/shares", tag="sharing", needs=Scope.TALK, audited=True)
copies = Routes("/api/shared", tag="sharing", needs=Scope.TALK, audited=True)
pages = Routes("/share", tag="sharing", needs=ANYONE)

_HEADERS = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}


@routes.get()
async def list_shares(session_id: str, app: App, caller: CallerDep) -> ShareList:
    """List the links to a session."""
    return ShareList(list(await app[Sharing].list(caller, session_id)))


@routes.post(errors=("personal_mode",), example={"live": True, "days": 7})
async def share_session(session_id: str, body: ShareSession, app: App, caller: CallerDep) -> ShareView:
    """Make a link with which anybody can read a session. Its address is in this answer only."""
    await app[Sharing].check(caller, session_id)
    if not app[Settings].is_shared:
        raise Conflict(
            "Nobody else reaches a personal installation.",
            "Nothing was shared. Export the session as a web page, or run parley share to let people in.",
            code="personal_mode",
        )
    return await app[Sharing].share(caller, session_id, body)


@routes.delete("/{link_id}")
async def revoke_share(session_id: str, link_id: str, app: App, caller: CallerDep) -> None:
    """Revoke a link to a session."""
    await app[Sharing].revoke(caller, session_id, link_id)


@copies.post(
    "/copy",
    errors=("link_ended",),
    example={"token": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"},
)
async def copy_shared(body: CopyShared, app: App, caller: CallerDep) -> CopiedSession:
    """Copy a shared session into one's own, as a chat of what its page shows. A second copy is the first one."""
    return await app[Sharing].copy(caller, body.token)


@pages.get("/{token}", downloads=("text/html",))
async def read_shared(token: str, app: App) -> Response:
    """Read a shared session as a page, without scripts."""
    try:
        return HTMLResponse(await app[Sharing].page(token), headers=_HEADERS)
    except NotFound as error:
        return HTMLResponse(app[Sharing].problem_page(error), 404, headers=_HEADERS)
