"""`parley providers`, `parley models` and `parley keys` as a person runs them."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2  # noqa: TID251 - speaks to loopback only
import msgspec
import pytest

from parley.cli.serve import start_text
from parley.features.catalog.opening import read_catalog
from parley.features.catalog.secrets import KEY_FILE
from parley.settings_loading import load_settings
from tests.fakes.commands import Run, runner
from tests.fakes.serving import serving
from tests.fakes.upstream import Script, ScriptedUpstream


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(tmp_path, monkeypatch)


@pytest.fixture
def up() -> Iterator[ScriptedUpstream]:
    upstream = ScriptedUpstream.start_in_thread().lists("m", "org/big")
    yield upstream
    upstream.stop_thread()


def listed(run: Run, *arguments: str) -> Any:
    return msgspec.json.decode(run(*arguments, "--json").stdout)


def test_a_provider_is_tested_added_listed_and_removed(run: Run, up: ScriptedUpstream) -> None:
    found = run("providers", "test", up.url, "--key-stdin", given="sk-typed\n").stdout
    assert "Models: 2" in found
    assert "  org/big\n" in found
    assert up.requests[-1].headers["authorization"] == "Bearer sk-typed"
    named = ("--name", "Lab", "--key-stdin", "-m", "m", "-m", "org/big")
    assert run("providers", "add", up.url, *named, given="sk-typed\n").stdout == "lab: added with 2 models.\n"
    table = run("providers").stdout
    assert "Lab" in table
    assert "saved" in table
    assert "sk-typed" not in table + str(listed(run, "providers", "list"))
    assert "  m  added as m\n" in run("providers", "test", "lab").stdout
    assert run("providers", "remove", "lab").stdout == "lab: removed with big, m.\n"
    assert listed(run, "providers")["providers"][0]["source"] == "demo"


def test_a_connector_can_be_named_and_its_own_list_is_the_test(run: Run, up: ScriptedUpstream) -> None:
    added = ("providers", "add", up.url, "--name", "Gateway", "--connector", "litellm-proxy")
    assert "gateway: added" in run(*added).stdout
    assert "There is no connector" in run(*added[:-1], "nobody", status=2).stderr
    run("providers", "add", "custom", "--name", "Show", "--connector", "demo")
    assert "demo-ada" in run("providers", "test", "show").stdout
    found = {each["id"]: each["connector"] for each in listed(run, "providers")["providers"]}
    assert (found["gateway"], found["show"]) == ("litellm-proxy", "demo")


def test_models_are_added_listed_and_removed(run: Run, up: ScriptedUpstream) -> None:
    assert (
        "List its models with: parley providers test lab"
        in run(*("providers", "add", up.url, "--name", "Lab")).stdout
    )
    added = run("models", "add", "lab", "llama3.2:3b", "org/big", "--battle").stdout
    assert added == "llama3.2-3b: added.\nbig: added.\n"
    one = run("models", "add", "lab", "m", "--id", "own", "--name", "My own").stdout
    assert one == "own: added.\n"
    for command in (("models",), ("models", "list")):
        found = {card["id"]: card["source"] for card in listed(run, *command)["models"]}
        assert found == dict.fromkeys(("llama3.2-3b", "big", "own"), "database")
    assert "My own" in run("models").stdout
    assert run("models", "remove", "own", "big").stdout == "own: removed.\nbig: removed.\n"
    assert [card["id"] for card in listed(run, "models")["models"]] == ["llama3.2-3b"]


def test_a_model_that_a_preset_needs_is_removed_with_force(run: Run, up: ScriptedUpstream) -> None:
    run("providers", "add", up.url, "--name", "Lab")
    run("models", "add", "lab", "m", "n", "o")
    run("team", "save", "duo", "-m", "m", "-m", "n")
    refused = " ".join(run("models", "remove", "m", status=2).stderr.split())
    assert "would stop working: team “duo”" in refused
    assert run("models", "remove", "m", "--force").stdout == "m: removed.\n"
    assert "(missing or disabled: m)" in run("team", "show", "duo").stdout
    assert "team “duo”" in run("providers", "remove", "lab", status=2).stderr
    assert run("providers", "remove", "lab", "--force").stdout == "lab: removed with n, o.\n"


def test_what_is_wrong_is_said_and_nothing_is_saved(run: Run, up: ScriptedUpstream) -> None:
    assert "did you mean “ollama”?" in " ".join(run("providers", "add", "olama", status=2).stderr.split())
    assert (
        "use either"
        in run(
            *("providers", "add", up.url, "--key-stdin", "--key-variable", "X"), status=2, given="k"
        ).stderr
    )
    assert "no provider “lab”" in run("models", "add", "lab", "m", status=2).stderr
    assert "one model only" in run("models", "add", "lab", "a", "b", "--id", "x", status=2).stderr
    assert "no provider “lab”" in run("providers", "remove", "lab", status=2).stderr
    up.stop_thread()
    assert "Nothing is listening" in run("providers", "test", up.url, status=1).stdout
    assert [each["id"] for each in listed(run, "providers")["providers"]] == ["demo"]


def test_other_commands_know_the_models_of_the_database(
    run: Run, up: ScriptedUpstream, tmp_path: Path
) -> None:
    run("providers", "add", up.url, "--name", "Lab", "-m", "m", "-m", "n")
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\nm,n,model_a\n", "utf-8")
    run("votes", "import", str(votes), "--yes")
    with sqlite3.connect(tmp_path / "data" / "parley.db") as database:
        retired = database.execute("SELECT retired_at FROM models WHERE id IN ('m', 'n')").fetchall()
    database.close()
    assert retired == [(None,), (None,)], "an import retires no model"
    assert {card["id"] for card in listed(run, "models")["models"]} == {"m", "n"}


def test_keys_are_rotated_and_a_lost_one_is_named(run: Run, up: ScriptedUpstream, tmp_path: Path) -> None:
    assert run("keys", "rotate").stdout == "0 keys are encrypted with the new secret.\n"
    run("providers", "add", up.url, "--name", "Lab", "--key-stdin", "-m", "m", given="sk-kept")
    file = tmp_path / "data" / KEY_FILE
    before = file.read_text()
    assert run("keys", "rotate").stdout == "1 key is encrypted with the new secret.\n"
    assert file.read_text() != before
    run("providers", "test", "lab")
    assert up.requests[-1].headers["authorization"] == "Bearer sk-kept"
    file.unlink()
    assert "lab: the saved key can't be read." in run("keys", "rotate", status=1).stdout
    assert "secret" in run("providers").stdout


def test_a_key_is_taken_from_no_argument(run: Run) -> None:
    for command in ("add", "test"):
        assert "--api-key" not in run("providers", command, "--help").stdout
        run("providers", command, "http://127.0.0.1:1/v1", "--api-key", "sk", status=2)


def test_commands_speak_with_the_server_that_runs(
    run: Run, up: ScriptedUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models.yaml"
    models.write_text("models: []", "utf-8")
    monkeypatch.setenv("PARLEY_MODELS", str(models))
    monkeypatch.setenv("PARLEY_DEMO_MODELS", "off")
    with serving(load_settings({})) as address:
        run("providers", "add", up.url, "--name", "Lab", "-m", "m", "--key-stdin", given="sk-kept")
        assert run("keys", "rotate").stdout.startswith("1 key")
        assert [card["id"] for card in listed(run, "models", "--models", str(models))["models"]] == ["m"]
        body = {"prompt": "x", "mode": "chat", "seats": {"assistant": "m"}}
        answer = httpx2.post(f"{address}/api/sessions", json=body, timeout=30, trust_env=False)
        assert answer.json()["responses"]["assistant"]["content"] == "A scripted answer."
    settings = load_settings({})
    assert "Models  1\n" in start_text(settings, asyncio.run(read_catalog(settings)))


def test_the_terminal_saves_what_the_provider_says_of_a_model(run: Run, up: ScriptedUpstream) -> None:
    entry = {"id": "m", "max_model_len": 8192, "pricing": {"prompt": "0.000001", "completion": "0.000002"}}
    up.lists_with(Script((msgspec.json.encode({"object": "list", "data": [entry, {**entry, "id": "n"}]}),)))
    written = up.origin.removeprefix("http://")
    run("providers", "add", written, "--name", "Lab", "-m", "m")
    run("models", "add", "lab", "n")
    cards = {card["id"]: card for card in listed(run, "models")["models"]}
    for model_id in ("m", "n"):
        assert (cards[model_id]["context_window"], cards[model_id]["prices"]["output"]) == (8192, 2.0)
    assert [each["base_url"] for each in listed(run, "providers")["providers"]] == [f"{up.origin}/v1"]


def test_a_server_that_is_off_can_be_added_and_the_missing_facts_are_said(
    run: Run, up: ScriptedUpstream
) -> None:
    up.stop_thread()
    added = run("providers", "add", up.url, "--name", "Lab", "-m", "m")
    assert added.stdout == "lab: added with 1 model.\n"
    assert "without prices and context windows. Nothing is listening" in " ".join(added.stderr.split())
