"""Tests of what a request may say: fields, ids, keys, and the words of a refusal."""

import asyncio
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.kernel.inputs import PromptInput
from parley.modes.battle import Battle
from parley.storage.database import Database, Transaction
from parley.storage.tables.conversations import MatchRow, SeatRow, SessionRow, TurnRow, UserRow
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley

LONG = "x" * 30_001

WRONG_BODIES: list[tuple[str, Any, str]] = [
    ("an empty prompt", {"prompt": ""}, "prompt"),
    ("a blank prompt", {"prompt": " \n\t"}, "prompt"),
    ("too long a prompt", {"prompt": LONG}, "prompt"),
    ("no prompt", {}, "prompt"),
    ("a number for a prompt", {"prompt": 7}, "prompt"),
    ("null for a prompt", {"prompt": None}, "prompt"),
    ("an unknown field", {"prompt": "Hi", "temperature": 1}, "temperature"),
    ("chosen models in a battle", {"prompt": "Hi", "models": ["ada", "bob"]}, "models"),
    ("chosen seats in a battle", {"prompt": "Hi", "seats": {"left": "ada"}}, "seats"),
    ("no seats at all in a battle, but said so", {"prompt": "Hi", "seats": {}}, "seats"),
    ("an unknown mode", {"prompt": "Hi", "mode": "dance"}, "mode"),
    ("a number for a mode", {"prompt": "Hi", "mode": 1}, "mode"),
    ("an unknown seat", {"prompt": "Hi", "mode": "chat", "seats": {"guest": "ada"}}, "seats.guest"),
    ("an unknown model", {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "eve"}}, "seats.assistant"),
    ("a disabled model", {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "off"}}, "seats.assistant"),
    ("an unknown setting", {"prompt": "Hi", "brief": {"rounds": 2}}, "brief.rounds"),
    (
        "a wrong setting",
        {"prompt": "Hi", "mode": "chat", "brief": {"system_prompt": 5}},
        "brief.system_prompt",
    ),
    ("a list for a brief", {"prompt": "Hi", "brief": []}, "brief"),
    ("a list for a body", [], "body"),
]


async def test_a_wrong_body_names_its_field(tmp_path: Path) -> None:
    models = ("ada", "bob", ModelSpec("off", enabled=False))
    async with a_running_parley(tmp_path, models=models) as parley:
        for case, body, field in WRONG_BODIES:
            refused = await parley.client.post("/api/sessions", json=body)
            problem = refused.json()
            assert refused.status_code == problem["status"] == 422, (case, problem)
            assert refused.headers["content-type"] == "application/problem+json"
            assert (problem["code"], problem["field"]) == ("invalid_input", field), case
            assert field in [error["field"] for error in problem["errors"]]
        assert (await parley.get("/api/sessions"))["sessions"] == []
        assert parley.upstream.chats == []


async def test_the_longest_prompt_is_taken(parley: RunningParley) -> None:
    assert (await parley.chat("😀" + LONG[2:]))["status"] == "completed"
    assert len(parley.upstream.chats[-1].json["messages"][-1]["content"]) == 30_000


async def test_every_wrong_field_is_named(parley: RunningParley) -> None:
    problem = await parley.post("/api/sessions", {"prompt": 1, "mode": 2, "x": 3}, status=422)
    assert [error["field"] for error in problem["errors"]] == ["prompt", "mode", "x"]


