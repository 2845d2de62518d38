"""`parley consortium` as a person runs it: against a data folder, and against a server that has it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.consortium_run import result_text
from parley.settings_loading import load_settings
from parley.text.located_yaml import parse_yaml
from tests.fakes.commands import Run, hurry_demo, runner
from tests.fakes.serving import serving

SAVE = (
    *("save", "board", "-m", "demo-pico:2", "-m", "ada (demo)", "--arbiter", "demo-tilo"),
    *("--confidence-threshold", "85%"),
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carry out a command in this process, with demo models that need no time."""
    hurry_demo(monkeypatch)
    return runner(tmp_path, monkeypatch, "consortium")


def test_a_consortium_is_saved_asked_changed_and_removed(run: Run) -> None:
    assert run(*SAVE).stdout == "board: saved.\n"
    asked = run("run", "board", "What is 12 * 12?", "--option", "max_iterations=1")
    assert "144" in asked.stdout
    assert "calls" in asked.stderr
    assert "Round 1" in asked.stderr
    assert run(*SAVE, "--strategy", "council").stdout == "board: changed.\n"
    shown = msgspec.json.decode(run("show", "board", "--json").stdout)
    assert shown["seats"] == {"arbiter": "demo-tilo", "a": "demo-pico", "b": "demo-pico", "c": "demo-ada"}
    assert (shown["brief"]["strategy"], shown["brief"]["confidence_threshold"]) == ("council", 0.85)
    assert "demo-pico × 2, demo-ada; arbiter demo-tilo" in run("list").stdout
    assert run("remove", "board").stdout == "board: removed.\n"
    assert "There are no consortia yet" in run("list").stdout


def test_a_consortium_becomes_a_contestant_and_stays_one_when_saved_again(run: Run) -> None:
    def model_id() -> str | None:
        return msgspec.json.decode(run("show", "board", "--json").stdout)["model_id"]

    run(*SAVE, "--contestant")
    assert model_id() == "board-r1"
    run(*SAVE)
    assert model_id() == "board-r1"
    run(*SAVE, "--no-contestant")
    assert model_id() is None


def test_what_is_wrong_is_reported_and_nothing_is_saved(run: Run) -> None:
    assert "no model “nobody”" in run("save", "x", "-m", "nobody", "--arbiter", "demo-tilo", status=2).stderr
    too_many = run(*SAVE, "--max-iterations", "70", status=2).stderr
    assert too_many.startswith("error: brief.max_iterations: must be at most 10.")
    assert "must be one of" in run(*SAVE, "--judging-method", "best", status=2).stderr
    assert "did you mean “strategy”?" in run(*SAVE, "-o", "strategie=x", status=2).stderr
    assert "must be like" in run(*SAVE, "-o", "rounds", status=2).stderr
    assert "There is no consortium “x”" in run("run", "x", "Hello", status=2).stderr
    assert "There are no consortia yet" in run("list").stdout


def test_a_name_is_the_same_however_it_is_spaced(run: Run) -> None:
    rest = SAVE[2:]
    assert run("save", " My  board", *rest).stdout == "My board: saved.\n"
    assert run("save", "My   board ", *rest).stdout == "My board: changed.\n"
    assert run("show", "My  board").stdout.startswith("My board: ")
    assert run("remove", "My  board").stdout == "My board: removed.\n"


def test_what_the_plugin_cannot_do_is_reported(run: Run, tmp_path: Path) -> None:
    run(*SAVE, "--strategy", "council")
    output = run("export", "board", "--store", str(tmp_path / "there.db")).stdout
    assert "no strategy “council”" in output
    assert run("import", "--store", str(tmp_path / "there.db")).stdout == "board: changed\n"
    assert "strategy: default" in run("show", "board").stdout


