"""The lane: a short way to the handlers that begin a turn or take a vote, past FastAPI's routing and dependencies.

It takes a request only where all is as it should be. Whatever else comes (a body that breaks a rule, somebody who may
not) goes FastAPI's way as if nobody had looked at it, so there is one place that refuses, and one handler per route.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.callers import caller_of
from parley.api.deps import make_key
from parley.api.errors import answer_error, answer_unexpected
from parley.api.guard import told_again
from parley.api.permissions import allows
from parley.api.routes import matches, sessions
from parley.kernel.errors import ParleyError
from parley.wiring import House
from parley.workspace.arena.schemas import SendMessage, StartMatch, StartSession, StartTurn
from parley.workspace.voting.schemas import CastVote

Handler: TypeAlias = Callable[..., Awaitable[Response]]

ROUTES: Mapping[str, tuple[Handler, type[BaseModel]]] = {
    "/api/sessions": (sessions.start_session, StartSession),
    "/api/sessions/{session_id}/matches": (sessions.start_match, StartMatch),
    "/api/matches/{match_id}/turns": (matches.start_turn, StartTurn),
    "/api/matches/{match_id}/vote": (matches.vote, CastVote),
    "/api/battles/{battle_id}/messages": (matches.send_message, SendMessage),
    "/api/battles/{battle_id}/vote": (matches.vote_on_battle, CastVote),
}
"""POST routes on the lane, with their handlers and bodies, as FastAPI has them too."""


class _Stop(NamedTuple):
    """A route on the lane, and whether its handler wants the request itself."""

    path: str
    pattern: re.Pattern[str]
    handler: Handler
    body: type[BaseModel]
    wants_request: bool


_STOPS = tuple(
    _Stop(path, compile_path(path)[0], handler, body, "request" in inspect.signature(handler).parameters)
    for path, (handler, body) in ROUTES.items()
)


class Lane:
    """Pure ASGI, behind the guard."""

    def __init__(self, app: ASGIApp, *, house: House) -> None:
        self._app = app
        self._house = house

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry a request out, or pass it on."""
        found = _stop_for(scope)
        if found is None:
            await self._app(scope, receive, send)
            return
        stop, names = found
        request = Request(scope, receive)
        caller = caller_of(request, self._house)
        if not allows(caller, "POST", stop.path):
            await self._app(scope, receive, send)
            return
        parts, body = await _read(receive)
        asked = _validated(stop.body, body)
        if asked is None:
            await self._app(scope, told_again(parts, receive), send)
            return
        given = {"request": request} if stop.wants_request else {}
        try:
            key = make_key(request, body)
            response = await stop.handler(
                asked=asked, house=self._house, caller=caller, key=key, **given, **names
            )
        except ParleyError as error:
            response = answer_error(error)
        except Exception:
            await answer_unexpected()(scope, receive, send)
            raise  # for the server's log
        await response(scope, receive, send)


def _stop_for(scope: Scope) -> tuple[_Stop, dict[str, str]] | None:
    """Return the route that serves a request, with what its path names."""
    if scope["type"] != "http" or scope["method"] != "POST":
        return None
    for stop in _STOPS:
        if match := stop.pattern.match(scope["path"]):
            return stop, match.groupdict()
    return None


async def _read(receive: Receive) -> tuple[list[Message], bytes]:
    """Read a body; return its parts as they came, and what they hold, nothing where the client has left."""
    parts: list[Message] = []
    while True:
        part = await receive()
        parts.append(part)
        if part["type"] != "http.request":
            return parts, b""
        if not part.get("more_body", False):
            return parts, b"".join(part.get("body", b"") for part in parts)


def _validated(kind: type[BaseModel], body: bytes) -> BaseModel | None:
    """Return a body as FastAPI would; None where it would refuse it."""
    try:
        return kind.model_validate(msgspec.json.decode(body))
    except (ValueError, RecursionError):
        return None
