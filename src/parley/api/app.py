"""The app: routes, guard and page put together for one house."""

from itertools import takewhile
from typing import Any

from fastapi import Depends, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from parley import __version__
from parley.api import errors
from parley.api.answers import as_json
from parley.api.document import build
from parley.api.guard import Guard
from parley.api.lane import Lane
from parley.api.page import serve_page
from parley.api.permissions import authorise
from parley.api.routes import house as house_routes
from parley.api.routes import leaderboard, matches, presets, sessions, turns, votes
from parley.kernel.errors import NotFound
from parley.wiring import House

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def create_app(house: House) -> ASGIApp:
    """Return the ASGI app of a house: the guard before all, then the lane, then FastAPI with its own layers."""
    described = describe_app()
    described.state.house = house
    app: ASGIApp = Lane(described, house=house)
    origins = list(house.settings.cors_origins)
    if origins:
        app = CORSMiddleware(
            app, allow_origins=origins, allow_methods=["*"], allow_headers=["*"], allow_credentials=True
        )
    return Guard(app, hosts=frozenset({house.settings.host}), origins=frozenset(origins))


def describe_app() -> FastAPI:
    """Return the app without a house: enough to know its routes."""
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
    for routes in (house_routes, sessions, matches, turns, votes, presets, leaderboard):
        app.include_router(routes.router, dependencies=allowed)

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = build(app)
        return app.openapi_schema

    app.openapi = document
    app.add_api_route(
        "/api/openapi.json", lambda: as_json(document()), dependencies=allowed, include_in_schema=False
    )
    app.router.routes.append(Route("/api/{path:path}", _unknown, methods=METHODS, include_in_schema=False))
    app.router.routes.append(Route("/{path:path}", serve_page, methods=["GET"], include_in_schema=False))
    return app


async def _unknown(request: Request) -> Response:
    """Answer what no route above took: another method would have been right, or there is no such address."""
    routes = takewhile(lambda route: getattr(route, "endpoint", None) is not _unknown, request.app.routes)
    if any(route.matches(request.scope)[0] is Match.PARTIAL for route in routes):
        raise HTTPException(405)
    raise NotFound("There is no such address in the API.", "GET /api/openapi.json lists those there are.")
