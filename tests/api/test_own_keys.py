"""Tests of provider keys of one's own: whose is used on every path, who pays, and where it is not."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import openai
import pytest

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.catalog.opening import secrets_of
from parley.features.catalog.service import CatalogService
from parley.features.own_keys.service import OwnKeyService
from parley.features.usage.folding import Folding
from parley.kernel.bus import Bus
from parley.settings import Settings
from parley.storage.database import Database
from tests.api.test_provider_keys import stored
from tests.fakes.canaries import canary, found_in
from tests.fakes.people import Person, SharedParley, a_shared_parley, hash_quickly
from tests.fakes.recorded_calls import recorded_calls
from tests.fakes.running import ModelSpec, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

MODELS = (
    ModelSpec("ada", tags=("battle",)),
    ModelSpec("bob", tags=("battle",)),
    ModelSpec("cleo", provider="far", tags=("battle",)),
    ModelSpec("namer", provider="far"),
)
CHAT = {"prompt": "Hello", "mode": "chat", "seats": {"assistant": "ada"}}
INSTALLATION = "Bearer s3cret-key-of-the-provider"
MINE = "/api/me/provider-keys"


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    hash_quickly(monkeypatch)


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[SharedParley]:
    async with a_shared_parley(tmp_path, models=MODELS) as shared:
        yield shared


async def put(person: Person, key: str, provider: str = "near", path: str = MINE, status: int = 200) -> Any:
    return await person.send("PUT", f"{path}/{provider}", {"key": key}, status)


async def ask(person: Person, model: str = "ada") -> Any:
    body = {**CHAT, "seats": {"assistant": model}}
    return (await person.send("POST", "/api/sessions", body))["responses"]["assistant"]


def sent(shared: SharedParley) -> list[str | None]:
    """Return the keys of the requests since this was asked last."""
    upstream = shared.parley.upstream
    keys = [request.headers.get("authorization") for request in upstream.requests]
    upstream.requests.clear()
    return keys


def close(shared: SharedParley, provider_id: str) -> None:
    """Let people use the installation's key for a provider no more."""
    catalog = shared.parley.application[CatalogService]
    closed = msgspec.structs.replace(catalog.provider(provider_id), shared_key=False)
    vars(catalog)["_providers"][provider_id] = closed


async def payers(shared: SharedParley) -> list[tuple[str, str, str]]:
    rows = await recorded_calls(shared.parley)
    return [(row.purpose, row.payer, row.payer_id) for row in rows]


# ── whose key is used ────────────────────────────────────────────────────────────────────────────


async def test_ones_own_key_is_used_for_ones_own_questions_alone(shared: SharedParley) -> None:
    jonas, mei = await shared.person("Jonas"), await shared.person("Mei")
    await put(jonas, "sk-of-jonas-1234")
    await ask(jonas)
    await ask(mei)
    assert sent(shared) == ["Bearer sk-of-jonas-1234", INSTALLATION]
    assert await payers(shared) == [("reply", "person", jonas.id), ("reply", "installation", "")]
    await put(jonas, "sk-of-jonas-5678")
    await ask(jonas)
    await jonas.send("DELETE", f"{MINE}/near", status=204)
    await ask(jonas)
    assert sent(shared) == ["Bearer sk-of-jonas-5678", INSTALLATION]


