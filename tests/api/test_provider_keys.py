"""Keys of providers: sent to the origin they were given for, and shown nowhere."""

import logging
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from parley.features.catalog.repository import StoredEntriesRepository
from parley.features.catalog.secrets import KEY_FILE, Secrets
from parley.features.catalog.service import CatalogService
from parley.features.catalog.sources import CatalogSources
from parley.features.catalog.tables import ProviderRow
from parley.storage.database import Database
from tests.fakes.canaries import canary, forms, found_in
from tests.fakes.databases import an_empty_database
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

LAB = "/api/providers/lab"
OTHER_SECRET = "b3RoZXItc2VjcmV0LW90aGVyLXNlY3JldC1vdGhlci4="


async def add(parley: RunningParley, up: ScriptedUpstream, **more: Any) -> Any:
    body = {"name": "Lab", "base_url": up.url, "models": [{"model": "m"}], **more}
    return await parley.post("/api/providers", body)


async def patch(parley: RunningParley, body: Any, path: str = LAB) -> Any:
    answer = await parley.client.patch(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def view(parley: RunningParley, provider_id: str = "lab") -> Any:
    listed = (await parley.get("/api/providers"))["providers"]
    return next(each for each in listed if each["id"] == provider_id)


def sent(up: ScriptedUpstream) -> list[str | None]:
    return [request.headers.get("authorization") for request in up.requests]


# ── where a key goes ─────────────────────────────────────────────────────────────────────────────


async def test_a_key_is_dropped_when_the_origin_changes_and_not_when_only_the_path_does(
    parley: RunningParley,
) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        await add(parley, first, api_key="sk-first")
        changed = await patch(parley, {"base_url": f"{first.origin}/v2"})
        assert (changed["has_key"], changed["key_dropped"]) == (True, False)
        changed = await patch(parley, {"base_url": second.url})
        assert (changed["has_key"], changed["key_dropped"]) == (False, True)
        await parley.chat(model="m")
        await parley.post("/api/providers/test", {"provider_id": "lab"})
        await patch(parley, {"base_url": first.url})
        await parley.chat(model="m")
        assert set(sent(second)) == set(sent(first)) == {None}, "a dropped key does not come back"


async def test_a_new_key_given_with_a_new_address_is_for_that_address(parley: RunningParley) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        await add(parley, first, api_key="sk-first")
        await parley.chat(model="m")
        changed = await patch(parley, {"base_url": second.url, "api_key": " sk-second\n"})
        assert (changed["has_key"], changed["key_dropped"]) == (True, False)
        await parley.chat(model="m")
        assert (sent(first), sent(second)) == (["Bearer sk-first"], ["Bearer sk-second"])


async def test_a_key_typed_for_one_origin_never_reaches_another(parley: RunningParley) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        await add(parley, first, api_key="sk-first")
        await parley.chat(model="m")
        await add(parley, second, name="Second", api_key="sk-second")
        for body in (
            {"provider_id": "lab"},
            {"provider_id": "lab", "base_url": second.url},
            {"provider_id": "second"},
            {"base_url": second.url},
        ):
            await parley.post("/api/providers/test", body)
        routes = [{"provider": "second", "model": "m"}]
        await patch(parley, {"routes": routes}, "/api/models/m")
        await parley.chat(model="m")
        await patch(parley, {"base_url": second.url})
        await patch(parley, {"routes": [{"provider": "lab", "model": "m"}]}, "/api/models/m")
        await parley.chat(model="m")
        assert set(sent(first)) == {"Bearer sk-first"}
        assert set(sent(second)) == {"Bearer sk-second", None}


async def test_a_ciphertext_that_is_moved_in_the_database_is_sent_nowhere(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as first, ScriptedUpstream() as second:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        async with a_running_parley(tmp_path, upstream=first, **settings) as parley:
            await add(parley, first, api_key="sk-first")
            await add(parley, second, name="Second")

            def move(transaction: Any) -> None:
                repository = StoredEntriesRepository(transaction)
                lab, other = repository.provider("lab"), repository.provider("second")
                assert lab is not None
                assert other is not None
                other.sealed_key = lab.sealed_key
                lab.entry = {**lab.entry, "base_url": second.url}
                transaction.update(lab, other)

            await parley.application[Database].write(move)
        async with a_running_parley(tmp_path, upstream=first, **settings) as parley:
            for provider_id, model in (("lab", "m"), ("second", "m-2")):
                shown = await view(parley, provider_id)
                assert (shown["has_key"], "can't be read" in shown["problem"]) == (False, True)
                await parley.chat(model=model)
                await parley.post("/api/providers/test", {"provider_id": provider_id})
        assert len(second.requests) >= 4
        assert set(sent(second)) == {None}


async def test_a_redirect_carries_no_key_to_another_origin(parley: RunningParley) -> None:
    async with ScriptedUpstream() as first, ScriptedUpstream() as second:
        first.answer("", status=307, headers={"Location": f"{second.url}/chat/completions"})
        await add(parley, first, api_key="sk-first")
        await parley.chat(model="m")
        assert (len(first.requests), second.requests) == (1, [])


# ── keys of the environment ──────────────────────────────────────────────────────────────────────


async def test_a_key_of_the_environment_is_read_there_and_never_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_KEY", " sk-of-the-environment ")
    async with a_running_parley(tmp_path) as parley, ScriptedUpstream() as up:
        added = await add(parley, up, key_variable="LAB_KEY")
        assert (added["has_key"], added["key_variable"], added["problem"]) == (True, "LAB_KEY", None)
        await parley.chat(model="m")
        assert sent(up) == ["Bearer sk-of-the-environment"]
        assert b"sk-of-the-environment" not in await stored(parley, tmp_path)
        moved = await patch(parley, {"base_url": parley.upstream.url})
        assert (moved["key_variable"], moved["key_dropped"]) == (None, True)
        await patch(parley, {"key_variable": "LAB_KEY"})
        missing = await patch(parley, {"key_variable": "NOT_THERE"})
        assert (missing["has_key"], missing["problem"]) == (
            False,
            "The environment variable NOT_THERE is not set.",
        )


async def test_both_kinds_of_key_are_refused_and_an_empty_one_deletes(parley: RunningParley) -> None:
    async with ScriptedUpstream() as up:
        both = {"base_url": up.url, "api_key": "sk", "key_variable": "SOME"}
        problem = await parley.post("/api/providers", both, 422)
        assert "use one" in problem["title"]
        await add(parley, up, api_key="sk-here")
        assert (await patch(parley, {"key_variable": None}))["has_key"] is True
        assert (await patch(parley, {"api_key": ""}))["has_key"] is False
        await parley.chat(model="m")
        assert sent(up) == [None]


# ── lost and new secrets ─────────────────────────────────────────────────────────────────────────


async def test_a_lost_secret_is_said_at_the_provider_and_stops_nothing(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await add(parley, up, api_key="sk-lost")
        (tmp_path / "data" / KEY_FILE).unlink()
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            shown = await view(parley)
            assert (shown["has_key"], "secret.key is missing" in shown["problem"]) == (False, True)
            assert (await parley.chat(model="ada"))["responses"]["assistant"]["status"] == "completed"
            again = await patch(parley, {"api_key": "sk-again"})
            assert (again["has_key"], again["problem"]) == (True, None)
            await parley.chat(model="m")
            assert sent(up)[-1] == "Bearer sk-again"


async def test_keys_are_encrypted_again_with_a_new_secret(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        file = tmp_path / "data" / KEY_FILE
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await add(parley, up, api_key="sk-one")
            await add(parley, up, name="Two", api_key="sk-two")
            await add(parley, up, name="None")
            before, ciphers = file.read_text(), await sealed(parley)
            assert await parley.post("/api/keys/rotate") == {"providers": ["lab", "two"], "lost": []}
            assert file.read_text() != before
            assert set(ciphers).isdisjoint(await sealed(parley))
            await parley.chat(model="m")
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await parley.chat(model="m")
            await parley.chat(model="m-2")
        assert sent(up) == ["Bearer sk-one", "Bearer sk-one", "Bearer sk-two"]


async def test_a_crash_between_the_steps_of_a_rotation_loses_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        for number, step in enumerate(("seal", "end_rotation")):
            async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
                await add(parley, up, name=f"Lab {number}", api_key=f"sk-{number}")
                with monkeypatch.context() as broken:
                    broken.setattr(Secrets, step, _power_cut)
                    assert (await parley.client.post("/api/keys/rotate")).status_code == 500
            async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
                assert (await view(parley, f"lab-{number}"))["problem"] is None
                left = [file.name for file in (tmp_path / "data").glob("secret.key*")]
                assert left == [KEY_FILE], "the start has finished the rotation"
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            assert (await parley.post("/api/keys/rotate"))["providers"] == ["lab-0", "lab-1"]
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await parley.chat(model="m")
            await parley.chat(model="m-2")
        assert sent(up) == ["Bearer sk-0", "Bearer sk-1"]
        assert [file.name for file in (tmp_path / "data").glob("secret.key*")] == [KEY_FILE]


def _power_cut(*_: object) -> None:
    raise SystemError("the power is gone")


async def test_a_rotation_says_which_keys_are_lost_and_leaves_them(tmp_path: Path) -> None:
    async with an_empty_database() as url, ScriptedUpstream() as up:
        settings: dict[str, Any] = {} if url is None else {"database_url": url}
        async with a_running_parley(tmp_path, upstream=up, secret_key=OTHER_SECRET, **settings) as parley:
            await add(parley, up, api_key="sk-elsewhere")
            refused = await parley.post("/api/keys/rotate", status=409)
            assert refused["code"] == "secret_given"
        async with a_running_parley(tmp_path, upstream=up, **settings) as parley:
            await add(parley, up, name="Here", api_key="sk-here")
            assert await parley.post("/api/keys/rotate") == {"providers": ["here"], "lost": ["lab"]}
        async with a_running_parley(tmp_path, upstream=up, secret_key=OTHER_SECRET, **settings) as parley:
            assert (await view(parley))["has_key"] is True


# ── where a key is not ───────────────────────────────────────────────────────────────────────────


@pytest.mark.slow
async def test_twenty_keys_are_found_nowhere_in_any_form(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    keys = [canary(number) for number in range(20)]
    shown = b""
    with caplog.at_level(logging.DEBUG):
        async with a_running_parley(tmp_path) as parley, ScriptedUpstream() as up, ScriptedUpstream() as bad:

            async def ask(method: str, path: str, body: Any = None) -> None:
                nonlocal shown
                given = {} if body is None else {"json": body}
                answer = await parley.client.request(method, path, **given)
                shown += f"{method} {path} {answer.headers.multi_items()}".encode() + answer.content

            for number, key in enumerate(keys):
                echo = {"error": {"message": f"No such key: {key}", "type": "auth", "code": key}}
                bad.fail((401, 403, 400, 404, 429, 500)[number % 6], echo)
                for server in (up, bad):
                    url, name = server.url, f"P{number}-{server.port}"
                    body = {"name": name, "base_url": url, "api_key": key, "models": [{"model": name}]}
                    await ask("POST", "/api/providers", body)
                    await ask("POST", "/api/providers/test", {"base_url": url, "api_key": key})
                    await ask("POST", "/api/providers/test", {"provider_id": name.lower()})
                    chat = {"prompt": "x", "mode": "chat", "seats": {"assistant": name.lower()}}
                    await ask("POST", "/api/sessions", chat)
                await refuse_and_change(ask, f"p{number}-{up.port}", bad.url, key)
            assert {f"Bearer {key}" for key in keys} <= {*sent(up)} & {*sent(bad)}, "the keys were in use"
            await ask("POST", "/api/keys/rotate")
            for path in ("providers", "models", "sessions", "data", "data/export", "votes/export", "about"):
                await ask("GET", f"/api/{path}")
            shown += repr(vars(parley.application)).encode()
            shown += repr(
                [parley.application[CatalogService].providers(), parley.application[CatalogSources].stored]
            ).encode()
            kept = await stored(parley, tmp_path)
    said = capfd.readouterr()
    logged = "\n".join([caplog.text, *map(repr, (vars(record) for record in caplog.records))])
    assert len(kept) > 20_000
    assert "owner (program) adds the provider" in logged
    assert found_in(shown, keys) == []
    assert found_in(kept, keys) == []
    assert found_in(f"{logged}{said.out}{said.err}".encode(), keys) == []


def test_the_search_finds_each_form_in_which_a_key_could_leak() -> None:
    key = canary(7)
    for name, form in forms(key):
        assert found_in(b"before " + form + b" after", [key]) != [], name


async def refuse_and_change(ask: Any, provider_id: str, other_url: str, key: str) -> None:
    """Send requests with a key that break rules, crash, or move the provider."""
    path = f"/api/providers/{provider_id}"
    for body in (
        {"api_key": key, "key_variable": "SOME"},
        {"api_key": key, "base_url": "ftp://nowhere"},
        {"api_key": [key]},
        {"api_key": key * 200},
        {"api_key": f"{key}\nx"},
        {"name": "Same", "api_key": key, "weight": key},
    ):
        await ask("PATCH", path, body)
        await ask("POST", "/api/providers", {"base_url": other_url, **body})
        await ask("POST", "/api/providers/test", {"base_url": other_url, **body})
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(Secrets, "seal", _power_cut)
        await ask("PATCH", path, {"api_key": key})
    await ask("PATCH", path, {"base_url": other_url, "api_key": key})
    await ask("PATCH", path, {"base_url": "http://127.0.0.1:1/v1"})


async def sealed(parley: RunningParley) -> list[bytes]:
    def read(transaction: Any) -> list[bytes]:
        query = sa.select(ProviderRow.c.sealed_key).where(ProviderRow.c.sealed_key.is_not(None))
        return [bytes(key) for key in transaction.scalars(query)]

    return await parley.application[Database].read(read)


async def stored(parley: RunningParley, folder: Path) -> bytes:
    """Return everything that is stored: the data folder's files, and the rows of every table."""
    files = [file.read_bytes() for file in (folder / "data").rglob("*") if file.is_file()]

    def rows(connection: sa.Connection) -> bytes:
        found = sa.MetaData()
        found.reflect(connection)
        whole = [
            repr([tuple(row) for row in connection.execute(sa.select(table))])
            for table in found.sorted_tables
            if not table.name.startswith("search_index")
        ]
        return "\n".join(whole).encode()

    return b"\n".join([*files, await parley.application[Database].administer(rows)])
