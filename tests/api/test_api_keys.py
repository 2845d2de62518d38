"""Tests of API keys: they alone open the door of a shared Parley, and only as far as their owner and they may."""

import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import openai
import pytest

from parley.engine.clock import WallClock
from parley.features.openai_api.tables import ApiKeyRow
from parley.storage.database import Database
from parley.storage.tables.rows import select_rows
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.people import Person, SharedParley, a_shared_parley, hash_quickly
from tests.fakes.recorded_calls import recorded_calls

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
CHAT = {"model": "ada", "messages": HELLO}


@pytest.fixture
async def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[SharedParley]:
    hash_quickly(monkeypatch)
    async with a_shared_parley(tmp_path, guests="on") as running:
        running.parley.upstream.reply("Hi", times=99)
        yield running


async def key_of(person: Person, **more: Any) -> tuple[str, str]:
    """Return a new key's id and secret."""
    made = await person.send("POST", "/api/me/keys", {"name": "Notebook", **more})
    return made["key"]["id"], made["secret"]


async def status_of(shared: SharedParley, secret: str | None, body: Any = CHAT) -> int:
    headers = {} if secret is None else {"authorization": f"Bearer {secret}"}
    visitor = shared.parley.visitor()
    answer = await visitor.post("/v1/chat/completions", json=body, headers=headers)
    return answer.status_code


async def test_a_key_opens_the_door_and_a_login_does_not(shared: SharedParley):
    ana = shared.administrator
    key_id, secret = await key_of(ana)
    async with openai.AsyncOpenAI(base_url=f"{shared.parley.base_url}/v1", api_key=secret) as client:
        answer = await client.chat.completions.create(model="ada", messages=HELLO)
        assert answer.choices[0].message.content == "Hi"
        assert [model.id async for model in client.models.list()] == ["ada", "bob", "cleo", "auto"]
    async with openai.AsyncOpenAI(base_url=f"{shared.parley.base_url}/v1", api_key="parley-wrong") as client:
        with pytest.raises(openai.AuthenticationError) as refused:
            await client.models.list()
        assert refused.value.code == "invalid_api_key"
    assert await status_of(shared, None) == 401
    assert (await ana.client.get("/v1/models")).status_code == 401, "the cookie is no key"
    (call,) = await recorded_calls(shared.parley)
    assert (call.owner_id, call.key_id, call.purpose) == (ana.id, key_id, "api")


async def test_a_key_opens_nothing_but_the_door(shared: SharedParley):
    _, secret = await key_of(shared.administrator)
    visitor = shared.parley.visitor(headers={"authorization": f"Bearer {secret}"})
    for path in ("/api/sessions", "/api/me/keys", "/api/people", "/api/models"):
        assert (await visitor.get(path)).status_code == 401
    assert (await visitor.post("/api/me/keys", json={"name": "More"})).status_code == 401


async def test_only_the_hash_is_stored_and_the_secret_is_shown_once(shared: SharedParley):
    ana = shared.administrator
    key_id, secret = await key_of(ana, days=30)
    (row,) = await shared.parley.application[Database].read(
        lambda it: it.select(ApiKeyRow, select_rows(ApiKeyRow))
    )
    assert secret not in repr(row)
    assert secret.startswith(row.prefix)
    assert len(row.prefix) < 12
    text = (await ana.client.get("/api/me/keys")).text
    assert key_id in text
    assert secret not in text
    assert row.token_sha256 not in text
    exported = (await ana.client.get("/api/data/export")).text
    assert key_id in exported
    assert secret not in exported
    assert row.token_sha256 not in exported


async def test_a_revoked_key_ends_at_once_and_its_use_is_noted_before(shared: SharedParley):
    ana = shared.administrator
    key_id, secret = await key_of(ana)
    assert (await ana.get("/api/me/keys"))["keys"][0]["last_used_at"] is None
    assert await status_of(shared, secret) == 200
    (listed,) = (await ana.get("/api/me/keys"))["keys"]
    assert listed["last_used_at"] is not None
    await ana.send("DELETE", f"/api/me/keys/{key_id}", status=204)
    assert await status_of(shared, secret) == 401
    assert (await ana.get("/api/me/keys"))["keys"] == []
    await ana.send("DELETE", f"/api/me/keys/{key_id}", status=404)


async def test_an_expired_key_opens_nothing(shared: SharedParley, monkeypatch: pytest.MonkeyPatch):
    _, secret = await key_of(shared.administrator, days=1)
    assert await status_of(shared, secret) == 200
    later = time.time() + 86_401
    monkeypatch.setattr(WallClock, "now", lambda _: later)
    assert await status_of(shared, secret) == 401