async def test_other_bodies_name_their_field_too(parley: RunningParley) -> None:
    battle = await parley.battle()
    for path, body, field in (
        (f"/api/sessions/{battle['session_id']}/battles", {"prompt": "x", "seats": {}}, "seats"),
        (f"/api/sessions/{battle['session_id']}/battles", {"prompt": ""}, "prompt"),
        (f"/api/battles/{battle['battle_id']}/messages", {"content": LONG}, "content"),
        (f"/api/matches/{battle['match_id']}/turns", {"input": {"type": "dance"}}, "input.type"),
        (f"/api/matches/{battle['match_id']}/turns", {"input": {"text": ""}}, "input.text"),
        (f"/api/battles/{battle['battle_id']}/vote", {"vote": "middle"}, "vote"),
        (f"/api/battles/{battle['battle_id']}/vote", {"vote": 1}, "vote"),
        (f"/api/battles/{battle['battle_id']}/vote", {"vote": "left", "reason": "x" * 2001}, "reason"),
        (f"/api/battles/{battle['battle_id']}/vote", {"vote": "left", "score": 2}, "score"),
    ):
        assert (await parley.post(path, body, status=422))["field"] == field
    parent = {"turn_id": "0" * 32, "seat": "left"}
    body = {"prompt": "x", "mode": "chat", "continue_from": parent}
    path = f"/api/sessions/{battle['session_id']}/matches"
    assert (await parley.post(path, body, status=422))["field"] == "continue_from.turn_id"
    parent = {"turn_id": battle["turn_id"], "seat": "middle"}
    problem = await parley.post(path, {**body, "continue_from": parent}, status=422)
    assert problem["field"] == "continue_from.seat"


NESTED = b'{"prompt": "Hi", "mode": "chat", "brief": ' + b'{"a": ' * 600 + b"1" + b"}" * 601


@pytest.mark.parametrize(
    "body", [b"{", b'{"prompt": "\xff"}', b"[" * 50_000, b"", b'{"prompt": ' + b"9" * 5000 + b"}", NESTED]
)
async def test_what_is_not_json_is_refused_as_such(parley: RunningParley, body: bytes) -> None:
    refused = await parley.client.post(
        "/api/sessions", content=body, headers={"Content-Type": "application/json"}
    )
    assert refused.status_code == 422, refused.text
    assert refused.json()["code"] in ("invalid_json", "invalid_input")


async def test_a_file_that_is_nested_too_deeply_is_refused(parley: RunningParley) -> None:
    refused = await parley.client.post(
        "/api/sessions/import?name=deep.json",
        content=b"[" * 100_000,
        headers={"Content-Type": "application/octet-stream"},
    )
    assert refused.status_code == 422, refused.text
    assert "Nothing was imported" in refused.json()["detail"]


@pytest.mark.parametrize("text", ["a\x00b", "\ud800 alone", "\u202eabc", "a\u2028b"])
async def test_strange_characters_do_no_harm(parley: RunningParley, text: str) -> None:
    """NUL and lone surrogates can be neither stored everywhere nor sent on; nothing may break over them."""
    escaped = "".join(f"\\u{ord(c):04x}" for c in text).encode()
    headers = {"Content-Type": "application/json"}

    async def send(path: str, body: bytes, method: str = "POST") -> int:
        answer = await parley.client.request(method, path, content=body, headers=headers)
        return answer.status_code

    chat = await parley.chat()
    battle = await parley.battle()
    begun = await send("/api/sessions", b'{"mode": "chat", "prompt": "%b"}' % escaped)
    assert begun in (200, 422)
    assert await send("/api/sessions", b'{"prompt": "x", "%b": 1}' % escaped) == 422
    assert await send("/api/sessions", b'{"prompt": "x", "mode": "%b"}' % escaped) == 422
    renamed = await send(f"/api/sessions/{chat['session_id']}", b'{"title": "%b"}' % escaped, "PATCH")
    assert renamed == 422, "names take none of them"
    brief = b'{"mode": "chat", "prompt": "x", "brief": {"system_prompt": "%b"}}' % escaped
    assert await send("/api/sessions", brief) == begun
    vote = b'{"vote": "tie", "reason": "%b"}' % escaped
    assert await send(f"/api/battles/{battle['battle_id']}/vote", vote) == begun
    rows = await parley.get("/api/sessions")
    assert "\x00" not in str(rows)
    for request in parley.upstream.chats:
        assert b"\\u0000" not in request.body


async def test_strange_addresses_are_not_found(parley: RunningParley) -> None:
    for path in (
        "/api/turns/%00",
        "/api/sessions/%ff",
        "/api/turns/" + "x" * 5000,
        "/api/sessions/%F0%9F%98%80",
    ):
        answer = await parley.client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    refused = await parley.client.get("/api/sessions?search=%00&cursor=")
    assert (refused.status_code, refused.json()["field"]) == (422, "search")


