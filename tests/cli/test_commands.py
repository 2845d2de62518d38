"""`parley models`, `doctor` and `serve` as a person runs them, with a data folder of their own."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.storage.folder_lock import ADDRESS_FILE
from tests.fakes.commands import Done, Run, runner
from tests.fakes.process import COMMAND

LIST = """\
providers:
  - {id: near, connector: openai, base_url: http://127.0.0.1:9/v1, api_key: ${NEAR_KEY}}
models:
  - {id: one, routes: [{provider: near, model: one}]}
  - {id: two, routes: [{provider: near, model: two}]}
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("NEAR_KEY", "s3cret")
    return runner(tmp_path, monkeypatch, blank=True)


@pytest.fixture
def own_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PARLEY_MODELS", "config/models.yaml")
    path = tmp_path / "config" / "models.yaml"
    path.parent.mkdir()
    path.write_text(LIST, encoding="utf-8")
    return path


def document(done: Done) -> Any:
    return msgspec.json.decode(done.stdout)


def test_without_a_list_the_demo_models_are_listed(run: Run) -> None:
    done = run("models", "--json")
    models = document(done)["models"]
    assert len(models) >= 2
    assert all(model["demo"] and model["local"] for model in models)


def test_the_table_names_every_model(run: Run, own_models: Path) -> None:
    done = run("models")
    assert re.findall(r"^ (\w+) .* near \(local\) ", done.stdout, re.MULTILINE) == ["one", "two"]


def test_a_mistake_in_the_list_is_reported_with_its_line(run: Run, own_models: Path) -> None:
    own_models.write_text(LIST.replace("model: two", "modle: two"), encoding="utf-8")
    done = run("models")
    assert "config/models.yaml:5: models[1].routes[0].model: is required" in done.stderr
    assert re.findall(r"^ (\w+) .* near \(local\) ", done.stdout, re.MULTILINE) == ["one"]
    checks = {check["name"]: check for check in document(run("doctor", "--json", status=1))["checks"]}
    assert checks["Model list"]["state"] == "broken"


def test_the_doctor_says_what_cannot_be_reached_and_tells_no_key(run: Run, own_models: Path) -> None:
    done = run("doctor", "--json", status=1)
    checks = {check["name"]: check for check in document(done)["checks"]}
    assert checks["Provider near"]["state"] == "broken"
    assert checks["Models"]["state"] == "ok"
    assert checks["Data folder"]["state"] == "ok"
    assert checks["Database"]["state"] == "ok"
    assert "s3cret" not in done.stdout + done.stderr


def test_the_doctor_prints_for_people_too(run: Run) -> None:
    done = run("doctor", status=None)
    assert "Database" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_doctor_tells_a_broken_list_as_one_of_its_finds(run: Run, own_models: Path) -> None:
    own_models.write_text("models: [", encoding="utf-8")
    done = run("doctor", "--json", status=1)
    assert any("not valid YAML" in check["text"] for check in document(done)["checks"])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--no-open", "--data-dir", "data"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},  # noqa: TID251 - the child gets ours
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def read_until(process: subprocess.Popen[str], pattern: str, limit_s: float) -> str:
    assert process.stdout
    text = ""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        line = process.stdout.readline()
        text += line
        if re.search(pattern, text):
            return text
        if not line:
            break
    raise AssertionError(f"{pattern} did not come; this did:\n{text}")


def test_serving_says_where_it_is_answers_and_ends_with_control_c(
    server: subprocess.Popen[str], tmp_path: Path
) -> None:
    text = read_until(server, r"Press Ctrl-C to stop", 100)
    found = re.search(r"http://127\.0\.0\.1:(\d+)", text)
    assert found
    with socket.create_connection(("127.0.0.1", int(found[1])), timeout=60) as connection:
        connection.sendall(
            f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{found[1]}\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(64).startswith(b"HTTP/1.1 200")
    address = tmp_path / "data" / ADDRESS_FILE
    assert address.read_text() == found[0]
    server.send_signal(signal.SIGINT)
    rest = server.communicate(timeout=60)[0]
    assert "Traceback" not in rest
    assert server.returncode == 0
    assert not address.exists()
