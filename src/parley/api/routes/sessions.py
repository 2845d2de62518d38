"""Routes of sessions."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from parley.api.answers import FeedResponse, answer_turn, as_json, documented
from parley.api.deps import CallerDep, HouseDep, Key
from parley.api.shapes import SessionPage
from parley.workspace.arena.schemas import StartBattle, StartMatch, StartSession
from parley.workspace.sessions.schemas import ChangeSession

router = APIRouter(prefix="/api/sessions", tags=["sessions"])


@router.get("", responses=documented("SessionPage"))
async def list_sessions(
    house: HouseDep,
    caller: CallerDep,
    *,
    search: Annotated[str, Query(max_length=200)] = "",
    archived: bool = False,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: str | None = None,
) -> Response:
    """List sessions, latest activity first."""
    cards, following = await house.sessions.page(
        caller, search=search, archived=archived, limit=limit, cursor=cursor
    )
    return as_json(SessionPage(list(cards), following))


@router.post("", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_session(
    request: Request, asked: StartSession, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Begin a session: its first match (a battle unless said otherwise) and its first turn."""
    return await answer_turn(request, house, caller, await house.arena.start_session(caller, asked, key))


@router.get("/{session_id}", responses=documented("SessionView"))
async def read_session(session_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Read a session whole."""
    return as_json(await house.sessions.read(caller, session_id))


@router.patch("/{session_id}", responses=documented("SessionCard"))
async def change_session(
    session_id: str, asked: ChangeSession, house: HouseDep, caller: CallerDep
) -> Response:
    """Rename a session, or move it in or out of the archive."""
    return as_json(await house.sessions.change(caller, session_id, asked))


@router.delete("/{session_id}", status_code=204)
async def delete_session(session_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Delete a session; for an hour it can be brought back."""
    await house.sessions.delete(caller, session_id)
    return Response(status_code=204)


@router.post("/{session_id}/restore", responses=documented("SessionCard"))
async def restore_session(session_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Bring a deleted session back."""
    return as_json(await house.sessions.restore(caller, session_id))


@router.get("/{session_id}/events", responses=documented("", stream="SessionEvent"))
async def follow_session(session_id: str, house: HouseDep, caller: CallerDep) -> Response:
    """Follow what happens in a session outside its turns: a vote in another tab, a new turn, a title."""
    return FeedResponse(await house.arena.follow_session(caller, session_id))


@router.post("/{session_id}/matches", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_match(
    request: Request, session_id: str, asked: StartMatch, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Begin a new match in a session."""
    return await answer_turn(
        request, house, caller, await house.arena.start_match(caller, session_id, asked, key)
    )


@router.post("/{session_id}/battles", responses=documented("TurnOutcome", stream="TurnEvent"))
async def start_battle(
    request: Request, session_id: str, asked: StartBattle, house: HouseDep, caller: CallerDep, key: Key
) -> Response:
    """Begin a new battle in a session: a new pair is drawn."""
    match = StartMatch(prompt=asked.prompt, mode="battle")
    return await answer_turn(
        request, house, caller, await house.arena.start_match(caller, session_id, match, key)
    )