def test_consortia_of_the_plugin_come_and_go(run: Run, tmp_path: Path) -> None:
    (tmp_path / "llm").mkdir()
    assert "There is no store" in run("import", status=2).stderr
    run(*SAVE)
    assert "consortium_logs.db" in run("export", "board").stdout
    folder = tmp_path / "configuration" / "io.datasette.llm"
    with closing(sqlite3.connect(folder / "consortium_logs.db")) as store, store:
        (text,) = store.execute("SELECT config FROM consortium_configs WHERE name = 'board'").fetchone()
        bad = msgspec.json.encode({**msgspec.json.decode(text), "arbiter": "nobody"}).decode()
        store.execute("INSERT INTO consortium_configs (name, config) VALUES ('bad', ?)", (bad,))
        store.execute("INSERT INTO consortium_configs (name, config) VALUES (' ', ?)", (text,))
        store.execute("INSERT INTO consortium_configs (name, config) VALUES ('torn', ?)", (text[:9],))
    assert msgspec.json.decode(text)["models"] == {"demo-pico": 2, "demo-ada": 1}
    run("remove", "board")
    done = run("import", status=1)
    assert done.stdout.splitlines() == [
        "“ ”: not imported. name: must not be empty.",
        "bad: not imported. arbiter: there is no model “nobody” in the catalog.",
        "board: saved",
        "torn: not imported. Input data was truncated",
    ]
    assert run("import", "board").stdout == "board: changed\n"
    assert "no consortium “other”" in run("import", "other", status=2).stderr


def test_an_exported_consortium_has_models_that_llm_can_ask(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "llm" / "extra-openai-models.yaml"
    listed.parent.mkdir()
    listed.write_text("# mine\n- model_id: near\n  model_name: my-own", "utf-8")
    (tmp_path / "config").mkdir(exist_ok=True)
    (tmp_path / "config" / "models.yaml").write_text(
        """
providers:
  - {id: lab, connector: openai, base_url: "127.0.0.1:9", api_key: sk-lab}
  - {id: plugins, connector: llm}
models:
  - {id: near, routes: [{provider: lab, model: org/near}]}
  - {id: far, routes: [{provider: lab, model: org/far}]}
  - {id: toy, connector: demo, model: demo-ada}
  - {id: mine, routes: [{provider: plugins, model: gpt-4o-mini}]}
""",
        "utf-8",
    )
    monkeypatch.setenv("PARLEY_MODELS", str(tmp_path / "config" / "models.yaml"))
    run("save", "board", "-m", "near", "-m", "far", "-m", "mine", "-m", "toy", "--arbiter", "far")
    output = run("export", "board").stdout
    assert "far: added to" in output
    assert "llm keys set lab" in output
    assert "llm can't reach toy" in output
    assert parse_yaml(listed.read_text("utf-8"), {}).data == [
        {"model_id": "near", "model_name": "my-own"},
        *[
            {
                "model_id": "far",
                "model_name": "org/far",
                "api_base": "http://127.0.0.1:9/v1",
                "api_key_name": "lab",
            }
        ],
    ]
    assert listed.read_text("utf-8").startswith("# mine\n")
    with closing(
        sqlite3.connect(tmp_path / "configuration" / "io.datasette.llm" / "consortium_logs.db")
    ) as store:
        (text,) = store.execute("SELECT config FROM consortium_configs").fetchone()
    assert set(msgspec.json.decode(text)["models"]) == {"near", "far", "gpt-4o-mini", "toy"}
    listed.write_text("not: a list", "utf-8")
    assert "It was not changed" in run("export", "board", status=2).stderr
    assert listed.read_text("utf-8") == "not: a list"


def test_a_running_server_is_visited(run: Run, tmp_path: Path) -> None:
    run(*SAVE)
    address = tmp_path / "data" / "parley.address"
    with serving(load_settings({})):
        assert address.stat().st_mode & 0o777 == 0o600
        result: dict[str, Any] = msgspec.json.decode(
            run("run", "board", "2 + 2?", "--json", "-o", "max_iterations=1").stdout
        )
    assert not address.exists()
    assert result["original_prompt"] == "2 + 2?"
    models = [member["model"] for member in result["model_responses"]]
    assert models == ["demo-pico", "demo-pico", "demo-ada"]


@pytest.mark.parametrize(
    ("cost", "unpriced", "ending"),
    [
        (0.0123, [], "2.5 s, $0.0123"),
        (0.0123, ["ada", "bob"], "2.5 s, $0.0123, without ada, bob (no prices)"),
        (None, ["ada"], "2.5 s"),
    ],
)
def test_a_cost_that_is_not_the_whole_one_says_what_is_missing(
    cost: float | None, unpriced: list[str], ending: str
) -> None:
    synthesis = {"confidence": 0.9, "dissent": "", "refinement_areas": []}
    worth = {"cost_usd": cost, "unpriced": unpriced, "duration_ms": 2500}
    metadata = {"iteration_count": 1}
    said = result_text(
        {"synthesis": synthesis, "worth": worth, "settled": True, "metadata": metadata, "warnings": []}
    )
    assert said == f"settled after 1 round, confidence 0.90, {ending}"
