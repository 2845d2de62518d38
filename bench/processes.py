"""Measured processes: started on loopback, read from /proc, always ended."""

import os
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parent.parent
TICKS = os.sysconf("SC_CLK_TCK")
START_LIMIT_S = 120.0
STOP_LIMIT_S = 15.0
CALM_S = 0.3

COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
"""An installed server runs from compiled modules: without them each start compiles its libraries anew, for seconds."""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_of(pid: int) -> float:
    """Return the processor time that a process has used, user and system, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Process:
    """A server in a separate process. Its output goes to a file, shown where it fails to start."""

    def __init__(
        self, command: Sequence[str], port: int, log: Path, variables: Mapping[str, str] | None = None
    ) -> None:
        self.port = port
        self._log = log
        self._command = command
        self._variables = variables
        self.started_s = 0.0

    def __enter__(self) -> Self:
        begun = time.monotonic()
        with self._log.open("wb") as output:
            self._child = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env={**os.environ, **COMPILED, **(self._variables or {})},  # noqa: TID251 - the child's, no setting
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        while not self._answers():
            if self._child.poll() is not None or time.monotonic() - begun > START_LIMIT_S:
                self._child.kill()
                raise SystemExit(f"{' '.join(self._command[:4])} did not start:\n{self._log.read_text()}")
            time.sleep(0.005)
        self.started_s = time.monotonic() - begun
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._child.terminate()
        try:
            self._child.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._child.pid

    def cpu_s(self) -> float:
        """Return the processor time it has used, in seconds."""
        return cpu_of(self.pid)

    def settle(self) -> None:
        """Wait until it is idle, after the work that follows its start."""
        before = -1.0
        while (used := self.cpu_s()) != before:
            before = used
            time.sleep(CALM_S)

    def rss_mb(self) -> float:
        """Return its resident memory now, in MB."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) * 1024 / 1e6 if found else 0.0

    def complaints(self) -> int:
        """Return the number of lines in its log."""
        return len(self._log.read_text(errors="replace").splitlines())

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                # The upstream closes without an answer, which is one too.
                return bool(select.select([connection], [], [], 1)[0])
        except OSError:
            return False


class MemoryWatch:
    """Notes the largest resident memory of a process while it is entered."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.before_mb = self.most_mb = process.rss_mb()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.2):
            self.most_mb = max(self.most_mb, self._process.rss_mb())


def module(name: str, *arguments: object) -> list[str]:
    """Return the command that runs a module of this folder."""
    return [sys.executable, "-m", f"bench.{name}", *map(str, arguments)]