async def test_a_key_uses_only_the_models_that_it_allows(shared: SharedParley):
    ana = shared.administrator
    _, secret = await key_of(ana, models=["bob"])
    assert await status_of(shared, secret) == 403
    assert await status_of(shared, secret, {**CHAT, "model": "bob"}) == 200
    visitor = shared.parley.visitor(headers={"authorization": f"Bearer {secret}"})
    assert [it["id"] for it in (await visitor.get("/v1/models")).json()["data"]] == ["bob", "auto"]
    assert (await visitor.get("/v1/models/ada")).status_code == 403
    wrong = await ana.send("POST", "/api/me/keys", {"name": "x", "models": ["nobody"]}, 422)
    assert wrong["field"] == "models"
    await ana.send("POST", "/api/me/keys", {"name": "x", "models": []}, 422)


async def test_another_persons_key_is_not_there(shared: SharedParley):
    ben = await shared.person("Ben")
    key_id, secret = await key_of(ben)
    await shared.administrator.send("DELETE", f"/api/me/keys/{key_id}", status=404)
    assert (await shared.administrator.get("/api/me/keys"))["keys"] == []
    assert await status_of(shared, secret) == 200


async def test_the_key_of_a_disabled_person_opens_nothing(shared: SharedParley):
    ben = await shared.person("Ben")
    _, secret = await key_of(ben)
    await shared.administrator.send("PATCH", f"/api/people/{ben.id}", {"disabled": True})
    assert await status_of(shared, secret) == 401


async def test_deleting_an_account_deletes_its_keys(shared: SharedParley):
    ben = await shared.person("Ben")
    _, secret = await key_of(ben)
    await ben.send("POST", "/api/me/delete", {"password": "four unrelated wordy words"}, 204)
    assert await status_of(shared, secret) == 401


async def test_guests_have_no_keys(shared: SharedParley):
    guest = await shared.guest()
    refused = await guest.send("POST", "/api/me/keys", {"name": "x"}, 403)
    assert refused["code"] == "guests_have_no_keys"


async def test_every_call_within_a_preset_is_the_keys(shared: SharedParley):
    ana = shared.administrator
    seats = {"a": "ada", "b": "bob", "arbiter": "cleo"}
    preset = {"mode": "consortium", "name": "Jury", "seats": seats, "contestant": True}
    await ana.send("POST", "/api/presets", preset)
    shared.parley.upstream.reply(member("Paris.", 0.9), model="ada")
    shared.parley.upstream.reply(member("Paris.", 0.9), model="bob")
    shared.parley.upstream.reply(arbiter("Paris.", 0.95), model="cleo")
    key_id, secret = await key_of(ana, models=["jury"])
    assert await status_of(shared, secret, {**CHAT, "model": "jury-r1"}) == 200
    assert await status_of(shared, secret) == 403
    calls = await recorded_calls(shared.parley)
    assert {call.model_id for call in calls} == {"ada", "bob", "cleo", "jury-r1"}
    assert {(call.owner_id, call.key_id, call.purpose) for call in calls} == {(ana.id, key_id, "api")}


async def test_a_key_may_stand_where_anthropics_clients_send_it(shared: SharedParley):
    _, secret = await key_of(shared.administrator)
    body = {"model": "ada", "max_tokens": 9, "messages": [{"role": "user", "content": "Hello"}]}
    visitor = shared.parley.visitor()
    answer = await visitor.post("/v1/messages", json=body, headers={"x-api-key": secret})
    assert answer.status_code == 200
    refused = await visitor.post("/v1/messages", json=body, headers={"x-api-key": "parley-wrong"})
    assert (refused.status_code, refused.json()["error"]["type"]) == (401, "authentication_error")


async def test_a_key_does_only_what_it_may(shared: SharedParley):
    _, chats = await key_of(shared.administrator, scopes=["chat"])
    _, reads = await key_of(shared.administrator, scopes=["read"])
    visitor = shared.parley.visitor()

    async def status(secret: str, method: str, path: str, body: Any = None) -> int:
        headers = {"authorization": f"Bearer {secret}"}
        return (await visitor.request(method, path, json=body, headers=headers)).status_code

    assert await status(chats, "POST", "/v1/chat/completions", CHAT) == 200
    assert await status(chats, "POST", "/v1/embeddings", {"model": "ada", "input": "x"}) == 403
    assert await status(chats, "GET", "/api/leaderboard") == 401
    assert await status(reads, "POST", "/v1/chat/completions", CHAT) == 403
    assert await status(reads, "GET", "/api/leaderboard") == 200
    for path in ("/api/sessions", "/api/me/keys"):
        assert await status(reads, "GET", path) == 403, path
    (key, _) = (await shared.administrator.get("/api/me/keys"))["keys"]
    assert key["scopes"] in (["chat"], ["read"])
