"""Starts a worker process that unpacks one Parquet file, and receives its rows."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Self, cast

import msgspec

from parley.kernel.errors import Invalid
from parley.workspace.vote_files.formats import require_pyarrow
from parley.workspace.vote_files.limits import FileLimits
from parley.workspace.vote_files.parquet_worker import (
    TOO_LARGE,
    Began,
    Oversized,
    Refused,
    Rows,
    Task,
    read_messages,
)

WORKER = "parley.workspace.vote_files.parquet_worker"

_INHERITED = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
"""The variables that a process needs to start; providers' keys are not passed on."""

_EXIT_TIMEOUT_S = 5.0


class ParquetReader:
    """Reads one file in a worker. `kill` may be called from any thread and ends every wait."""

    def __init__(self, path: Path, name: str, columns: Sequence[str] | None, limits: FileLimits) -> None:
        """Start the worker. Raises Invalid if pyarrow is not installed."""
        require_pyarrow()
        self._name, self._limits = name, limits
        wanted = None if columns is None else list(columns)
        task = Task(path=str(path), name=name, columns=wanted, limits=limits)
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._out = cast("BinaryIO", self._process.stdout)
        with contextlib.suppress(BrokenPipeError), cast("BinaryIO", self._process.stdin) as given:
            given.write(msgspec.msgpack.encode(task))

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    def messages(self) -> Iterator[Began | Rows | Oversized]:
        """Yield messages to the end of the file. Raises Invalid if the worker refuses it or ends early."""
        try:
            for message in read_messages(self._out):
                if isinstance(message, Refused):
                    raise Invalid("file", message.title, message.detail)
                if not isinstance(message, Began | Rows | Oversized):
                    return
                yield message
        except EOFError:
            pass
        except (msgspec.DecodeError, ValueError) as error:
            raise Invalid("file", f"{self._name} cannot be read.", str(error)) from None
        raise self._ended_early()

    def kill(self) -> None:
        """End the worker."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._out.close()

    def _ended_early(self) -> Invalid:
        try:
            code = self._process.wait(_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            code = None
        if code == TOO_LARGE:
            return Invalid(
                "file",
                f"{self._name} takes more than {self._limits.memory_mb:,} MB of memory to unpack.",
                "Nothing was imported. Write it with smaller row groups and pages or as JSON Lines, "
                "or raise the setting import_memory_mb.",
            )
        return Invalid(
            "file",
            f"{self._name} cannot be read: the process that unpacks it ended{'' if code is None else f' ({code})'}.",
            "Nothing was imported. It may be damaged, or need more memory than the setting "
            "import_memory_mb allows.",
        )


def _environment() -> dict[str, str]:
    there = os.environ  # noqa: TID251 - no configuration is read
    inherited = {key: there[key] for key in _INHERITED if key in there}
    # Arrow's own pools reserve more than they use.
    return {**inherited, "PYTHONPATH": os.pathsep.join(sys.path), "ARROW_DEFAULT_MEMORY_POOL": "system"}
