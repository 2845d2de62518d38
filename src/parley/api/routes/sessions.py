"""Routes of sessions."""

from typing import Annotated

from fastapi import Query, Request, Response

from parley.api.answers import (
    CONTINUES,
    SESSION_EVENTS,
    STARTS,
    TURN_EVENTS,
    FeedResponse,
    TurnOutcome,
    answer_turn,
)
from parley.api.contract import Routes
from parley.api.deps import App, CallerDep, Key
from parley.api.session_files import DOWNLOADS, UPLOADS, ImportQuery, export_response, import_response
from parley.api.shapes import SessionPage
from parley.kernel.caller import Scope
from parley.kernel.views import SessionCard, SessionView
from parley.workspace.arena.schemas import StartBattle, StartMatch, StartSession
from parley.workspace.session_files.schemas import ExportSessions, ImportedSessions
from parley.workspace.sessions.schemas import (
    TAG_CHARS,
    ChangedSessions,
    ChangeSession,
    ChangeSessions,
    SessionFilter,
)

routes = Routes("/api/sessions", tag="sessions", needs=Scope.TALK)


@routes.get()
async def list_sessions(
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
    cards, following = await app.sessions.page(
        caller,
        SessionFilter(search=search, archived=archived, mode=mode, pinned=pinned, tag=tag),
        limit=limit,
        cursor=cursor,
    )
    return SessionPage(list(cards), following)


@routes.post(stream=TURN_EVENTS, hot=True, errors=STARTS)
async def start_session(
    request: Request, asked: StartSession, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a session with its first match (a battle by default) and its first turn."""
    return await answer_turn(request, app, caller, await app.arena.start_session(caller, asked, key))


@routes.post("/changes")
async def change_sessions(asked: ChangeSessions, app: App, caller: CallerDep) -> ChangedSessions:
    """Archive, unarchive, delete, restore or tag many sessions, all or none."""
    return await app.sessions.change_many(caller, asked)


@routes.post("/export", downloads=DOWNLOADS)
async def export_sessions(asked: ExportSessions, app: App, caller: CallerDep) -> Response:
    """Export sessions as one file: Markdown, JSON with messages in the format of OpenAI's API, or a web page."""
    return await export_response(app, caller, asked)


@routes.post("/import", uploads=UPLOADS, takes_minutes=True, errors=("import_running", "import_interrupted"))
async def import_sessions(
    request: Request, asked: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> ImportedSessions:
    """Import conversations as chats: Parley's JSON, or an export of ChatGPT (its ZIP also works) or Open WebUI.

    The body is the file. Conversations that were imported before are skipped.
    """
    return await import_response(request, app, caller, asked)


@routes.get("/{session_id}")
async def read_session(session_id: str, app: App, caller: CallerDep) -> SessionView:
    """Read a session with its matches and turns."""
    return await app.sessions.read(caller, session_id)


@routes.patch("/{session_id}")
async def change_session(session_id: str, asked: ChangeSession, app: App, caller: CallerDep) -> SessionCard:
    """Rename, pin, unpin, archive, unarchive or tag a session. `tags` replaces all its tags."""
    return await app.sessions.change(caller, session_id, asked)


@routes.delete("/{session_id}")
async def delete_session(session_id: str, app: App, caller: CallerDep) -> None:
    """Delete a session. It can be restored for an hour."""
    await app.sessions.delete(caller, session_id)


@routes.post("/{session_id}/restore")
async def restore_session(session_id: str, app: App, caller: CallerDep) -> SessionCard:
    """Restore a deleted session."""
    return await app.sessions.restore(caller, session_id)


@routes.get("/{session_id}/events", stream=SESSION_EVENTS)
async def follow_session(session_id: str, app: App, caller: CallerDep) -> FeedResponse:
    """Stream what happens in a session outside its turns: votes, new turns, a new title."""
    return FeedResponse(await app.arena.follow_session(caller, session_id))


@routes.post("/{session_id}/matches", stream=TURN_EVENTS, hot=True, errors=(*STARTS, *CONTINUES))
async def start_match(
    request: Request, session_id: str, asked: StartMatch, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a new match in a session."""
    return await answer_turn(
        request, app, caller, await app.arena.start_match(caller, session_id, asked, key)
    )


@routes.post("/{session_id}/battles", stream=TURN_EVENTS, errors=(*STARTS, *CONTINUES))
async def start_battle(
    request: Request, session_id: str, asked: StartBattle, app: App, caller: CallerDep, key: Key
) -> TurnOutcome | FeedResponse:
    """Start a new battle in a session, with a new pair of models."""
    match = StartMatch(prompt=asked.prompt, attachments=asked.attachments, mode="battle")
    return await answer_turn(
        request, app, caller, await app.arena.start_match(caller, session_id, match, key)
    )
