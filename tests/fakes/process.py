"""Parley in its own process, to be killed, stopped and restarted on the same data folder.

A server is forked by a process that has imported everything already: that takes a tenth of a start from nothing. One
with variables of the interpreter, such as PYTHONPATH, starts from nothing.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from prove.forks import Forker, forker
from tests.fakes.ports import free_port

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'parley'; from parley.cli import main; main()"]
"""Starts `parley` in a process of its own, as the installed command does."""


_one_order = threading.Lock()


class ForkedProcess:
    """A forked `parley serve`; stands in for a `Popen`."""

    def __init__(self, forker: Forker, **order: Any) -> None:
        self._forker = forker
        self._ended: int | None = None
        self.pid: int = self._order(**order)["pid"]

    def poll(self) -> int | None:
        """Return its exit code, or None while it runs."""
        if self._ended is None:
            self._ended = self._order(pid=self.pid)["status"]
        return self._ended

    def wait(self, timeout: float) -> int:
        """Return its exit code once it has ended. Raises TimeoutError."""
        deadline = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"the server {self.pid} is still running")
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _order(self, **order: Any) -> dict[str, Any]:
        with _one_order:
            return self._forker.order(order)


class ParleyProcess:
    """One `parley serve`. What it prints goes to `log`."""

    def __init__(self, folder: Path, models: Path, path: Sequence[Path] = (), **variables: str) -> None:
        """`path`: folders from which plugins are imported."""
        self.folder = folder
        self.path = [str(each) for each in path]
        self.port = free_port()
        self.log = folder / f"serve-{self.port}.log"
        given = {
            "PARLEY_DATA_DIR": str(folder / "data"),
            "PARLEY_MODELS": str(models),
            "PARLEY_PORT": str(self.port),
            "PARLEY_BATTLE_PACING": "natural",
            "PARLEY_DISCOVER_AT": "none",
            "PARLEY_OPEN_BROWSER": "false",
            "PYTHONUNBUFFERED": "1",
            **variables,
        }
        as_usual = all(name.startswith("PARLEY_") for name in variables)
        self.process = self._fork(given) if as_usual and hasattr(os, "fork") else self._start(given)

    def _fork(self, variables: dict[str, str]) -> ForkedProcess:
        return ForkedProcess(forker(), log=str(self.log), variables=variables, path=self.path)

    def _start(self, variables: dict[str, str]) -> "subprocess.Popen[bytes]":
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}  # noqa: TID251
        if self.path:
            kept["PYTHONPATH"] = os.pathsep.join(self.path)
        with self.log.open("wb") as log:
            return subprocess.Popen(
                [*COMMAND, "serve"],
                cwd=self.folder,
                env={**kept, **variables},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def wait_until_ready(self, within: float = 90.0) -> Self:
        """Wait until it says that it is ready."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline and self.process.poll() is None:
            if self.log.exists() and "Press Ctrl-C to stop" in self.log.read_text("utf-8"):
                return self
            time.sleep(0.01)
        raise AssertionError(f"the server did not start:\n{self.log.read_text('utf-8')}")

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        self.process.kill()
        self.process.wait(60)

    def stop(self) -> tuple[int, float]:
        """Ask it to end; return its exit code and how many seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(90)
        return code, time.monotonic() - begun


@contextmanager
def processes(folder: Path, models: Path, path: Sequence[Path] = ()):
    """Yield a function that starts servers on one data folder; kill whatever still runs at the end."""
    started: list[ParleyProcess] = []

    def start(**variables: str) -> ParleyProcess:
        started.append(ParleyProcess(folder, models, path, **variables))
        return started[-1]

    try:
        yield start
    finally:
        for server in started:
            if server.process.poll() is None:
                server.kill()
