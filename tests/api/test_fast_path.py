"""Tests of the fast path: it has FastAPI's handlers and bodies, and the same responses."""

from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from parley.api import fast_path
from parley.api.app import describe_app
from parley.api.fast_path import ROUTES, FastPath
from parley.api.permissions import TABLE
from tests.fakes.running import RunningParley, kinds


def api_routes(routes: list[BaseRoute]) -> dict[str, APIRoute]:
    """Return the routes that take a POST, by path, those of included routers too."""
    found: dict[str, APIRoute] = {}
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            found |= api_routes(inner.routes)
        elif isinstance(route, APIRoute) and "POST" in (route.methods or ()):
            found[route.path] = route
    return found


def test_the_fast_path_has_the_handlers_and_bodies_of_the_routes() -> None:
    routes = api_routes(describe_app().router.routes)
    for path, (handler, body) in ROUTES.items():
        route = routes[path]
        assert ("POST", path) in TABLE
        assert route.endpoint is handler
        assert route.body_field is not None
        assert route.body_field.field_info.annotation is body
        # The fast path passes these and nothing else.
        assert set(handler.__annotations__) <= {
            "request", "asked", "app", "caller", "key", "return", "session_id", "match_id", "battle_id",
        }  # fmt: skip


ANSWERED: list[tuple[str, Any]] = [
    ("/api/sessions", {"prompt": ""}),
    ("/api/sessions", {"prompt": "Hi", "mode": "dance"}),
    ("/api/sessions", {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "eve"}}),
    ("/api/sessions", [1]),
    ("/api/sessions/nobody/matches", {"prompt": "Hi"}),
    ("/api/matches/nobody/turns", {"input": {"type": "prompt", "text": "Hi"}}),
    ("/api/matches/nobody/turns", {"input": {"type": "sing"}}),
    ("/api/matches/nobody/vote", {"vote": "left"}),
    ("/api/battles/nobody/messages", {"content": "Hi"}),
    ("/api/battles/nobody/vote", {"vote": "left", "reason": 4}),
]


async def test_a_refusal_is_the_same_with_and_without_the_fast_path(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> list[tuple[int, bytes, dict[str, str]]]:
        answers = [await parley.client.post(path, json=body) for path, body in ANSWERED]
        kept = ("content-type", "retry-after", "content-security-policy")
        return [
            (answer.status_code, answer.content, {name: answer.headers.get(name, "") for name in kept})
            for answer in answers
        ]

    fast = await ask()
    assert {status for status, _, _ in fast} == {404, 422}
    monkeypatch.setattr(fast_path, "_ROUTES", ())
    assert await ask() == fast


async def test_a_turn_is_the_same_with_and_without_the_fast_path(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"prompt": "Who are you?", "mode": "chat", "seats": {"assistant": "ada"}}
    taken: list[str] = []
    original = FastPath.__call__

    async def noting(self: FastPath, scope: Any, receive: Any, send: Any) -> None:
        if fast_path._find_route(scope) is not None:
            taken.append(scope["path"])
        await original(self, scope, receive, send)

    monkeypatch.setattr(FastPath, "__call__", noting)
    fast = await parley.events("POST", "/api/sessions", asked)
    assert taken == ["/api/sessions"]
    monkeypatch.setattr(fast_path, "_ROUTES", ())
    without = await parley.events("POST", "/api/sessions", asked)
    assert taken == ["/api/sessions"]
    # How many deltas there are is a matter of time.
    assert list(dict.fromkeys(kinds(fast))) == list(dict.fromkeys(kinds(without)))
    assert kinds(fast)[0] == "turn.snapshot"
    assert kinds(fast)[-1] == "turn.completed"


async def test_a_fault_of_ours_is_explained_on_the_fast_path_too(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(type(parley.application.arena), "start_session", broken)
    answer = await parley.client.post("/api/sessions", json={"prompt": "Hi"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert b"planted" not in answer.content
