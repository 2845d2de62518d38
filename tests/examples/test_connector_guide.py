"""The guide's connector, taken from its page and used as a reader would: its test, the doctor, a chat, a Stop."""

import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from parley.api.server import serve_beside
from parley.application import open_application
from parley.settings import DATABASE_FILE, Settings
from tests.fakes.commands import carry_out
from tests.fakes.databases import copy_empty
from tests.fakes.running import Client, EventStream
from tests.fakes.upstream import Hang, Script, ScriptedUpstream

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "write-a-connector.md"
BLOCK = re.compile(r"^```\w+ title=(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guide's files in a folder, its package among what is installed."""
    folder = tmp_path_factory.mktemp("connector")
    for name, text in BLOCK.findall(GUIDE.read_text("utf-8")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    built = folder / "wheel"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built)],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    installed = str(folder / "installed")
    subprocess.run([*pip, "--no-deps", "--no-index", "--target", installed, str(wheel)], check=True)
    return folder


@pytest.fixture
def installed(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """The guide's package among what is installed for this process."""
    monkeypatch.syspath_prepend(str(plugin / "installed"))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if (sys.modules[name].__file__ or "").startswith(str(plugin)):
            del sys.modules[name]


def lines(*documents: object) -> bytes:
    return b"".join(msgspec.json.encode(document) + b"\n" for document in documents)


def said(text: str) -> dict[str, object]:
    return {"message": {"role": "assistant", "content": text}, "done": False}


DONE = {"message": {"content": ""}, "done": True, "prompt_eval_count": 7, "eval_count": 3}
NDJSON = {"Content-Type": "application/x-ndjson"}


@asynccontextmanager
async def ollama(
    plugin: Path, tmp_path: Path, *scripts: Script
) -> AsyncGenerator[tuple[ScriptedUpstream, Path]]:
    """A scripted Ollama, and the guide's model list with its address in it."""
    async with ScriptedUpstream() as upstream:
        for script in scripts:
            upstream.script(script)
        models = tmp_path / "models.yaml"
        text = (plugin / "models.yaml").read_text("utf-8")
        models.write_text(text.replace("http://127.0.0.1:11434", upstream.origin), "utf-8")
        yield upstream, models


def test_the_guides_own_test_passes(plugin: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_connector.py"],
        cwd=plugin,
        env={**os.environ, "PYTHONPATH": str(plugin / "installed")},  # noqa: TID251
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


@asynccontextmanager
async def serving(models: Path) -> AsyncGenerator[Client]:
    """Serve the guide's models, with their data beside the list."""
    data = models.parent / "data"
    await copy_empty(data / DATABASE_FILE)
    given = {"data_dir": data, "models": models, "port": 0, "discover_at": "none"}
    async with (
        open_application(Settings.model_validate(given)) as app,
        serve_beside(app) as address,
        Client(base_url=address, timeout=50, trust_env=False, verify=False) as client,
    ):
        yield client


@pytest.mark.usefixtures("installed")
async def test_its_models_chat(plugin: Path, tmp_path: Path) -> None:
    answer = Script(
        (lines(said("Good "))[:9], lines(said("Good "))[9:] + lines(said("day"), DONE)), headers=NDJSON
    )
    refusal = Script((b'{"error": "model \'llama3.2\' not found"}',), status=404, headers=NDJSON)
    async with (
        ollama(plugin, tmp_path, answer, refusal) as (upstream, models),
        serving(models) as client,
    ):
        body = {"prompt": "Hi!", "mode": "chat", "seats": {"assistant": "llama"}}
        turns = []
        for _ in range(2):
            begun = (await client.post("/api/sessions", json=body)).json()
            turns.append((await client.get(f"/api/turns/{begun['turn_id']}")).json()["turn"])
    good, bad = (turn["replies"][0] for turn in turns)
    assert (good["text"], good["metrics"]["input_tokens"], good["metrics"]["output_tokens"]) == (
        "Good day",
        7,
        3,
    )
    assert bad["error"]["code"] == "upstream_model_not_found"
    assert "not found" in bad["error"]["detail"]
    assert upstream.requests[0].json["messages"] == [{"role": "user", "content": "Hi!"}]


@pytest.mark.usefixtures("installed")
def test_the_doctor_sees_it(tmp_path: Path) -> None:
    asked = carry_out("doctor", "--json", "--data-dir", str(tmp_path / "data"))
    checks = {check["name"]: check for check in msgspec.json.decode(asked.stdout)["checks"]}
    assert "ollama" in checks["Plugins"]["text"]


@pytest.mark.usefixtures("installed")
async def test_a_stop_closes_its_connection(plugin: Path, tmp_path: Path) -> None:
    endless = Script((lines(said("Well")), Hang()), headers=NDJSON)
    async with ollama(plugin, tmp_path, endless) as (upstream, models):
        async with serving(models) as client:
            body = {"prompt": "Hi!", "mode": "chat", "seats": {"assistant": "llama"}}
            headers = {"Accept": "text/event-stream"}
            async with client.stream("POST", "/api/sessions", json=body, headers=headers) as response:
                stream = EventStream(response)
                turn = (await anext(stream))["turn"]
                await upstream.wait_for_requests(1)
                stopped = await client.post(f"/api/turns/{turn['id']}/stop")
                assert stopped.status_code == 200, stopped.text
                await stream.rest(within=40)
        await upstream.wait_until_closed(within=40)
        assert upstream.aborted == 1
