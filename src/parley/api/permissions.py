"""Permissions: one table says who may use which route. A route without a row fails a test, and is closed."""

import ipaddress
from enum import StrEnum
from functools import lru_cache

from starlette.requests import Request
from starlette.routing import Route

from parley.kernel.errors import ParleyError


class Who(StrEnum):
    """Who may use a route."""

    ANYONE = "anyone"
    OWNER = "owner"


class Forbidden(ParleyError):
    """This person may not use this route."""

    code = "forbidden"


TABLE: dict[tuple[str, str], Who] = {
    ("GET", "/healthz"): Who.ANYONE,
    ("GET", "/readyz"): Who.ANYONE,
    ("GET", "/api/about"): Who.OWNER,
    ("GET", "/api/modes"): Who.OWNER,
    ("GET", "/api/models"): Who.OWNER,
    ("GET", "/api/openapi.json"): Who.OWNER,
    ("GET", "/api/sessions"): Who.OWNER,
    ("POST", "/api/sessions"): Who.OWNER,
    ("GET", "/api/sessions/{session_id}"): Who.OWNER,
    ("PATCH", "/api/sessions/{session_id}"): Who.OWNER,
    ("DELETE", "/api/sessions/{session_id}"): Who.OWNER,
    ("POST", "/api/sessions/{session_id}/restore"): Who.OWNER,
    ("GET", "/api/sessions/{session_id}/events"): Who.OWNER,
    ("POST", "/api/sessions/{session_id}/matches"): Who.OWNER,
    ("POST", "/api/sessions/{session_id}/battles"): Who.OWNER,
    ("POST", "/api/quote"): Who.OWNER,
    ("POST", "/api/matches/{match_id}/turns"): Who.OWNER,
    ("POST", "/api/matches/{match_id}/vote"): Who.OWNER,
    ("POST", "/api/battles/{battle_id}/messages"): Who.OWNER,
    ("POST", "/api/battles/{battle_id}/vote"): Who.OWNER,
    ("GET", "/api/turns/{turn_id}"): Who.OWNER,
    ("GET", "/api/turns/{turn_id}/events"): Who.OWNER,
    ("GET", "/api/turns/{turn_id}/inner-replies"): Who.OWNER,
    ("POST", "/api/turns/{turn_id}/stop"): Who.OWNER,
    ("POST", "/api/turns/{turn_id}/retry"): Who.OWNER,
    ("GET", "/api/leaderboard"): Who.OWNER,
    ("GET", "/api/leaderboard/history"): Who.OWNER,
    ("GET", "/api/leaderboard/matrix"): Who.OWNER,
    ("GET", "/api/leaderboard/events"): Who.OWNER,
    ("POST", "/api/leaderboard/rebuild"): Who.OWNER,
    ("GET", "/api/models/{model_id}/stats"): Who.OWNER,
    ("GET", "/api/head-to-head/{a}/{b}"): Who.OWNER,
    ("GET", "/api/presets"): Who.OWNER,
    ("POST", "/api/presets"): Who.OWNER,
    ("GET", "/api/presets/{preset_id}"): Who.OWNER,
    ("PATCH", "/api/presets/{preset_id}"): Who.OWNER,
    ("DELETE", "/api/presets/{preset_id}"): Who.OWNER,
    ("POST", "/api/presets/{preset_id}/restore"): Who.OWNER,
    ("GET", "/api/turns/{turn_id}/replay"): Who.OWNER,
    ("GET", "/api/votes"): Who.OWNER,
    ("GET", "/api/votes/export"): Who.OWNER,
    ("POST", "/api/votes/import"): Who.OWNER,
    ("GET", "/api/votes/{vote_id}"): Who.OWNER,
    ("PATCH", "/api/votes/{vote_id}"): Who.OWNER,
    ("GET", "/api/votes/{vote_id}/categories"): Who.OWNER,
}


async def authorise(request: Request) -> None:
    """Let a request pass if its route's row allows it. Raises Forbidden."""
    if allows(request, request.method, route_path(request)):
        return
    raise Forbidden(
        "You may not use this.",
        "In personal mode Parley answers only to this computer. From elsewhere, use an SSH tunnel.",
    )


def allows(request: Request, method: str, path: str) -> bool:
    """True where the route's row lets the one who asks pass; `path` is the route's pattern."""
    who = TABLE.get((method, path))
    return who is Who.ANYONE or (who is Who.OWNER and is_owner(request))


def route_path(request: Request) -> str:
    """Return the pattern of the route that serves a request."""
    route = request.scope.get("route")
    return route.path if isinstance(route, Route) else ""


def is_owner(request: Request) -> bool:
    """Personal mode: whoever asks from this computer is the owner."""
    return request.client is not None and _is_loopback(request.client.host)


@lru_cache(1024)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
