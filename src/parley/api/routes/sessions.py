"""Routes of sessions."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parley.api.answers import FeedResponse, answer_turn, as_json, documented
from parley.api.deps import App, CallerDep, Key
from parley.api.session_files import UPLOAD, ImportQuery, as_file, export_response, import_response
from parley.api.shapes import SessionPage
from parley.workspace.arena.schemas import StartBattle, StartMatch, StartSession
from parley.workspace.session_files.schemas import ExportSessions
from parley.workspace.sessions.schemas import TAG_CHARS, ChangeSession, ChangeSessions, SessionFilter

router = APIRouter(prefix="/api/sessions", tags=["sessions"])


@router.get("", responses=documented("SessionPage"))
async def list_sessions(
    app: App,
    caller: CallerDep,
    *,
    search: Annotated[str, Query(max_length=200)] = "",
    archived: bool | None = None,
    mode: Annotated[str | None, Query(max_length=64)] = None,
    pinned: bool | None = None,
    tag: Annotated[str | None, Query(max_length=TAG_CHARS)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: str | None = None,
) -> Response:
    """List sessions, latest activity first, optionally filtered by mode, tag, pin or search.

    Without `archived`, archived sessions are listed only if a search or a tag matches them.
    """
    cards, following = await app.sessions.page(
        caller,
        SessionFilter(search=search, archived=archived, mode=mode, pinned=pinned, tag=tag),
        limit=limit,
        cursor=cursor,
    )
    return as_json(SessionPage(list(cards), following))


@router.post("", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_session(
    request: Request, asked: StartSession, app: App, caller: CallerDep, key: Key
) -> Response:
    """Start a session with its first match (a battle by default) and its first turn."""
    return await answer_turn(request, app, caller, await app.arena.start_session(caller, asked, key))


@router.post("/changes", responses=documented("ChangedSessions"))
async def change_sessions(asked: ChangeSessions, app: App, caller: CallerDep) -> Response:
    """Archive, unarchive, delete, restore or tag many sessions, all or none."""
    return as_json(await app.sessions.change_many(caller, asked))


@router.post("/export", responses=as_file())
async def export_sessions(asked: ExportSessions, app: App, caller: CallerDep) -> Response:
    """Export sessions as one file: Markdown, JSON with messages in the format of OpenAI's API, or a web page."""
    return await export_response(app, caller, asked)


@router.post("/import", responses=documented("ImportedSessions"), openapi_extra=UPLOAD)
async def import_sessions(
    request: Request, asked: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> Response:
    """Import conversations as chats: Parley's JSON, or an export of ChatGPT (its ZIP also works) or Open WebUI.

    The body is the file. Conversations that were imported before are skipped.
    """
    return await import_response(request, app, caller, asked)


@router.get("/{session_id}", responses=documented("SessionView"))
async def read_session(session_id: str, app: App, caller: CallerDep) -> Response:
    """Read a session with its matches and turns."""
    return as_json(await app.sessions.read(caller, session_id))


@router.patch("/{session_id}", responses=documented("SessionCard"))
async def change_session(session_id: str, asked: ChangeSession, app: App, caller: CallerDep) -> Response:
    """Rename, pin, unpin, archive, unarchive or tag a session. `tags` replaces all its tags."""
    return as_json(await app.sessions.change(caller, session_id, asked))


@router.delete("/{session_id}", status_code=204)
async def delete_session(session_id: str, app: App, caller: CallerDep) -> Response:
    """Delete a session. It can be restored for an hour."""
    await app.sessions.delete(caller, session_id)
    return Response(status_code=204)


@router.post("/{session_id}/restore", responses=documented("SessionCard"))
async def restore_session(session_id: str, app: App, caller: CallerDep) -> Response:
    """Restore a deleted session."""
    return as_json(await app.sessions.restore(caller, session_id))


@router.get("/{session_id}/events", responses=documented("", stream="SessionEvent"))
async def follow_session(session_id: str, app: App, caller: CallerDep) -> Response:
    """Stream what happens in a session outside its turns: votes, new turns, a new title."""
    return FeedResponse(await app.arena.follow_session(caller, session_id))


@router.post("/{session_id}/matches", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_match(
    request: Request, session_id: str, asked: StartMatch, app: App, caller: CallerDep, key: Key
) -> Response:
    """Start a new match in a session."""
    return await answer_turn(
        request, app, caller, await app.arena.start_match(caller, session_id, asked, key)
    )


@router.post("/{session_id}/battles", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_battle(
    request: Request, session_id: str, asked: StartBattle, app: App, caller: CallerDep, key: Key
) -> Response:
    """Start a new battle in a session, with a new pair of models."""
    match = StartMatch(prompt=asked.prompt, attachments=asked.attachments, mode="battle")
    return await answer_turn(
        request, app, caller, await app.arena.start_match(caller, session_id, match, key)
    )
