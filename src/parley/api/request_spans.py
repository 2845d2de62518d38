"""Requests as spans of a trace: a hook around the answer to each request, if anything traces."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.logs import REQUEST_ID
from parley.api.paths import path_template

TRACED = ("/api/", "/v1/")
"""The beginnings of paths whose requests are traced: not those of the page's files."""


class RequestSpan(Protocol):
    """The span of a request that is being answered."""

    def answer(self, status: int, route: str, request_id: str | None) -> None:
        """Note the answer: its status, and the path of its route without ids."""
        ...


class RequestSpans:
    """Holds the hook. `begin` gets a method and headers by their names in lower case; None: nothing is traced."""

    def __init__(
        self, begin: Callable[[str, Mapping[str, str]], AbstractContextManager[RequestSpan]] | None = None
    ) -> None:
        self.begin = begin

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return an app that traces the requests to another one; that one itself if nothing is traced."""
        return app if self.begin is None else _Traced(app, self.begin)


class _Traced:
    """ASGI middleware that enters the span of each request until its answer has been sent."""

    def __init__(
        self, app: ASGIApp, begin: Callable[[str, Mapping[str, str]], AbstractContextManager[RequestSpan]]
    ) -> None:
        self._app = app
        self._begin = begin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http" or not scope["path"].startswith(TRACED):
            await self._app(scope, receive, send)
            return
        with self._begin(scope["method"], Headers(scope=scope)) as span:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.answer(message["status"], _route_of(scope), REQUEST_ID.get())
                await send(message)

            await self._app(scope, receive, send_noted)


def _route_of(scope: Scope) -> str:
    """Return the path of the route that answers; of the fast path, which leaves none, the path without ids."""
    route = scope.get("route")
    return route.path if isinstance(route, Route) else path_template(scope["path"])
