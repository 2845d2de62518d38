"""The ASGI app: the guard, the fast path, FastAPI's routes and the page."""

from collections.abc import Callable
from functools import cache
from itertools import takewhile

from fastapi import Depends, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route, compile_path
from starlette.types import ASGIApp

from parley import __version__
from parley.api import errors
from parley.api.contract import contracts
from parley.api.fast_path import FastPath
from parley.api.guard import Guard
from parley.api.page import serve_page
from parley.api.permissions import authorise
from parley.api.routes import (
    about,
    attachments,
    data,
    leaderboard,
    matches,
    presets,
    providers,
    public_prior,
    sessions,
    tags,
    templates,
    turns,
    votes,
)
from parley.kernel.errors import NotFound
from parley.wiring import Application

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def create_app(app: Application) -> ASGIApp:
    """Return the ASGI app: the guard first, then the fast path, then FastAPI."""
    fastapi = describe_app()
    fastapi.state.application = app
    declared = list(contracts(fastapi))
    asgi: ASGIApp = FastPath(fastapi, app=app, contracts=declared)
    origins = list(app.settings.cors_origins)
    if origins:
        asgi = CORSMiddleware(
            asgi, allow_origins=origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True
        )
    uploads = {contract.path: contract.uploads for contract in declared if contract.uploads}
    return Guard(asgi, hosts=frozenset({app.settings.host}), origins=frozenset(origins), uploads=uploads)


def describe_app() -> FastAPI:
    """Return FastAPI's app with its routes, without an application behind it."""
    app = FastAPI(
        title="Parley",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    errors.install(app)
    allowed = [Depends(authorise)]
    for module in (
        about,
        providers,
        data,
        attachments,
        sessions,
        tags,
        matches,
        turns,
        votes,
        presets,
        templates,
        leaderboard,
        public_prior,
    ):
        app.include_router(module.routes.router, dependencies=allowed)

    app.router.routes.append(Route("/api/{path:path}", _unknown, methods=METHODS, include_in_schema=False))
    app.router.routes.append(Route("/{path:path}", serve_page, methods=["GET"], include_in_schema=False))
    return app


@cache
def long_routes() -> Callable[[str, str], bool]:
    """Return a function that tells, by method and path, the responses that may take minutes."""
    declared = [contract for contract in contracts(describe_app()) if contract.takes_minutes]
    patterns = [(contract.method, compile_path(contract.path)[0]) for contract in declared]
    return lambda method, path: any(
        method == of_route and pattern.match(path) for of_route, pattern in patterns
    )


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
