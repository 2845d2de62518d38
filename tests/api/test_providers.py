"""Providers and models that are added, changed and removed while the server runs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from parley.features.catalog.service import CatalogService
from tests.fakes.databases import ON_EVERY_KIND, an_empty_database
from tests.fakes.running import RunningParley, a_running_parley, read_all
from tests.fakes.upstream import ScriptedUpstream


async def add(parley: RunningParley, up: ScriptedUpstream, *models: str, **more: Any) -> Any:
    """Add a provider at a scripted server, with models."""
    body = {"name": "Lab", "base_url": up.url, "models": [{"model": model} for model in models], **more}
    return await parley.post("/api/providers", body)


async def patch(parley: RunningParley, path: str, body: Any, status: int = 200) -> Any:
    answer = await parley.client.patch(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def delete(parley: RunningParley, path: str, status: int = 200) -> Any:
    answer = await parley.client.delete(path)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def providers(parley: RunningParley) -> dict[str, Any]:
    return {each["id"]: each for each in (await parley.get("/api/providers"))["providers"]}


async def cards(parley: RunningParley) -> dict[str, Any]:
    return {each["id"]: each for each in (await parley.get("/api/models"))["models"]}


def said(outcome: Any) -> str:
    return next(iter(outcome["responses"].values()))["content"]


# ── at once ──────────────────────────────────────────────────────────────────────────────────────


async def test_a_provider_and_its_models_are_asked_at_once(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        up.reply("From the lab.")
        added = await add(parley, up, "llama3.2:3b", "Org/Big-Model", api_key="sk-lab")
        assert (added["id"], added["source"], added["has_key"], added["models"]) == (
            *("lab", "database", True),
            2,
        )
        known = await cards(parley)
        assert known["llama3.2-3b"]["source"] == "database"
        assert (known["big-model"]["name"], known["ada"]["source"]) == ("Org/Big-Model", "file")
        assert said(await parley.chat(model="llama3.2-3b")) == "From the lab."
        assert [request.model for request in up.requests] == ["llama3.2:3b"]
        assert up.requests[0].headers["authorization"] == "Bearer sk-lab"


async def test_models_are_added_to_a_provider_that_is_there(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up)
        body = {
            "models": [
                {
                    "provider": "lab",
                    "model": "m",
                    "name": "Emm",
                    "organization": "Org",
                    "context_window": 8192,
                },
                {"provider": "near", "model": "n", "id": "own-id", "prices": {"input": 1, "output": 2}},
            ]
        }
        added = (await parley.post("/api/models", body))["models"]
        assert [(card["id"], card["name"], card["provider"]) for card in added] == [
            ("m", "Emm", "lab"),
            ("own-id", "n", "near"),
        ]
        assert added[0]["context_window"] == 8192
        assert said(await parley.chat(model="m")) == said(await parley.chat(model="own-id"))


async def test_a_changed_address_is_used_by_the_next_question(parley: RunningParley) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        first.reply("first")
        second.reply("second")
        await add(parley, first, "m")
        assert said(await parley.chat(model="m")) == "first"
        changed = await patch(parley, "/api/providers/lab", {"base_url": second.url})
        assert (changed["base_url"], changed["key_dropped"]) == (second.url, False)
        assert said(await parley.chat(model="m")) == "second"
        assert len(first.requests) == 1


async def test_a_provider_that_failed_is_asked_again_once_it_has_changed(parley: RunningParley) -> None:
    async with ScriptedUpstream() as gone, ScriptedUpstream() as up:
        await add(parley, gone, "m")
        await gone.stop()
        await parley.chat(model="m")
        assert (await providers(parley))["lab"]["health"]["state"] != "ok"
        await patch(parley, "/api/providers/lab", {"base_url": up.url})
        assert (await providers(parley))["lab"]["health"]["state"] == "ok"
        assert said(await parley.chat(model="m")) == "A scripted answer."


async def test_a_stream_that_runs_during_changes_finishes_with_what_it_began_with(
    parley: RunningParley,
) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        first.reply("Half ", "and half.", hold_after=1)
        await add(parley, first, "m", api_key="sk-first")
        asked = {"prompt": "x", "mode": "chat", "seats": {"assistant": "m"}}
        async with parley.stream("POST", "/api/sessions", asked) as stream:
            await stream.until_said()
            await patch(parley, "/api/providers/lab", {"base_url": second.url, "max_concurrency": 1})
            assert said(await parley.chat(model="m")) == "A scripted answer."
            await delete(parley, "/api/providers/lab")
            assert "m" not in await cards(parley)
            first.release()
            events = await stream.rest()
        assert events[-1]["kind"] == "turn.completed"
        assert read_all(events).texts() == {"assistant": "Half and half."}
        assert (first.aborted, len(first.requests), len(second.requests)) == (0, 1, 1)


async def test_a_question_that_waits_while_its_provider_is_removed_fails_with_the_cause(
    parley: RunningParley,
) -> None:
    async with ScriptedUpstream() as up:
        up.reply("Held ", "long.", hold_after=1)
        await add(parley, up, max_concurrency=1)
        one = {"provider": "lab", "model": "m", "max_concurrency": 1}
        await parley.post("/api/models", {"models": [one]})
        asked = {"prompt": "x", "mode": "chat", "seats": {"assistant": "m"}}
        async with parley.stream("POST", "/api/sessions", asked) as stream:
            await stream.until_said()
            waiting = asyncio.create_task(parley.chat(model="m"))
            await asyncio.sleep(0.2)
            await delete(parley, "/api/providers/lab")
            up.release()
            assert (await stream.rest())[-1]["kind"] == "turn.completed"
        reply = next(iter((await waiting)["responses"].values()))
        assert (reply["status"], reply["error"]["code"]) == ("failed", "provider_removed")


async def test_a_disabled_provider_takes_its_models_out_and_back_in(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, "m")
        assert (await patch(parley, "/api/providers/lab", {"enabled": False}))["enabled"] is False
        assert (await cards(parley))["m"]["enabled"] is False
        await patch(parley, "/api/providers/lab", {"enabled": True})
        assert said(await parley.chat(model="m")) == "A scripted answer."


async def test_a_model_is_changed_field_by_field(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up, ScriptedUpstream() as other:
        await add(parley, up, "m")
        await add(parley, other, name="Other")
        path = "/api/models/m"
        card = await patch(parley, path, {"name": "Em", "prices": {"input": 3, "output": 4}, "battle": True})
        assert (card["name"], card["prices"]["output"], card["tags"]) == ("Em", 4, ["battle"])
        card = await patch(
            parley, path, {"battle": False, "prices": None, "capabilities": ["text", "vision"]}
        )
        assert (card["prices"], card["tags"], card["capabilities"]) == (None, [], ["text", "vision"])
        assert card["name"] == "Em"
        await patch(parley, path, {"routes": [{"provider": "other", "model": "m2"}]})
        await parley.chat(model="m")
        assert [request.model for request in other.requests] == ["m2"]
        assert (await patch(parley, path, {"enabled": False}))["enabled"] is False


async def test_limits_and_regions_are_set_and_cleared(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, region="eu", max_concurrency=2, weight=3, priority=1)
        lab = (await providers(parley))["lab"]
        assert (lab["region"], lab["max_concurrency"], lab["weight"], lab["priority"]) == ("eu", 2, 3, 1)
        lab = await patch(parley, "/api/providers/lab", {"region": None, "max_concurrency": None})
        assert (lab["region"], lab["max_concurrency"], lab["weight"]) == (None, None, 3)


# ── battles ──────────────────────────────────────────────────────────────────────────────────────


async def test_nothing_enters_the_battle_pool_by_itself(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, "m")

        def pool() -> set[str]:
            return {model.id for model in parley.application[CatalogService].battle_pool()}

        assert pool() == {"ada", "bob", "cleo"}
        await parley.post("/api/models", {"models": [{"provider": "lab", "model": "b", "battle": True}]})
        assert pool() == {"b"}
        await patch(parley, "/api/models/b", {"battle": False})
        assert pool() == {"ada", "bob", "cleo"}


async def test_demo_models_leave_with_the_first_real_model(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=(), demo_models="auto") as parley, ScriptedUpstream() as up:
        assert all(card["demo"] for card in (await cards(parley)).values())
        await add(parley, up, "m")
        assert {name: card["source"] for name, card in (await cards(parley)).items()} == {"m": "database"}
        await delete(parley, "/api/models/m", 204)
        assert {card["source"] for card in (await cards(parley)).values()} == {"demo"}


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "base_url"),
        ({"base_url": "ftp://x"}, "base_url"),
        ({"base_url": "http://user:pw@x/v1"}, "base_url"),
        ({"base_url": "http://a..b/v1"}, "base_url"),
        ({"base_url": "http://0x7f.1/v1"}, "base_url"),
        ({"base_url": "http://169.254.169.254/v1"}, "base_url"),
        ({"base_url": "http://127.0.0.1:1/v1", "weight": -1}, "weight"),
        ({"base_url": "http://127.0.0.1:1/v1", "max_concurrency": 0}, "max_concurrency"),
        ({"base_url": "http://127.0.0.1:1/v1", "id": "No Id"}, "id"),
        ({"base_url": "http://127.0.0.1:1/v1", "connector": "none"}, "connector"),
        ({"base_url": "http://127.0.0.1:1/v1", "known": "nobody"}, "known"),
        ({"base_url": "http://127.0.0.1:1/v1", "key_variable": "PARLEY_SECRET_KEY"}, "key_variable"),
        ({"base_url": "http://127.0.0.1:1/v1", "key_variable": "no name"}, "key_variable"),
        ({"base_url": "http://127.0.0.1:1/v1", "api_key": "two\nlines"}, "api_key"),
        ({"base_url": "http://127.0.0.1:1/v1", "api_key": "schlüssel"}, "api_key"),
        ({"base_url": "http://127.0.0.1:1/v1", "models": [{"model": ""}]}, "models.0.model"),
        (
            {"base_url": "http://127.0.0.1:1/v1", "models": [{"model": "a"}, {"model": "b", "timeout_s": 0}]},
            "models.1.timeout_s",
        ),
        ({"base_url": "http://127.0.0.1:1/v1", "url": "x"}, "url"),
    ],
)
async def test_an_error_names_the_field_and_nothing_is_saved(
    parley: RunningParley, body: dict[str, Any], field: str
) -> None:
    problem = await parley.post("/api/providers", body, 422)
    assert (problem["code"], problem["field"]) == ("invalid_input", field)
    assert set(await providers(parley)) == {"near"}


async def test_a_change_that_breaks_a_rule_changes_nothing(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, "m")
        before = await parley.get("/api/providers"), await cards(parley)
        lab, model = "/api/providers/lab", "/api/models/m"
        for path, body, field in (
            (lab, {}, "body"),
            (lab, {"base_url": "http://[::1"}, "base_url"),
            (lab, {"base_url": "http://a..b/v1"}, "base_url"),
            (model, {}, "body"),
            (model, {"routes": []}, "routes"),
            (model, {"routes": [{"provider": "nobody", "model": "m"}]}, "routes.0.provider"),
            (model, {"routes": [{"provider": "lab"}]}, "routes.0.model"),
            (model, {"prices": {"input": -1, "output": 1}}, "prices.input"),
        ):
            problem = await patch(parley, path, body, 422)
            assert problem["field"] == field, (path, body, problem)
        nobody = {"models": [{"provider": "lab", "model": "ok"}, {"provider": "labb", "model": "x"}]}
        problem = await parley.post("/api/models", nobody, 422)
        assert (problem["field"], "did you mean “lab”" in problem["title"]) == ("models.1.provider", True)
        assert (await parley.get("/api/providers"), await cards(parley)) == before


async def test_what_is_not_there_is_not_found(parley: RunningParley) -> None:
    for path, code in (
        ("/api/providers/nobody", "provider_not_found"),
        ("/api/models/no", "model_not_found"),
    ):
        assert (await patch(parley, path, {"enabled": False}, 404))["code"] == code
        assert (await delete(parley, path, 404))["code"] == code
    await parley.post("/api/providers/test", {"provider_id": "nobody"}, 404)


# ── ids and retirement ───────────────────────────────────────────────────────────────────────────


async def test_a_removed_provider_takes_only_its_own_models_along(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up, ScriptedUpstream() as other:
        await add(parley, up, "alone", "shared")
        await add(parley, other, name="Other")
        routes = [{"provider": "lab", "model": "shared"}, {"provider": "other", "model": "shared"}]
        await patch(parley, "/api/models/shared", {"routes": routes})
        outcome = await parley.chat(model="alone")
        assert await delete(parley, "/api/providers/lab") == {"retired_models": ["alone"]}
        assert {"alone", "shared"} & set(await cards(parley)) == {"shared"}
        await parley.chat(model="shared")
        assert len(other.requests) == 1
        session = await parley.get(f"/api/sessions/{outcome['session_id']}")
        assert "A scripted answer." in str(session)


async def test_ids_are_never_given_again(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, "m")
        await delete(parley, "/api/providers/lab")
        again = await add(parley, up, "m")
        assert again["id"] == "lab-2"
        assert {"m", "m-2"} & set(await cards(parley)) == {"m-2"}
        taken = await parley.post("/api/providers", {"base_url": up.url, "id": "lab"}, 409)
        assert taken["code"] == "provider_exists"
        for model_id in ("m", "m-2", "ada"):
            body = {"models": [{"provider": "lab-2", "model": "m", "id": model_id}]}
            assert (await parley.post("/api/models", body, 409))["code"] == "model_exists"
        await delete(parley, "/api/models/m-2", 204)
        added = await parley.post("/api/models", {"models": [{"provider": "lab-2", "model": "m"}]})
        assert added["models"][0]["id"] == "m-3"


async def test_adding_one_model_that_is_refused_adds_none(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        models = [{"model": "fine"}, {"model": "taken", "id": "ada"}]
        body = {"name": "Lab", "base_url": up.url, "models": models}
        assert (await parley.post("/api/providers", body, 409))["code"] == "model_exists"
        assert set(await providers(parley)) == {"near"}
        assert "fine" not in await cards(parley)


async def test_a_restart_keeps_everything(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await add(parley, up, "m", "off", api_key="sk-kept", region="eu")
            await patch(parley, "/api/models/m", {"name": "Em", "prices": {"input": 1, "output": 2}})
            await patch(parley, "/api/models/off", {"enabled": False})
            await add(parley, up, "gone", name="Gone")
            await delete(parley, "/api/providers/gone")
            before = await providers(parley), await cards(parley)
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            assert (await providers(parley), await cards(parley)) == before
            await parley.chat(model="m")
            assert up.requests[-1].headers["authorization"] == "Bearer sk-kept"
            assert (await add(parley, up, "gone", name="Gone"))["id"] == "gone-2"


async def test_a_hundred_changes_at_once_leave_one_consistent_catalog(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        added = await asyncio.gather(*(add(parley, up, "m", name="Lab") for _ in range(20)))
        assert len({each["id"] for each in added}) == 20
        answers = await asyncio.gather(
            *(parley.chat(model="ada") for _ in range(20)),
            *(delete(parley, f"/api/providers/{each['id']}") for each in added[:10]),
            *(patch(parley, f"/api/providers/{each['id']}", {"weight": 2}) for each in added[10:]),
        )
        assert {said(outcome) for outcome in answers[:20]} == {"A scripted answer."}
        left = await providers(parley)
        assert set(left) == {"near", *(each["id"] for each in added[10:])}
        assert {left[each["id"]]["weight"] for each in added[10:]} == {2}
        models = await cards(parley)
        assert len(models) == 3 + 10
        assert {models[name]["provider"] for name in models} == set(left)


@ON_EVERY_KIND
async def test_models_that_are_added_at_once_under_one_name_get_their_own_ids(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up)
        body = {"models": [{"provider": "lab", "model": "m"}]}
        added = await asyncio.gather(*(parley.post("/api/models", body) for _ in range(20)))
        ids = [each["models"][0]["id"] for each in added]
        assert sorted(ids) == sorted(["m", *(f"m-{number}" for number in range(2, 21))])


async def test_a_check_says_of_each_provider_what_doctor_would(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        up.lists("m")
        await add(parley, up, "m")
        await parley.post(
            "/api/providers", {"known": "custom", "base_url": "http://127.0.0.1:9/v1", "id": "gone"}
        )
        found = {each["provider"]: each for each in (await parley.post("/api/providers/checks"))["checks"]}
    lab, gone = found["lab"], found["gone"]
    assert lab["state"] == "ok"
    assert lab["text"] == f"reachable in {lab['latency_ms']:.0f} ms, 1 model"
    assert (gone["state"], gone["latency_ms"]) == ("broken", None)
    assert "refused" in gone["text"]


async def test_what_an_administrator_does_is_logged_with_who_did_it(
    parley: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    async with ScriptedUpstream() as up:
        with caplog.at_level("INFO", "parley.features.catalog"):
            await add(parley, up, "m", api_key="sk-silent")
            await patch(parley, "/api/providers/lab", {"weight": 2})
            await patch(parley, "/api/models/m", {"battle": True})
            await delete(parley, "/api/models/m", 204)
            await delete(parley, "/api/providers/lab")
            await parley.post("/api/keys/rotate")
    assert [record.getMessage() for record in caplog.records] == [
        "owner (program) adds the provider lab",
        "owner (program) changes the provider lab",
        "owner (program) changes the model m",
        "owner (program) removes the model m",
        "owner (program) removes the provider lab",
        "owner (program) has 0 keys encrypted again",
    ]


# ── addresses ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "path", ["", "/", "/v1/", "/v1/models", "/v1/chat/completions?x=1", "/v1/chat", "/api/tags"]
)
async def test_what_was_tested_is_saved_and_called(parley: RunningParley, path: str) -> None:
    async with ScriptedUpstream() as up:
        up.lists("m")
        written = f" {up.origin.removeprefix('http://')}{path} "
        tested = await parley.post("/api/providers/test", {"base_url": written})
        assert (tested["ok"], tested["base_url"]) == (True, f"{up.origin}/v1")
        body = {"name": "Lab", "base_url": written, "models": [{"model": "m"}]}
        assert (await parley.post("/api/providers", body))["base_url"] == tested["base_url"]
        up.reply("Called.")
        assert said(await parley.chat(model="m")) == "Called."
        assert up.requests[-1].path == "/v1/chat/completions"
        changed = await patch(parley, "/api/providers/lab", {"base_url": f'"{up.origin.upper()}"'})
        assert changed["base_url"] == tested["base_url"]


async def test_a_second_provider_at_one_address_is_said(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        up.lists("m")
        assert (await add(parley, up))["same_address_as"] is None
        other = up.origin.replace("127.0.0.1", "localhost")
        tested = await parley.post("/api/providers/test", {"base_url": other})
        assert tested["ok"]
        assert tested["problem"]["code"] == "provider_exists"
        assert (await parley.post("/api/providers", {"base_url": other}))["same_address_as"] == "lab"
        same = await parley.post("/api/providers/test", {"provider_id": "lab"})
        assert same["problem"] is None
