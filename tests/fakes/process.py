"""Parley in its own process, to be killed, stopped and restarted on the same data folder."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.fakes.ports import free_port

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'parley'; from parley.cli import main; main()"]


class ParleyProcess:
    """One `parley serve`. What it prints goes to `log`."""

    def __init__(self, folder: Path, models: Path, **variables: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.log = folder / f"serve-{self.port}.log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}  # noqa: TID251
        given = {
            "PARLEY_DATA_DIR": str(folder / "data"),
            "PARLEY_MODELS": str(models),
            "PARLEY_PORT": str(self.port),
            "PARLEY_BATTLE_PACING": "natural",
            "PARLEY_OPEN_BROWSER": "false",
            "PYTHONUNBUFFERED": "1",
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*COMMAND, "serve"],
                cwd=folder,
                env={**kept, **given, **variables},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def wait_until_ready(self, within: float = 50.0) -> Self:
        """Wait until it says that it is ready."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline and self.process.poll() is None:
            if "Press Ctrl-C to stop" in self.log.read_text("utf-8"):
                return self
            time.sleep(0.02)
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
def processes(folder: Path, models: Path):
    """Yield a function that starts servers on one data folder; kill whatever still runs at the end."""
    started: list[ParleyProcess] = []

    def start(**variables: str) -> ParleyProcess:
        started.append(ParleyProcess(folder, models, **variables))
        return started[-1]

    try:
        yield start
    finally:
        for server in started:
            if server.process.poll() is None:
                server.kill()
