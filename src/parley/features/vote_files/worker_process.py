"""Processes of their own for work on one file: they get a task, send frames, and end with whoever started them."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import BinaryIO, cast

from parley.features.vote_files.frames import read_frames

_INHERITED = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
"""The variables that a process needs to start; providers' keys are not passed on."""

_EXIT_TIMEOUT_S = 5.0


class WorkerProcess:
    """Runs a module in a process of its own. `kill` may be called from any thread and ends every wait.

    The module reads its task from standard input and writes frames to standard output. Once nobody reads them, its next
    one fails with BrokenPipeError.
    """

    def __init__(self, module: str, task: bytes) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._out = cast("BinaryIO", self._process.stdout)
        with contextlib.suppress(BrokenPipeError), cast("BinaryIO", self._process.stdin) as given:
            given.write(task)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    def frames(self) -> Iterator[bytes]:
        """Yield frames until the process ends. Raises EOFError if one is cut off, ValueError if one is too long."""
        return read_frames(self._out)

    def exit_code(self) -> int | None:
        """Wait for the end; return the exit code, or None where it does not come."""
        try:
            return self._process.wait(_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """End the process."""
        self._process.kill()

    def close(self) -> None:
        """End the process and wait until it is gone."""
        self._process.kill()
        self._process.wait()
        self._out.close()


def _environment() -> dict[str, str]:
    there = os.environ  # noqa: TID251 - no configuration is read
    inherited = {key: there[key] for key in _INHERITED if key in there}
    # Arrow's own pools reserve more than they use.
    return {**inherited, "PYTHONPATH": os.pathsep.join(sys.path), "ARROW_DEFAULT_MEMORY_POOL": "system"}