async def test_without_two_models_a_battle_says_what_to_do(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", ModelSpec("bob", enabled=False))) as parley:
        problem = await parley.post("/api/sessions", {"prompt": "Hi"}, status=503)
        assert problem["code"] == "not_enough_models"
        assert "models.yaml" in problem["detail"]
        assert (await parley.get("/api/sessions"))["sessions"] == []
        assert (await parley.chat())["status"] == "completed"


async def test_without_any_model_a_chat_says_what_to_do(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=(ModelSpec("bob", enabled=False),)) as parley:
        problem = await parley.post("/api/sessions", {"prompt": "Hi", "mode": "chat"}, status=503)
        assert (problem["code"], "models.yaml" in problem["detail"]) == ("no_models", True)
        assert (await parley.get("/api/about"))["models"] == 0


async def test_a_chat_without_a_wish_takes_the_first_model(parley: RunningParley) -> None:
    await parley.post("/api/sessions", {"prompt": "Hi", "mode": "chat"})
    assert parley.upstream.chats[-1].model == "ada"


# ── somebody else's ──────────────────────────────────────────────────────────────────────────────


async def somebody_elses(parley: RunningParley) -> dict[str, str]:
    """Store a second owner's session, match and turn; return their ids."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    ids = {name: uuid.uuid5(uuid.NAMESPACE_OID, name).hex for name in ("session", "match", "turn", "seat")}
    owned = {"owner_id": "somebody", "created_at": now}

    def change(transaction: Transaction):
        transaction.insert(UserRow(id="somebody", voter_id="v" * 32, name="Somebody", created_at=now))
        session = {"title": "Private", "mode": "battle", "archived": False, "deleted_at": None}
        transaction.insert(
            SessionRow(id=ids["session"], space_id="somebody", updated_at=now, **session, **owned)
        )
        rules = {"brief": {}, "brief_version": 1, "blind": True, "paced": True, "propensity": None}
        match = {"session_id": ids["session"], "index": 0, "mode": "battle", "status": "open", "void": None}
        ballot = msgspec.to_builtins(Battle.ballot)
        transaction.insert(MatchRow(id=ids["match"], ballot=ballot, **match, **rules, **owned))
        turn = {"match_id": ids["match"], "session_id": ids["session"], "index": 0, "status": "completed"}
        asked = {"input": {"type": "prompt", "text": PromptInput("x").text}, "input_sha256": "0" * 64}
        ended = {"play": 1, "error": None, "ended_at": now}
        transaction.insert(TurnRow(id=ids["turn"], author_id="somebody", **turn, **asked, **ended, **owned))
        for index, name in enumerate(("left", "right")):
            transaction.insert(
                SeatRow(
                    id=f"{index}" * 32,
                    match_id=ids["match"],
                    index=index,
                    name=name,
                    role=name,
                    model_id="ada",
                    settings=None,
                    from_turn=0,
                    until_turn=None,
                    parent_turn_id=None,
                    parent_seat=None,
                )
            )

    await parley.application[Database].write(change)
    return ids


ADDRESSES: list[tuple[str, str, Any]] = [
    ("GET", "/api/sessions/{session}", None),
    ("PATCH", "/api/sessions/{session}", {"title": "Mine"}),
    ("DELETE", "/api/sessions/{session}", None),
    ("POST", "/api/sessions/{session}/restore", None),
    ("GET", "/api/sessions/{session}/events", None),
    ("POST", "/api/sessions/{session}/matches", {"prompt": "x"}),
    ("POST", "/api/sessions/{session}/battles", {"prompt": "x"}),
    ("POST", "/api/matches/{match}/turns", {"input": {"text": "x"}}),
    ("POST", "/api/matches/{match}/vote", {"vote": "left"}),
    ("POST", "/api/battles/{match}/messages", {"content": "x"}),
    ("POST", "/api/battles/{match}/vote", {"vote": "left"}),
    ("GET", "/api/turns/{turn}", None),
    ("GET", "/api/turns/{turn}/events", None),
    ("POST", "/api/turns/{turn}/stop", None),
    ("POST", "/api/turns/{turn}/retry", None),
]


async def test_what_belongs_to_somebody_else_looks_like_what_is_not_there(parley: RunningParley) -> None:
    foreign = await somebody_elses(parley)
    unknown = dict.fromkeys(foreign, "f" * 32)
    for method, path, body in ADDRESSES:
        answers = []
        for ids in (foreign, unknown):
            given = {"json": body} if body is not None else {}
            answers.append(await parley.client.request(method, path.format(**ids), **given))
        assert [answer.status_code for answer in answers] == [404, 404], (method, path)
        assert answers[0].content == answers[1].content
        assert answers[0].json()["code"] == "not_found"
    assert (await parley.get("/api/sessions"))["sessions"] == []
    chat = await parley.chat()
    body = {"prompt": "x", "mode": "chat"}
    path = f"/api/sessions/{chat['session_id']}/matches"
    for ids in (foreign, unknown):
        parent = {"turn_id": ids["turn"], "seat": "left"}
        problem = await parley.post(path, {**body, "continue_from": parent}, status=422)
        assert problem["title"] == "The turn to continue from does not exist."


# ── idempotency keys ─────────────────────────────────────────────────────────────────────────────


async def test_a_key_sent_twice_begins_one_turn(parley: RunningParley) -> None:
    key = {"Idempotency-Key": "once"}
    first = await parley.post("/api/sessions", {"prompt": "Hi"}, headers=key)
    assert await parley.post("/api/sessions", {"prompt": "Hi"}, headers=key) == first
    events = await parley.events("POST", "/api/sessions", {"prompt": "Hi"}, headers=key)
    assert events[0]["turn"]["id"] == first["turn_id"]
    assert len(parley.upstream.chats) == 2
    assert len((await parley.get("/api/sessions"))["sessions"]) == 1


async def test_keys_that_race_attach_to_one_running_turn(parley: RunningParley) -> None:
    parley.upstream.reply("Slow ", "answer.", delay=0.1)
    answers = await asyncio.gather(
        *(
            parley.visitor().post("/api/sessions", json={"prompt": "Hi"}, headers={"Idempotency-Key": "k"})
            for _ in range(6)
        )
    )
    assert {answer.status_code for answer in answers} == {200}
    assert {answer.json()["turn_id"] for answer in answers} == {answers[0].json()["turn_id"]}
    assert {answer.json()["status"] for answer in answers} == {"completed"}
    assert len(parley.upstream.chats) == 2


async def test_a_key_with_another_body_or_route_is_refused(parley: RunningParley) -> None:
    key = {"Idempotency-Key": "once"}
    battle = await parley.post("/api/sessions", {"prompt": "Hi"}, headers=key)
    for path, body in (
        ("/api/sessions", {"prompt": "Ho"}),
        (f"/api/sessions/{battle['session_id']}/battles", {"prompt": "Hi"}),
        (f"/api/battles/{battle['battle_id']}/vote", {"vote": "left"}),
    ):
        problem = await parley.post(path, body, status=422, headers=key)
        assert (problem["code"], problem["field"]) == ("idempotency_key_reused", "Idempotency-Key")


async def test_a_vote_under_a_key_is_answered_the_same_again(parley: RunningParley) -> None:
    battle = await parley.battle()
    path = f"/api/battles/{battle['battle_id']}/vote"
    key = {"Idempotency-Key": "vote"}
    first = await parley.post(path, {"vote": "tie"}, headers=key)
    assert await parley.post(path, {"vote": "tie"}, headers=key) == first
    assert (await parley.post(path, {"vote": "left"}, 422, headers=key))["code"] == "idempotency_key_reused"
    assert (await parley.post(path, {"vote": "tie"}, 409))["code"] == "already_voted"


async def test_a_refused_request_leaves_its_key_free(parley: RunningParley) -> None:
    key = {"Idempotency-Key": "k"}
    await parley.post("/api/sessions", {"prompt": "Hi", "mode": "dance"}, 422, headers=key)
    await parley.post("/api/sessions", {"prompt": "Hi"}, headers=key)


@pytest.mark.parametrize("value", ["", "x" * 256])
async def test_a_key_has_its_limits(parley: RunningParley, value: str) -> None:
    problem = await parley.post("/api/sessions", {"prompt": "Hi"}, 422, headers={"Idempotency-Key": value})
    assert problem["field"] == "Idempotency-Key"
