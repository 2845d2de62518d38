"""The ASGI app: the guard, the fast path, FastAPI's routes and the page."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Protocol, TypeVar, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route, compile_path
from starlette.types import ASGIApp

from parley import __version__
from parley.api import errors
from parley.api.contract import Routes, add_routes
from parley.api.fast_path import FastPath
from parley.api.guard import Guard
from parley.api.openai_errors import OpenAIErrors
from parley.api.page import serve_page
from parley.api.permissions import authorise
from parley.api.request_ids import RequestIds
from parley.api.request_spans import RequestSpans
from parley.kernel.errors import NotFound
from parley.kernel.parts import Parts
from parley.settings import Settings

T = TypeVar("T")

_CLOSED = (Depends(authorise),)
"""The dependencies of every route, also of one that somebody adds without a contract, which is refused."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class Served(Protocol):
    """The content of a server: the parts of a running Parley, and the routes of its features."""

    @property
    def routes(self) -> Sequence[Routes]:
        """The routes of all features."""
        ...

    def __getitem__(self, kind: type[T], /) -> T:
        """Return the part of a class."""
        ...

    async def interrupt(self) -> None:
        """Interrupt every turn, and end every stream."""
        ...


def create_app(app: Served) -> ASGIApp:
    """Return the ASGI app: the guard first, then the fast path, then FastAPI."""
    settings, fastapi = app[Settings], describe_app(app.routes)
    fastapi.state.parts = app
    declared = [contract for routes in app.routes for contract in routes.contracts]
    asgi: ASGIApp = FastPath(fastapi, app=cast("Parts", app), contracts=declared)
    origins = list(settings.cors_origins)
    if origins:
        asgi = CORSMiddleware(
            asgi, allow_origins=origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True
        )
    uploads = {contract.path: contract.uploads for contract in declared if contract.uploads}
    limits = {contract.path: contract.most_bytes for contract in declared if contract.most_bytes}
    hosts = {settings.host} | (
        {urlsplit(settings.public_url).hostname or ""} if settings.public_url else set[str]()
    )
    guard = Guard(
        asgi,
        hosts=frozenset(hosts),
        origins=frozenset(origins),
        uploads=uploads,
        limits=limits,
        arrivals=[contract.path for contract in declared if contract.from_elsewhere],
    )
    door = app[RequestSpans].around(OpenAIErrors(guard))
    return RequestIds(door) if settings.log_format == "json" else door


def describe_app(groups: Iterable[Routes]) -> FastAPI:
    """Return FastAPI's app with these routes, without an application behind it."""
    app = FastAPI(
        title="Parley",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        dependencies=_CLOSED,
    )
    errors.install(app)
    app.router.routes.extend(_built(tuple(groups)))
    for path in ("/api/{path:path}", "/v1", "/v1/{path:path}"):
        app.router.routes.append(Route(path, _unknown, methods=METHODS, include_in_schema=False))
    app.router.routes.append(Route("/{path:path}", serve_page, methods=["GET"], include_in_schema=False))
    return app


def long_responses(groups: Iterable[Routes]) -> Callable[[str, str], bool]:
    """Return a function that tells, by method and path, the responses that may take minutes."""
    patterns = [
        (contract.method, compile_path(contract.path)[0])
        for routes in groups
        for contract in routes.contracts
        if contract.takes_minutes
    ]
    return lambda method, path: any(
        method == of_route and pattern.match(path) for of_route, pattern in patterns
    )


@lru_cache(maxsize=4)
def _built(groups: tuple[Routes, ...]) -> tuple[BaseRoute, ...]:
    """Return the routes for FastAPI, which take a quarter of a second to build and belong to no app."""
    router = APIRouter(dependencies=_CLOSED)
    add_routes(router, groups)
    return tuple(router.routes)


async def _unknown(request: Request) -> Response:
    """Refuse a request that no route takes: wrong method, or unknown path."""
    routes = takewhile(lambda route: getattr(route, "endpoint", None) is not _unknown, request.app.routes)
    if any(route.matches(request.scope)[0] is Match.PARTIAL for route in routes):
        raise HTTPException(405)
    raise NotFound(
        "This server's API has no such path.",
        "If a page of Parley sent this, reload it: it may be from another version. GET /api/openapi.json "
        "lists all paths.",
    )
