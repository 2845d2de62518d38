"""The model list's file beside the database: it wins, and is read again when it changes."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.features.catalog import sources
from parley.features.catalog.service import CatalogService
from parley.features.catalog.sources import CatalogSources
from parley.kernel.errors import Unavailable
from parley.storage.database import Database
from tests.fakes.databases import an_empty_database
from tests.fakes.running import ModelSpec, RunningParley, a_running_parley, write_models
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LOOK_EVERY_S", 0.05)


async def cards(parley: RunningParley) -> dict[str, Any]:
    return {each["id"]: each for each in (await parley.get("/api/models"))["models"]}


async def until(holds: Callable[[], bool], what: str) -> None:
    for _ in range(400):
        if holds():
            return
        await asyncio.sleep(0.025)
    raise AssertionError(what)


def has(parley: RunningParley, *models: str) -> Callable[[], bool]:
    return lambda: {model.id for model in parley.application[CatalogService].models()} == set(models)


async def add(parley: RunningParley, up: ScriptedUpstream, provider_id: str, *models: str) -> Any:
    listed = [{"model": model, "id": model} for model in models]
    return await parley.post(
        "/api/providers", {"id": provider_id, "name": "Lab", "base_url": up.url, "models": listed}
    )


async def test_a_changed_file_is_in_use_without_a_restart(parley: RunningParley, tmp_path: Path) -> None:
    async with ScriptedUpstream() as up:
        up.reply("From the new address.")
        write_models(tmp_path / "models.yaml", up.url, ["ada", "dora"])
        await until(has(parley, "ada", "dora"), "the file was not read again")
        outcome = await parley.chat(model="dora")
        assert outcome["responses"]["assistant"]["content"] == "From the new address."
        assert (await parley.get("/api/providers"))["file_error"] is None


async def test_the_file_wins_over_the_database_and_gives_way_again(
    parley: RunningParley, tmp_path: Path
) -> None:
    path = tmp_path / "models.yaml"
    async with ScriptedUpstream() as up:
        await add(parley, up, "lab", "dora")
        own = ModelSpec("dora", name="From the file", provider="lab")
        write_models(path, parley.upstream.url, ["ada", own])
        await until(
            lambda: parley.application[CatalogService].model("dora").name == "From the file", "no change"
        )
        listed = await parley.get("/api/providers")
        assert {each["id"]: each["source"] for each in listed["providers"]} == {"near": "file", "lab": "file"}
        assert listed["file"] == str(path)
        assert (await cards(parley))["dora"]["source"] == "file"
        await parley.chat(model="dora")
        assert up.requests == []
        for method, address in (
            ("PATCH", "/api/models/dora"),
            ("DELETE", "/api/models/dora"),
            ("PATCH", "/api/providers/lab"),
            ("DELETE", "/api/providers/lab"),
            ("PATCH", "/api/models/ada"),
        ):
            given: dict[str, Any] = {"json": {"enabled": False}} if method == "PATCH" else {}
            answer = await parley.client.request(method, address, **given)
            assert (answer.status_code, answer.json()["code"]) == (409, "in_file"), address
            assert f"is in {path}. Change it there." in answer.json()["title"]
        write_models(path, parley.upstream.url, ["ada"])
        await until(
            lambda: parley.application[CatalogService].model("dora").name == "dora", "the row is back"
        )
        await parley.chat(model="dora")
        assert len(up.requests) == 1


@pytest.mark.parametrize(
    "text",
    [
        "models: [",
        "models: [{id: x}]",
        "providers: [{id: p, connector: openai, base_url: 'http://no\u200bhost/v1'}]\nmodels: []",
        "\x00",
    ],
)
async def test_a_broken_file_keeps_the_list_of_before_and_says_what_is_wrong(
    parley: RunningParley, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "models.yaml"
    before = await cards(parley)
    path.write_text(text, "utf-8")
    await until(lambda: parley.application[CatalogSources].file.error is not None, "nobody noticed")
    assert (await parley.get("/api/providers"))["file_error"]
    assert await cards(parley) == before
    async with ScriptedUpstream() as up:
        await add(parley, up, "lab", "dora")
        assert set(await cards(parley)) == {*before, "dora"}
        assert (await parley.get("/api/providers"))["file_error"], "a change elsewhere does not hide it"
    await parley.chat(model="ada")
    write_models(path, parley.upstream.url, ["ada"])
    await until(has(parley, "ada", "dora"), "the corrected file was not read")
    assert (await parley.get("/api/providers"))["file_error"] is None


async def test_an_id_that_stood_for_another_model_is_refused_in_a_changed_file_too(
    parley: RunningParley, tmp_path: Path
) -> None:
    path, url = tmp_path / "models.yaml", parley.upstream.url
    write_models(path, url, ["ada"])
    await until(has(parley, "ada"), "bob is still there")
    write_models(path, url, ["ada", ModelSpec("bob", name="Somebody else")])
    await until(lambda: parley.application[CatalogSources].file.error is not None, "nobody noticed")
    assert "retired" in (await parley.get("/api/providers"))["file_error"]
    assert set(await cards(parley)) == {"ada"}


async def test_a_file_that_goes_away_keeps_its_models_if_it_was_named(
    parley: RunningParley, tmp_path: Path
) -> None:
    path = tmp_path / "models.yaml"
    path.unlink()
    await until(lambda: parley.application[CatalogSources].file.error is not None, "nobody noticed")
    assert set(await cards(parley)) == {"ada", "bob", "cleo"}


async def test_a_database_that_is_away_only_delays_a_changed_file(
    parley: RunningParley, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    reload = CatalogSources.reload

    async def away(self: CatalogSources) -> None:
        tried.append(1)
        if len(tried) < 4:
            raise Unavailable("The database is away.", code="database_busy")
        await reload(self)

    monkeypatch.setattr(CatalogSources, "reload", away)
    write_models(tmp_path / "models.yaml", parley.upstream.url, ["ada"])
    await until(has(parley, "ada"), "the change was forgotten")
    assert parley.application[CatalogSources].file.error is None


async def test_a_stream_that_runs_while_the_file_changes_finishes(
    parley: RunningParley, tmp_path: Path
) -> None:
    parley.upstream.reply("Half ", "and half.", hold_after=1)
    asked = {"prompt": "x", "mode": "chat", "seats": {"assistant": "ada"}}
    async with parley.stream("POST", "/api/sessions", asked) as stream:
        await stream.until_said()
        write_models(tmp_path / "models.yaml", parley.upstream.url, ["bob"])
        await until(has(parley, "bob"), "the file was not read again")
        parley.upstream.release()
        assert (await stream.rest())[-1]["kind"] == "turn.completed"


async def test_models_of_the_file_need_no_tag_beside_models_of_the_database(
    parley: RunningParley, tmp_path: Path
) -> None:
    async with ScriptedUpstream() as up:
        await add(parley, up, "lab", "dora")
        catalog = parley.application[CatalogService]
        assert {model.id for model in catalog.battle_pool()} == {"ada", "bob", "cleo"}
        write_models(
            tmp_path / "models.yaml", parley.upstream.url, [ModelSpec("ada", tags=("battle",)), "bob"]
        )
        await until(has(parley, "ada", "bob", "dora"), "the file was not read again")
        assert {model.id for model in catalog.battle_pool()} == {"ada"}


async def test_a_row_that_this_version_cannot_use_prevents_no_start(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await add(parley, up, "lab", "dora")
            await add(parley, up, "other", "emma")

            def spoil(transaction: Any) -> None:
                from parley.features.catalog.repository import StoredEntriesRepository

                repository = StoredEntriesRepository(transaction)
                lab, other = repository.provider("lab"), repository.provider("other")
                assert lab is not None
                assert other is not None
                lab.entry = {**lab.entry, "connector": "of-a-plugin-that-is-gone"}
                other.entry = {"nonsense": msgspec.json.encode({}).decode()}
                transaction.update(lab, other)

            await parley.application[Database].write(spoil)
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            listed = {each["id"]: each for each in (await parley.get("/api/providers"))["providers"]}
            assert set(listed) == {"near", "lab"}
            assert "is not installed" in listed["lab"]["problem"]
            models = await cards(parley)
            assert (models["dora"]["enabled"], models["emma"]["enabled"]) == (False, False)
            await parley.chat(model="ada")
            for provider_id in ("lab", "other"):
                answer = await parley.client.delete(f"/api/providers/{provider_id}")
                assert answer.status_code == 200
