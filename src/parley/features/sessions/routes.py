"""Routes of sessions."""

from typing import Annotated

from fastapi import Query, Request

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.disconnects import unless_gone
from parley.features.sessions.schemas import (
    TAG_CHARS,
    ChangedSessions,
    ChangeSession,
    ChangeSessions,
    SealView,
    SessionFilter,
    SessionPage,
    TagList,
)
from parley.features.sessions.service import SessionsService
from parley.kernel.caller import Scope
from parley.kernel.views import SessionCard, SessionView

routes = Routes("/api/sessions", tag="sessions", needs=Scope.TALK)
tag_routes = Routes("/api/tags", tag="sessions", needs=Scope.TALK)


@routes.get()
async def list_sessions(
    request: Request,
    app: App,
    caller: CallerDep,
    *,
    search: Annotated[str, Query(max_length=200, description="Only items that contain these words.")] = "",
    archived: Annotated[
        bool | None, Query(description="Only archived sessions (`true`), or only others (`false`).")
    ] = None,
    mode: Annotated[str | None, Query(max_length=64, description="Only items of this mode.")] = None,
    pinned: Annotated[
        bool | None, Query(description="Only pinned sessions (`true`), or only others (`false`).")
    ] = None,
    tag: Annotated[
        str | None, Query(max_length=TAG_CHARS, description="Only sessions with this tag.")
    ] = None,
    limit: Annotated[
        int, Query(ge=1, le=200, description="The maximum number of items in the response.")
    ] = 50,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> SessionPage:
    """List sessions, latest activity first, optionally filtered by mode, tag, pin or search.

    Without `archived`, archived sessions are listed only if a search or a tag matches them.
    """
    wanted = SessionFilter(search=search, archived=archived, mode=mode, pinned=pinned, tag=tag)
    reading = app[SessionsService].page(caller, wanted, limit=limit, cursor=cursor)
    # A person who types leaves a search behind with each letter.
    return await (unless_gone(request, reading) if search else reading)


@routes.post("/changes", example={"ids": ["0123456789abcdef0123456789abcdef"], "archived": True})
async def change_sessions(body: ChangeSessions, app: App, caller: CallerDep) -> ChangedSessions:
    """Archive, unarchive, delete, restore or tag many sessions, all or none."""
    return await app[SessionsService].change_many(caller, body)


@routes.get("/{session_id}")
async def read_session(session_id: str, app: App, caller: CallerDep) -> SessionView:
    """Read a session with its matches and turns."""
    return await app[SessionsService].read(caller, session_id)


@routes.get("/{session_id}/seal")
async def read_seal(session_id: str, app: App, caller: CallerDep) -> SealView:
    """Read how the key of a sealed session is wrapped, to open it with its passkey or passphrase."""
    return await app[SessionsService].seal(caller, session_id)


@routes.patch("/{session_id}", example={"title": "The sky"})
async def change_session(session_id: str, body: ChangeSession, app: App, caller: CallerDep) -> SessionCard:
    """Rename, pin, unpin, archive, unarchive or tag a session. `tags` replaces all its tags."""
    return await app[SessionsService].change(caller, session_id, body)


@routes.delete("/{session_id}")
async def delete_session(session_id: str, app: App, caller: CallerDep) -> None:
    """Delete a session. It can be restored for an hour."""
    await app[SessionsService].delete(caller, session_id)


@routes.post("/{session_id}/restore")
async def restore_session(session_id: str, app: App, caller: CallerDep) -> SessionCard:
    """Restore a deleted session."""
    return await app[SessionsService].restore(caller, session_id)


@tag_routes.get()
async def list_tags(app: App, caller: CallerDep) -> TagList:
    """List the caller's tags, each with its number of sessions."""
    return await app[SessionsService].tags(caller)
