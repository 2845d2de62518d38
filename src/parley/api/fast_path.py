"""The fast path: starts turns and takes votes without FastAPI's routing and dependencies.

It handles only requests that FastAPI would accept. Everything else (an invalid body, a caller without permission) is
passed on to FastAPI untouched, so there is one place that refuses, and one handler per route.
"""

import inspect
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec
from pydantic import BaseModel
from starlette.requests import Request
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.contract import Contract, as_response
from parley.api.deps import caller_of, make_key
from parley.api.errors import answer_error, answer_unexpected
from parley.api.guard import replay
from parley.kernel.errors import ParleyError
from parley.kernel.parts import Parts
from parley.kernel.rates import RequestRates


class _Route(NamedTuple):
    contract: Contract
    pattern: re.Pattern[str]
    body: type[BaseModel]
    takes_request: bool


class FastPath:
    """ASGI middleware between the guard and FastAPI."""

    def __init__(self, fastapi: ASGIApp, *, app: Parts, contracts: Iterable[Contract]) -> None:
        self._fastapi = fastapi
        self._app = app
        self._routes = tuple(_route_of(contract) for contract in contracts if contract.hot)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or pass it on to FastAPI."""
        match = self._find_route(scope)
        if match is None:
            await self._fastapi(scope, receive, send)
            return
        route, parameters = match
        request = Request(scope, receive)
        try:
            caller = await caller_of(request, self._app)
        except ParleyError as error:
            await answer_error(error)(scope, receive, send)
            return
        if not route.contract.allows(caller):
            await self._fastapi(scope, receive, send)
            return
        parts, body = await _read(receive)
        try:
            payload = route.body.model_validate(msgspec.json.decode(body))
        except (ValueError, RecursionError):
            await self._fastapi(scope, replay(parts, receive), send)
            return
        if route.takes_request:
            parameters["request"] = request
        try:
            if route.contract.asks:
                await self._app[RequestRates].count(caller)
            key = make_key(request, body)
            answer = await route.contract.handler(
                body=payload, app=self._app, caller=caller, key=key, **parameters
            )
            response = as_response(answer)
        except ParleyError as error:
            response = answer_error(error)
        except Exception:
            await answer_unexpected()(scope, receive, send)
            raise  # for the server's log
        await response(scope, receive, send)

    def _find_route(self, scope: Scope) -> tuple[_Route, dict[str, Any]] | None:
        """Return the route of a request, with the parameters of its path."""
        if scope["type"] == "http" and scope["method"] == "POST":
            for route in self._routes:
                if match := route.pattern.match(scope["path"]):
                    return route, match.groupdict()
        return None


def _route_of(contract: Contract) -> _Route:
    body = contract.body
    if body is None:
        raise TypeError(f"{contract.path} has no JSON body, so it can't be on the fast path")
    takes_request = "request" in inspect.signature(contract.handler).parameters
    return _Route(contract, compile_path(contract.path)[0], body, takes_request)


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
