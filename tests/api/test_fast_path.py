"""Tests of the fast path: it has FastAPI's handlers and bodies, and the same responses."""

from typing import Any, cast

import msgspec
import pytest

from parley.api.contract import Contract
from parley.api.fast_path import FastPath
from parley.application import built_in_routes
from parley.features.arena.service import ArenaService
from parley.kernel.parts import Parts
from tests.fakes.running import RunningParley, kinds


def hot() -> list[Contract]:
    return [it for routes in built_in_routes() for it in routes.contracts if it.hot]


def test_hot_routes_take_nothing_that_the_fast_path_does_not_give_them() -> None:
    assert len(hot()) > 4
    for contract in hot():
        assert (contract.method, contract.body is None, contract.strict) == ("POST", False, False)
        assert set(contract.handler.__annotations__) <= {
            "request", "body", "app", "caller", "key", "return", "session_id", "match_id", "battle_id",
        }  # fmt: skip


def test_a_route_without_a_json_body_cannot_be_hot() -> None:
    contract = msgspec.structs.replace(
        hot()[0], handler=test_a_fault_of_ours_is_explained_on_the_fast_path_too
    )
    with pytest.raises(TypeError, match="has no JSON body"):
        FastPath(cast("Any", None), app=Parts(), contracts=[contract])


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
    monkeypatch.setattr(FastPath, "_find_route", lambda *_: None)
    assert await ask() == fast


async def test_a_turn_is_the_same_with_and_without_the_fast_path(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"prompt": "Who are you?", "mode": "chat", "seats": {"assistant": "ada"}}
    taken: list[str] = []
    original = FastPath.__call__

    async def noting(self: FastPath, scope: Any, receive: Any, send: Any) -> None:
        if self._find_route(scope) is not None:
            taken.append(scope["path"])
        await original(self, scope, receive, send)

    monkeypatch.setattr(FastPath, "__call__", noting)
    fast = await parley.events("POST", "/api/sessions", asked)
    assert taken == ["/api/sessions"]
    monkeypatch.setattr(FastPath, "_find_route", lambda *_: None)
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

    monkeypatch.setattr(type(parley.application[ArenaService]), "start_session", broken)
    answer = await parley.client.post("/api/sessions", json={"prompt": "Hi"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert b"planted" not in answer.content
