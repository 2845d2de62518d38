"""Permissions: one table of routes and scopes. A route without a row fails a test, and is closed."""

from typing import Final

from starlette.requests import Request
from starlette.routing import Route

from parley.api.deps import CallerDep
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import ParleyError

ANYONE: Final = None
"""The row of a route that needs no scope."""


class Forbidden(ParleyError):
    """The caller has no permission for the route."""

    code = "forbidden"


TABLE: dict[tuple[str, str], Scope | None] = {
    ("GET", "/healthz"): ANYONE,
    ("GET", "/readyz"): ANYONE,
    ("GET", "/api/about"): Scope.READ,
    ("GET", "/api/modes"): Scope.READ,
    ("GET", "/api/models"): Scope.READ,
    ("GET", "/api/openapi.json"): Scope.READ,
    ("GET", "/api/providers"): Scope.MANAGE,
    ("POST", "/api/providers"): Scope.MANAGE,
    ("POST", "/api/providers/test"): Scope.MANAGE,
    ("POST", "/api/providers/checks"): Scope.MANAGE,
    ("PATCH", "/api/providers/{provider_id}"): Scope.MANAGE,
    ("DELETE", "/api/providers/{provider_id}"): Scope.MANAGE,
    ("GET", "/api/discoveries"): Scope.MANAGE,
    ("POST", "/api/keys/rotate"): Scope.MANAGE,
    ("POST", "/api/models"): Scope.MANAGE,
    ("PATCH", "/api/models/{model_id}"): Scope.MANAGE,
    ("DELETE", "/api/models/{model_id}"): Scope.MANAGE,
    ("GET", "/api/data"): Scope.MANAGE,
    ("DELETE", "/api/data"): Scope.MANAGE,
    ("GET", "/api/data/export"): Scope.MANAGE,
    ("POST", "/api/attachments"): Scope.TALK,
    ("GET", "/api/attachments/{sha256}"): Scope.TALK,
    ("GET", "/api/attachments/{sha256}/thumbnail"): Scope.TALK,
    ("GET", "/api/sessions"): Scope.TALK,
    ("POST", "/api/sessions"): Scope.TALK,
    ("POST", "/api/sessions/changes"): Scope.TALK,
    ("POST", "/api/sessions/export"): Scope.TALK,
    ("POST", "/api/sessions/import"): Scope.TALK,
    ("GET", "/api/tags"): Scope.TALK,
    ("GET", "/api/sessions/{session_id}"): Scope.TALK,
    ("PATCH", "/api/sessions/{session_id}"): Scope.TALK,
    ("DELETE", "/api/sessions/{session_id}"): Scope.TALK,
    ("POST", "/api/sessions/{session_id}/restore"): Scope.TALK,
    ("GET", "/api/sessions/{session_id}/events"): Scope.TALK,
    ("POST", "/api/sessions/{session_id}/matches"): Scope.TALK,
    ("POST", "/api/sessions/{session_id}/battles"): Scope.TALK,
    ("POST", "/api/quote"): Scope.READ,
    ("POST", "/api/matches/{match_id}/turns"): Scope.TALK,
    ("POST", "/api/matches/{match_id}/vote"): Scope.TALK,
    ("POST", "/api/battles/{battle_id}/messages"): Scope.TALK,
    ("POST", "/api/battles/{battle_id}/vote"): Scope.TALK,
    ("GET", "/api/turns/{turn_id}"): Scope.TALK,
    ("GET", "/api/turns/{turn_id}/events"): Scope.TALK,
    ("GET", "/api/turns/{turn_id}/inner-replies"): Scope.TALK,
    ("GET", "/api/turns/{turn_id}/attempts"): Scope.TALK,
    ("POST", "/api/turns/{turn_id}/stop"): Scope.TALK,
    ("POST", "/api/turns/{turn_id}/retry"): Scope.TALK,
    ("POST", "/api/turns/{turn_id}/interject"): Scope.TALK,
    ("GET", "/api/leaderboard"): Scope.READ,
    ("GET", "/api/leaderboard/preferences"): Scope.READ,
    ("GET", "/api/leaderboard/history"): Scope.READ,
    ("GET", "/api/leaderboard/matrix"): Scope.READ,
    ("GET", "/api/leaderboard/events"): Scope.READ,
    ("POST", "/api/leaderboard/rebuild"): Scope.MANAGE,
    ("GET", "/api/leaderboard/prior"): Scope.READ,
    ("PUT", "/api/leaderboard/prior"): Scope.MANAGE,
    ("DELETE", "/api/leaderboard/prior"): Scope.MANAGE,
    ("GET", "/api/leaderboard/voters"): Scope.MANAGE,
    ("GET", "/api/leaderboard/health"): Scope.MANAGE,
    ("GET", "/api/leaderboard/health/voters"): Scope.MANAGE,
    ("POST", "/api/leaderboard/voters/{voter_id}/exclude"): Scope.MANAGE,
    ("POST", "/api/leaderboard/voters/{voter_id}/reinstate"): Scope.MANAGE,
    ("GET", "/api/models/{model_id}/stats"): Scope.READ,
    ("GET", "/api/head-to-head/{a}/{b}"): Scope.READ,
    ("GET", "/api/presets"): Scope.TALK,
    ("POST", "/api/presets"): Scope.TALK,
    ("GET", "/api/presets/{preset_id}"): Scope.TALK,
    ("PATCH", "/api/presets/{preset_id}"): Scope.TALK,
    ("DELETE", "/api/presets/{preset_id}"): Scope.TALK,
    ("POST", "/api/presets/{preset_id}/restore"): Scope.TALK,
    ("GET", "/api/templates"): Scope.TALK,
    ("POST", "/api/templates"): Scope.TALK,
    ("PUT", "/api/templates/{template_id}"): Scope.TALK,
    ("DELETE", "/api/templates/{template_id}"): Scope.TALK,
    ("GET", "/api/turns/{turn_id}/replay"): Scope.TALK,
    ("GET", "/api/votes"): Scope.TALK,
    ("GET", "/api/votes/preferred"): Scope.TALK,
    ("GET", "/api/votes/export"): Scope.MANAGE,
    ("POST", "/api/votes/import"): Scope.MANAGE,
    ("GET", "/api/votes/{vote_id}"): Scope.TALK,
    ("PATCH", "/api/votes/{vote_id}"): Scope.TALK,
    ("POST", "/api/votes/{vote_id}/withdraw"): Scope.TALK,
    ("GET", "/api/votes/{vote_id}/categories"): Scope.TALK,
}


async def authorise(request: Request, caller: CallerDep) -> None:
    """Check that the caller has permission for the route. Raises Forbidden."""
    route = request.scope.get("route")
    if allows(caller, request.method, route.path if isinstance(route, Route) else ""):
        return
    raise Forbidden(
        "You don't have permission for this.",
        "In personal mode Parley serves only this computer. Use an SSH tunnel from elsewhere.",
    )


def allows(caller: Caller, method: str, path: str) -> bool:
    """Return whether the caller has the scope of the route's row; `path` is the route's pattern."""
    row = (method, path)
    return row in TABLE and ((scope := TABLE[row]) is ANYONE or scope in caller.scopes)
