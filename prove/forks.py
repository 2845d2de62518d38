"""Servers that start fast, to be killed a thousand times: the client of `prove.forking`."""

import asyncio
import atexit
import contextlib
import functools
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from prove.campaign import Skipped
from tests.fakes.running import ModelSpec, write_models

ROOT = Path(__file__).resolve().parent.parent
READY_WITHIN_S = 120.0


class Forker:
    """The process that forks servers. `variables` go into its environment before anything is loaded."""

    def __init__(self, **variables: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}  # noqa: TID251
        self._process = subprocess.Popen(
            [sys.executable, "-m", "prove.forking"],
            cwd=ROOT,
            env={**kept, "PYTHONUNBUFFERED": "1", **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def order(self, line: dict[str, Any]) -> dict[str, Any]:
        """Send an order and return the response."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgspec.json.encode(line) + b"\n")
        return msgspec.json.decode(self._process.stdout.readline())

    def close(self) -> None:
        """End it and everything that it started."""
        with self._process:
            assert self._process.stdin
            self._process.stdin.close()


@functools.cache
def forker(**variables: str) -> Forker:
    """Return the forker that all campaigns of this process share."""
    if not hasattr(os, "fork"):
        raise Skipped("this system cannot fork")
    made = Forker(**variables)
    atexit.register(made.close)
    return made


class Fork:
    """One `parley serve`."""

    def __init__(self, forker: Forker, port: int, log: Path, planted: str | None, **variables: str) -> None:
        self._forker = forker
        self.port = port
        self.log = log
        order = {"log": str(log), "planted": planted, "variables": {**variables, "PARLEY_PORT": str(port)}}
        self.pid: int = forker.order(order)["pid"]
        self.code: int | None = None
        self._said_before = log.stat().st_size if log.exists() else 0

    async def ready(self) -> Self:
        """Wait until it accepts requests."""
        deadline = time.monotonic() + READY_WITHIN_S
        for attempt in itertools.count():
            with socket.socket() as knocking:
                if knocking.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            # Asking the forker takes longer than knocking.
            if time.monotonic() > deadline or (attempt % 10 == 9 and self.poll() is not None):
                break
            await asyncio.sleep(0.005)
        raise RuntimeError(f"the server did not start ({self.code}): {self.said()[-2000:]}")

    def said(self) -> str:
        """Return the text of its log."""
        return self.log.read_text("utf-8", "replace")[self._said_before :]

    def poll(self) -> int | None:
        """Return its exit code, negative for a signal, or None while it runs."""
        if self.code is None:
            self.code = self._forker.order({"pid": self.pid})["status"]
        return self.code

    def kill(self) -> None:
        """Kill it."""
        if self.code is None:
            self.code = self._forker.order({"pid": self.pid, "kill": True})["status"]

    async def stop(self, within: float = 20.0) -> tuple[int | None, float]:
        """Ask it to end; return its exit code (None if it did not end in time) and the seconds that it took."""
        begun = time.monotonic()
        os.kill(self.pid, signal.SIGTERM)
        while self.poll() is None and time.monotonic() < begun + within:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
        return self.code, time.monotonic() - begun

    def forget_peak(self) -> None:
        """Reset `VmHWM`."""
        with contextlib.suppress(OSError):
            Path(f"/proc/{self.pid}/clear_refs").write_text("5", "ascii")

    def figures(self) -> dict[str, int]:
        """Return its memory in kB (`VmRSS`, `VmHWM`) and its number of descriptors (`descriptors`)."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            raise Skipped("this system has no /proc to measure processes by")
        lines = (line.split() for line in status.read_text("utf-8").splitlines())
        memory = {
            words[0].rstrip(":"): int(words[1]) for words in lines if words and words[0].startswith("Vm")
        }
        return {**memory, "descriptors": len(os.listdir(f"/proc/{self.pid}/fd"))}  # noqa: PTH208


class Installation:
    """A data folder, a model list, a reserved port, and the servers that ran there."""

    def __init__(self, folder: Path, port: int, models: Path, forker: Forker) -> None:
        self.folder = folder
        self.port = port
        self.models = models
        self.servers: list[Fork] = []
        self.variables: dict[str, str] = {}
        """More variables for every server here, such as another database."""
        self._forker = forker

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.folder / "data"

    @property
    def database(self) -> Path:
        """The database's file."""
        return self.data / "parley.db"

    def start(self, planted: str | None = None, **variables: str) -> Fork:
        """Start a server; wait for `ready()`."""
        given = {
            "PARLEY_DATA_DIR": str(self.data),
            "PARLEY_MODELS": str(self.models),
            "PARLEY_DEMO_MODELS": "off",
            "PARLEY_BATTLE_PACING": "natural",
            "PARLEY_OPEN_BROWSER": "false",
        }
        settings = {**given, **self.variables, **variables}
        server = Fork(self._forker, self.port, self.folder / "serve.log", planted, **settings)
        self.servers.append(server)
        return server


@contextmanager
def an_installation(
    folder: Path, url: str, models: Sequence[str | ModelSpec], forker_used: Forker | None = None
) -> Generator[Installation]:
    """Make an installation whose models lead to one server; kill whatever still runs there at the end."""
    # Bound and not listening: the system gives the port to nobody else, and a server may still listen on it.
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        folder.mkdir(parents=True, exist_ok=True)
        listed = write_models(folder / "models.yaml", url, models)
        opened = Installation(folder, held.getsockname()[1], listed, forker_used or forker())
        try:
            yield opened
        finally:
            for server in opened.servers:
                server.kill()
            with contextlib.suppress(OSError):
                shutil.rmtree(opened.data)
