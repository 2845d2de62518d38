"""Parleys that the browser visits: most in a thread of the tests, some as a process that can be killed."""

import signal
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2  # noqa: TID251 - speaks to loopback only
import msgspec
import pytest

from parley.connectors.demo import demo_catalog
from parley.settings import Settings
from prove.forks import forker
from tests.fakes.databases import copy_empty, in_own_loop
from tests.fakes.ports import free_port
from tests.fakes.process import ForkedProcess
from tests.fakes.serving import serving

DEMO_SPEED = 20
"""How many times faster than a person reads the demo models of a Parley in a thread answer."""

WITHIN_S = 50


@dataclass
class Served:
    """A running Parley."""

    url: str
    data_dir: Path


@dataclass
class Process(Served):
    """A Parley that runs as a process."""

    process: ForkedProcess

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(WITHIN_S)


@contextmanager
def serve(data_dir: Path, models: Path | None = None, **settings: object) -> Generator[Served]:
    """Serve a Parley in a thread until the block ends; it looks for no model servers unless it is told where."""
    given = {"data_dir": data_dir, "models": models, "port": 0, "discover_at": "none", **settings}
    if "database_url" not in settings:
        with ThreadPoolExecutor(1) as thread:  # the browser keeps an event loop in this one
            thread.submit(in_own_loop, copy_empty(data_dir / "parley.db")).result()
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            # What a module or a worker shares is opened before any test's own settings of this kind.
            patch.setattr("parley.storage.sqlite_store.SYNCHRONOUS", "OFF")
            patch.setattr("parley.connectors.demo.demo_catalog", _fast_demo)
            url = stack.enter_context(serving(Settings.model_validate(given)))
        yield Served(url, data_dir)


def _fast_demo() -> tuple[Any, Any]:
    (provider,), models = demo_catalog()
    return (msgspec.structs.replace(provider, base_url=f"demo://?speed={DEMO_SPEED}"),), models


@contextmanager
def serve_as_process(
    data_dir: Path, models: Path | None = None, port: int | None = None, **settings: str
) -> Generator[Process]:
    """Run `parley serve` until the block ends."""
    port, log = port or free_port(), data_dir.parent / f"{data_dir.name}.log"
    log.touch()
    begun = log.stat().st_size
    given = {"data_dir": str(data_dir), "port": str(port), "discover_at": "none", "open_browser": "false"}
    given |= {"models": str(models)} if models else {}
    variables = {f"PARLEY_{name.upper()}": value for name, value in {**given, **settings}.items()}
    process = ForkedProcess(forker(), log=str(log), variables=variables, path=[])
    deadline = time.monotonic() + WITHIN_S
    while "Press Ctrl-C to stop" not in log.read_text("utf-8")[begun:]:
        assert process.poll() is None, log.read_text("utf-8")
        assert time.monotonic() < deadline, "parley serve does not answer"
        time.sleep(0.02)
    try:
        yield Process(f"http://127.0.0.1:{port}", data_dir, process)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(WITHIN_S)


def get(served: Served, path: str) -> Any:
    """Return the JSON at a path."""
    return httpx2.get(f"{served.url}{path}", trust_env=False, timeout=WITHIN_S).json()


def post(served: Served, path: str, body: object = None, method: str = "POST") -> Any:
    """Send JSON as the page would; return the JSON of the answer."""
    answer = httpx2.request(
        method,
        f"{served.url}{path}",
        json=body,
        headers={"Origin": served.url},
        trust_env=False,
        timeout=WITHIN_S,
    )
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


def import_votes(served: Served, file: str, votes: int) -> None:
    """Import a file of votes, in JSON Lines or else in CSV, and wait until the leaderboard has them."""
    answer = httpx2.post(
        f"{served.url}/api/imports?name=votes.{'jsonl' if file.startswith('{') else 'csv'}",
        content=file.encode(),
        headers={
            "Content-Type": "application/octet-stream",
            "Accept": "application/json",
            "Origin": served.url,
        },
        trust_env=False,
        timeout=WITHIN_S,
    )
    assert answer.json()["imported"] == votes, answer.text
    deadline = time.monotonic() + WITHIN_S
    while (board := get(served, "/api/leaderboard?min_votes=0"))["votes"] < votes:
        assert time.monotonic() < deadline, board
        time.sleep(0.02)
