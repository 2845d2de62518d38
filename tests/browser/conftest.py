"""For browser tests: a real server as a process, a real Chromium, and a page that must stay without errors."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import APIRequestContext, Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.fakes.ports import free_port
from tests.fakes.upstream import ScriptedUpstream
from tools.ensure_chromium import find_chromium

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
EXPECTED_ERRORS = re.compile(r"the server responded with a status of (404|409|415|422|503)|net::ERR_")

expect.set_options(timeout=20_000)  # a busy machine is no failure


@dataclass
class Served:
    """A running Parley."""

    url: str
    data_dir: Path
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)


def import_votes(request: APIRequestContext, served: Served, file: str, votes: int) -> None:
    """Import a file of votes, in JSON Lines or else in CSV."""
    answer = request.post(
        f"{served.url}/api/votes/import?name=votes.{'jsonl' if file.startswith('{') else 'csv'}",
        data=file,
        headers={
            "Content-Type": "application/octet-stream",
            "Accept": "application/json",
            "Origin": served.url,
        },
    )
    assert answer.json()["imported"] == votes


@contextmanager
def serve(
    data_dir: Path, models: Path | None = None, port: int | None = None, **variables: str
) -> Generator[Served]:
    """Run `parley serve` until the block ends."""
    port = port or free_port()
    command = [
        sys.executable,
        "-m",
        "parley",
        "serve",
        "--no-open",
        "--port",
        str(port),
        "--data-dir",
        str(data_dir),
    ]
    if models:
        command += ["--models", str(models)]
    inherited = os.environ.items()  # noqa: TID251 - the child gets ours, less what would configure it
    environment = {name: value for name, value in inherited if not name.startswith("PARLEY_")}
    with (data_dir.parent / f"{data_dir.name}.log").open("ab") as log:
        process = subprocess.Popen(
            command, env={**environment, **variables}, stdout=log, stderr=log, cwd=data_dir.parent
        )
    try:
        _await_port(process, port)
        yield Served(f"http://127.0.0.1:{port}", data_dir, process)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(60)


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """One Chromium for a module's tests; no longer, because it keeps an event loop running in this thread."""
    path = find_chromium()
    if path is None:
        pytest.skip("the page in a browser: install Chromium, or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    """A Parley with the demo models, from an empty data folder."""
    with serve(tmp_path_factory.mktemp("demo") / "data") as served:
        yield served


@pytest.fixture
def upstream() -> Generator[ScriptedUpstream]:
    """A scripted OpenAI-compatible server."""
    server = ScriptedUpstream.start_in_thread()
    yield server
    server.stop_thread()


@pytest.fixture
def connected(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A Parley whose two models live on the scripted server, under canary names."""
    with serve(tmp_path / "data", canary_models(upstream, tmp_path)) as served:
        yield served


def canary_models(upstream: ScriptedUpstream, folder: Path) -> Path:
    """Write a model list of two models that nobody may recognise before the vote."""
    path = folder / "models.yaml"
    path.write_text(
        "providers:\n"
        f"  - {{id: canaryprov, connector: openai, base_url: {upstream.url}, api_key: canary-key}}\n"
        "models:\n"
        + "".join(
            f"  - {{id: canary-{name}, name: Canary {name.title()}, organization: Canary {org}, license: MIT, "
            f"routes: [{{provider: canaryprov, model: up-{name}}}], prices: {{input: 1, output: 2}}}}\n"
            for name, org in (("alpha", "Works"), ("beta", "Labs"))
        ),
        encoding="utf-8",
    )
    return path


NewPage = Callable[..., Page]


@pytest.fixture
def new_page(browser: Browser) -> Generator[NewPage]:
    """Open pages in one browser profile; afterwards none of them may have shown an unexpected error."""
    context = browser.new_context(
        service_workers="block", viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
    )
    problems: list[str] = []

    def watch(message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED_ERRORS.search(message.text):
            problems.append(message.text)

    def open_page(url: str) -> Page:
        page = context.new_page()
        page.on("console", watch)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(url)
        return page

    yield open_page
    context.close()
    assert not problems, problems


def _await_port(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 50
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"parley serve ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("parley serve does not answer")