async def test_in_a_workspace_its_key_is_used_by_members_who_have_none(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    space = (await ana.send("POST", "/api/workspaces", {"name": "Kestrel"}))["id"]
    member = {"email": "jonas@example.org", "role": "editor"}
    await ana.send("PUT", f"/api/workspaces/{space}/members", member)
    keys = f"/api/workspaces/{space}/provider-keys"
    await put(ana, "sk-of-the-workspace", path=keys)
    assert (await put(jonas, "sk-of-an-editor", path=keys, status=403))["code"] == "forbidden"
    for person in (ana, jonas):
        person.client.headers["Parley-Space"] = space
    await put(ana, "sk-of-ana-herself")
    await ask(ana)
    await ask(jonas)
    del jonas.client.headers["Parley-Space"]
    await ask(jonas)
    assert sent(shared) == ["Bearer sk-of-ana-herself", "Bearer sk-of-the-workspace", INSTALLATION]
    assert [it[1:] for it in await payers(shared)] == [
        ("person", ana.id),
        ("workspace", space),
        ("installation", ""),
    ]
    await ana.send("DELETE", f"/api/workspaces/{space}", status=204)
    await jonas.send("GET", keys, status=404)


async def test_every_path_to_a_model_uses_ones_own_key(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path, models=MODELS, title_model="namer") as shared:
        jonas = await shared.person("Jonas")
        await put(jonas, "sk-of-jonas-1234")
        await put(jonas, "sk-of-jonas-1234", "far")
        await ask(jonas)
        titling = [task for task in asyncio.all_tasks() if task.get_name().startswith("title-of-")]
        await asyncio.gather(*titling)
        await jonas.send("POST", "/api/sessions", {"prompt": "Hello", "mode": "battle"})
        asked = {"messages": [{"role": "user", "text": "x"}], "model": "ada"}
        await jonas.send("POST", "/api/prompts/try", asked)
        board = {"a": "ada", "b": "bob", "arbiter": "cleo"}
        body = {"prompt": "Tea?", "mode": "consortium", "seats": board, "brief": {"max_iterations": 1}}
        await jonas.send("POST", "/api/sessions", body)
        secret = (await jonas.send("POST", "/api/me/keys", {"name": "Editor"}))["secret"]
        hello: list[Any] = [{"role": "user", "content": "Hello"}]
        address = f"{shared.parley.base_url}/v1"
        async with openai.AsyncOpenAI(base_url=address, api_key=secret, max_retries=0) as client:
            await client.chat.completions.create(model="ada", messages=hello)
        assert set(sent(shared)) == {"Bearer sk-of-jonas-1234"}
        assert {it[1:] for it in await payers(shared)} == {("person", jonas.id)}
        assert {"reply", "title", "api", "lab"} <= {it[0] for it in await payers(shared)}


async def test_without_a_key_a_closed_provider_answers_nobody_and_no_battle_draws_it(
    shared: SharedParley,
) -> None:
    jonas = await shared.person("Jonas")
    close(shared, "near")
    refused = (await ask(jonas))["error"]
    assert (refused["code"], refused["title"]) == (
        "own_key_needed",
        "Ada at near needs a provider key of your own.",
    )
    battle = {"prompt": "Hello", "mode": "battle"}
    problem = await jonas.send("POST", "/api/sessions", battle, status=503)
    assert problem["title"] == "This needs 2 models, and you have keys for 1."
    assert sent(shared) == []
    await put(jonas, "sk-of-jonas-1234")
    await jonas.send("POST", "/api/sessions", battle)
    assert "Bearer sk-of-jonas-1234" in sent(shared)


async def test_a_refused_own_key_is_named_and_concerns_nobody_else(shared: SharedParley) -> None:
    jonas, mei = await shared.person("Jonas"), await shared.person("Mei")
    await put(jonas, "sk-of-jonas-1234")
    gateway, upstream = shared.parley.application[Gateway], shared.parley.upstream
    upstream.fail(401, {"error": {"message": "bad key sk-of-jonas-1234"}})
    refused = (await ask(jonas))["error"]
    assert (refused["code"], refused["title"]) == ("own_key_refused", "Your key for near was refused.")
    assert "sk-of-jonas" not in refused["detail"]
    ada = shared.parley.application[CatalogService].model("ada")
    assert not gateway.is_down(ada)
    assert gateway.health.read(["near"])[0].error is None
    upstream.forget()
    assert (await ask(mei))["status"] == "completed"


async def test_a_key_is_not_sent_to_another_origin_that_its_provider_moves_to(tmp_path: Path) -> None:
    async with a_shared_parley(tmp_path, models=()) as shared, ScriptedUpstream() as elsewhere:
        ana, jonas, first = shared.administrator, await shared.person("Jonas"), shared.parley.upstream
        lab = {"name": "Lab", "base_url": first.url, "api_key": "sk-installation", "models": [{"model": "m"}]}
        await ana.send("POST", "/api/providers", lab)
        await put(jonas, "sk-of-jonas-1234", "lab")
        await ask(jonas, "m")
        await ana.send("PATCH", "/api/providers/lab", {"base_url": elsewhere.url, "shared_key": False})
        assert (await ask(jonas, "m"))["error"]["code"] == "own_key_needed"
        (shown,) = (await jonas.get(MINE))["providers"]
        assert (shown["last_four"], shown["is_used"], shown["shared_key"]) == ("1234", False, False)
        assert sent(shared) == ["Bearer sk-of-jonas-1234"]
        assert elsewhere.requests == []


# ── who pays ─────────────────────────────────────────────────────────────────────────────────────


async def test_an_allowance_of_the_installation_is_not_used_up_by_an_own_key(shared: SharedParley) -> None:
    ana, jonas = shared.administrator, await shared.person("Jonas")
    one = {"subject_kind": "installation", "meter": "requests", "period": "day", "cap": 1}
    await ana.send("POST", "/api/limits", one)
    await put(jonas, "sk-of-jonas-1234")
    for _ in range(3):
        assert (await ask(jonas))["status"] == "completed"
    assert (await ask(ana))["status"] == "completed"
    assert (await ask(ana))["error"]["code"] == "allowance_used_up"
    assert (await ask(jonas))["status"] == "completed"


async def test_usage_tells_what_ones_own_key_has_cost(shared: SharedParley) -> None:
    jonas = await shared.person("Jonas")
    await ask(jonas)
    await put(jonas, "sk-of-jonas-1234")
    for _ in range(2):
        await ask(jonas)
    await recorded_calls(shared.parley)
    await shared.parley.application[Folding].fold()
    table = await jonas.get("/api/usage?measure=requests&by=payer")
    assert table["rows"] == [["installation", 1], ["person", 2]]
    assert table["names"]["person"] == "Your key"
    everybodys = await shared.administrator.get("/api/usage?measure=requests&by=payer&of=installation")
    assert everybodys["rows"] == [["installation", 1], ["person", 2]]


# ── where a key is not ───────────────────────────────────────────────────────────────────────────


async def test_a_key_is_listed_by_its_end_to_its_holder_alone(shared: SharedParley) -> None:
    jonas, mei = await shared.person("Jonas"), await shared.person("Mei")
    answer = await put(jonas, "sk-of-jonas-1234")
    near = next(it for it in answer["providers"] if it["provider_id"] == "near")
    assert (near["last_four"], near["is_used"]) == ("1234", True)
    assert {it["last_four"] for it in (await mei.get(MINE))["providers"]} == {None}
    await mei.send("DELETE", f"{MINE}/near", status=404)
    assert (await put(jonas, "short", status=422))["field"] == "key"
    await put(jonas, "sk-of-jonas-1234", "nobody", status=404)


async def test_another_process_has_a_key_at_once_and_no_longer_than_it_exists(shared: SharedParley) -> None:
    app, ana = shared.parley.application, shared.administrator
    parts = app[Database].patient(), app[CatalogService], secrets_of(app[Settings]), app[WallClock], app[Bus]
    changed: asyncio.Queue[str] = asyncio.Queue()
    elsewhere = OwnKeyService(*parts, changed.put_nowait, asyncio.Lock())
    listening = asyncio.create_task(elsewhere.listen())
    await asyncio.sleep(0)
    near = app[CatalogService].provider("near")
    try:
        await put(ana, "a-key-of-ana")
        assert (await ask(ana))["status"] == "completed"
        async with asyncio.timeout(20):
            while elsewhere.key_of(ana.id, near) != "a-key-of-ana":  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        await ana.send("DELETE", f"{MINE}/near", status=204)
        async with asyncio.timeout(20):
            assert await changed.get() == ana.id
        assert elsewhere.key_of(ana.id, near) is None
    finally:
        listening.cancel()


async def test_a_personal_installation_has_no_keys_beside_its_own(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path) as parley:
        assert (await parley.get(MINE, 409))["code"] == "personal_mode"
        assert (await parley.chat())["responses"]["assistant"]["status"] == "completed"


async def test_planted_keys_are_found_nowhere_in_any_form(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    keys, shown = [canary(number) for number in range(3)], b""
    with caplog.at_level(logging.DEBUG):
        async with a_shared_parley(tmp_path, models=MODELS) as shared:
            ana, jonas = shared.administrator, await shared.person("Jonas")
            space = (await jonas.send("POST", "/api/workspaces", {"name": "Kestrel"}))["id"]
            holders = (MINE, f"/api/workspaces/{space}/provider-keys")
            for key in keys:
                shared.parley.upstream.fail(401, {"error": {"message": f"No such key: {key}"}}, times=2)
                for path in holders:
                    answers = [
                        await jonas.client.put(f"{path}/near", json={"key": key}),
                        await jonas.client.put(f"{path}/near", json={"key": [key]}),
                        await jonas.client.put(f"{path}/near", json={"key": f"{key}\nx", "name": key}),
                        await jonas.client.post("/api/sessions", json=CHAT),
                        await jonas.client.get(path),
                        await jonas.client.get("/api/data/export"),
                        await ana.client.get("/api/audit"),
                        await ana.client.post("/api/keys/rotate"),
                    ]
                    shown += b"".join(repr(it.headers.multi_items()).encode() + it.content for it in answers)
            assert {f"Bearer {key}" for key in keys} <= {*sent(shared)}, "the keys were in use"
            shared.parley.upstream.forget()
            await ask(jonas)
            assert sent(shared) == [f"Bearer {keys[-1]}"], "they are read with the new secret"
            kept = await stored(shared.parley, tmp_path)
    said = capfd.readouterr()
    logged = "\n".join([caplog.text, *map(repr, (vars(record) for record in caplog.records))])
    assert found_in(shown, keys) == []
    assert found_in(kept, keys) == []
    assert found_in(f"{logged}{said.out}{said.err}".encode(), keys) == []
