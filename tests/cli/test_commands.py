"""Tests of the commands as a person runs them: whole processes, with a data folder of their own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'parley'; from parley.cli import main; main()"]
LIST = """\
providers:
  - {id: near, connector: openai, base_url: http://127.0.0.1:9/v1, api_key: ${NEAR_KEY}}
models:
  - {id: one, routes: [{provider: near, model: one}]}
  - {id: two, routes: [{provider: near, model: two}]}
"""


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}  # noqa: TID251
    return {**kept, "PARLEY_DATA_DIR": str(tmp_path / "data"), "NEAR_KEY": "s3cret", "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def run(tmp_path: Path, variables: dict[str, str]):
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            timeout=110,
            check=False,
        )

    return call


@pytest.fixture
def own_models(tmp_path: Path) -> Path:
    path = tmp_path / "config" / "models.yaml"
    path.parent.mkdir()
    path.write_text(LIST, encoding="utf-8")
    return path


def document(done: subprocess.CompletedProcess[str]) -> Any:
    return msgspec.json.decode(done.stdout)


def test_without_a_list_the_demo_models_are_listed(run) -> None:
    done = run("models", "--json")
    assert done.returncode == 0, done.stderr
    models = document(done)["models"]
    assert len(models) >= 2
    assert all(model["demo"] and model["local"] for model in models)


def test_the_table_names_every_model(run, own_models: Path) -> None:
    done = run("models")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^ (\w+) .* near \(local\) ", done.stdout, re.MULTILINE) == ["one", "two"]


def test_a_mistake_in_the_list_is_reported_with_its_line(run, own_models: Path) -> None:
    own_models.write_text(LIST.replace("model: two", "modle: two"), encoding="utf-8")
    done = run("models")
    assert done.returncode == 2
    assert done.stderr.startswith("error: config/models.yaml:5: models[1].routes[0].")
    assert "Traceback" not in done.stderr


def test_the_doctor_says_what_cannot_be_reached_and_tells_no_key(run, own_models: Path) -> None:
    done = run("doctor", "--json")
    assert done.returncode == 1, done.stderr
    checks = {check["name"]: check for check in document(done)["checks"]}
    assert checks["Provider near"]["state"] == "broken"
    assert checks["Models"]["state"] == "ok"
    assert checks["Data folder"]["state"] == "ok"
    assert checks["Database"]["state"] == "ok"
    assert "s3cret" not in done.stdout + done.stderr


def test_the_doctor_prints_for_people_too(run) -> None:
    done = run("doctor")
    assert "Database" in done.stdout
    assert "Traceback" not in done.stderr


def test_the_doctor_tells_a_broken_list_as_one_of_its_finds(run, own_models: Path) -> None:
    own_models.write_text("models: [", encoding="utf-8")
    done = run("doctor", "--json")
    assert done.returncode == 1
    assert any("not valid YAML" in check["text"] for check in document(done)["checks"])


@pytest.fixture
def server(tmp_path: Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--no-open"],
        cwd=tmp_path,
        env=variables,
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


def test_serving_says_where_it_is_answers_and_ends_with_control_c(server: subprocess.Popen[str]) -> None:
    text = read_until(server, r"Press Ctrl-C to stop", 20)
    found = re.search(r"http://127\.0\.0\.1:(\d+)", text)
    assert found
    with socket.create_connection(("127.0.0.1", int(found[1])), timeout=60) as connection:
        connection.sendall(
            f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{found[1]}\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(64).startswith(b"HTTP/1.1 200")
    server.send_signal(signal.SIGINT)
    rest = server.communicate(timeout=60)[0]
    assert "Traceback" not in rest
    assert server.returncode == 0
