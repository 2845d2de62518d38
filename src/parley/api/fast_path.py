"""The fast path: starts turns and takes votes without FastAPI's routing and dependencies.

It handles only requests that FastAPI would accept. Everything else (an invalid body, a caller without permission) is
passed on to FastAPI untouched, so there is one place that refuses, and one handler per route.
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.deps import caller_of, make_key
from parley.api.errors import answer_error, answer_unexpected
from parley.api.guard import replay
from parley.api.permissions import allows
from parley.api.routes import matches, sessions
from parley.kernel.errors import ParleyError
from parley.wiring import Application
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
"""The POST routes of the fast path, with the same handlers and bodies as in FastAPI."""


class _Route(NamedTuple):
    path: str
    pattern: re.Pattern[str]
    handler: Handler
    body: type[BaseModel]
    takes_request: bool


_ROUTES = tuple(
    _Route(path, compile_path(path)[0], handler, body, "request" in inspect.signature(handler).parameters)
    for path, (handler, body) in ROUTES.items()
)


class FastPath:
    """ASGI middleware between the guard and FastAPI."""

    def __init__(self, fastapi: ASGIApp, *, app: Application) -> None:
        self._fastapi = fastapi
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass it on to FastAPI."""
        found = _find_route(scope)
        if found is None:
            await self._fastapi(scope, receive, send)
            return
        route, given = found
        request = Request(scope, receive)
        caller = caller_of(request, self._app)
        if not allows(caller, "POST", route.path):
            await self._fastapi(scope, receive, send)
            return
        parts, body = await _read(receive)
        try:
            asked = route.body.model_validate(msgspec.json.decode(body))
        except (ValueError, RecursionError):
            await self._fastapi(scope, replay(parts, receive), send)
            return
        if route.takes_request:
            given["request"] = request
        try:
            key = make_key(request, body)
            response = await route.handler(asked=asked, app=self._app, caller=caller, key=key, **given)
        except ParleyError as error:
            response = answer_error(error)
        except Exception:
            await answer_unexpected()(scope, receive, send)
            raise  # for the server's log
        await response(scope, receive, send)


def _find_route(scope: Scope) -> tuple[_Route, dict[str, Any]] | None:
    """Return the route of a request, with the parameters of its path."""
    if scope["type"] == "http" and scope["method"] == "POST":
        for route in _ROUTES:
            if match := route.pattern.match(scope["path"]):
                return route, match.groupdict()
    return None


async def _read(receive: Receive) -> tuple[list[Message], bytes]:
    """Read a body; return its messages and its bytes, which are empty if the client has left."""
    parts: list[Message] = []
    while True:
        part = await receive()
        parts.append(part)
        if part["type"] != "http.request":
            return parts, b""
        if not part.get("more_body", False):
            return parts, b"".join(part.get("body", b"") for part in parts)
