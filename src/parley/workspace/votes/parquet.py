"""Parquet, unpacked in a process of its own that can be ended at any moment."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Self, cast

import msgspec

from parley.kernel.errors import Invalid
from parley.workspace.votes.limits import FileLimits
from parley.workspace.votes.parquet_process import TOO_LARGE
from parley.workspace.votes.parquet_words import Answer, Refused, Task, read_answers

PROGRAM = "parley.workspace.votes.parquet_process"

_PASSED_ON = ("PATH", "PYTHONHOME", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
"""What the system needs to start a process; keys of providers stay here."""

_ENDS_AFTER_S = 5.0


class ParquetProcess:
    """Reads one file. `kill` may be called from any thread, and ends whatever is waited for."""

    def __init__(self, path: Path, name: str, columns: Sequence[str] | None, limits: FileLimits) -> None:
        """Start the process. Raises Invalid where pyarrow is not installed."""
        require_pyarrow()
        self._name, self._limits = name, limits
        task = Task(
            path=str(path), name=name, columns=None if columns is None else list(columns), limits=limits
        )
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-m", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._said = cast("BinaryIO", self._process.stdout)
        with contextlib.suppress(BrokenPipeError), cast("BinaryIO", self._process.stdin) as given:
            given.write(msgspec.msgpack.encode(task))

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def answers(self) -> Iterator[Answer]:
        """Yield what it says, until its end. Raises Invalid where it refuses the file, or breaks off."""
        try:
            for answer in read_answers(self._said):
                if isinstance(answer, Refused):
                    raise Invalid("file", answer.title, answer.detail)
                yield answer
        except (msgspec.DecodeError, ValueError) as error:
            raise Invalid("file", f"{self._name} cannot be read.", str(error)) from None

    def broke_off(self) -> Invalid:
        """Return what is told where it ended without a word."""
        try:
            code = self._process.wait(_ENDS_AFTER_S)
        except subprocess.TimeoutExpired:
            code = None
        if code == TOO_LARGE:
            return Invalid(
                "file",
                f"{self._name} takes more than {self._limits.memory_mb:,} MB of memory to unpack.",
                "Write it with smaller row groups and pages, or as JSON Lines, or raise the setting import_memory_mb.",
            )
        return Invalid(
            "file",
            f"{self._name} cannot be read: the process that unpacks it ended{'' if code is None else f' ({code})'}.",
            "It may need more memory than is allowed (the setting import_memory_mb), or be damaged.",
        )

    def kill(self) -> None:
        """End it."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._said.close()


def _environment() -> dict[str, str]:
    there = os.environ  # noqa: TID251 - no configuration is read
    passed_on = {key: there[key] for key in _PASSED_ON if key in there}
    # Arrow's own pools reserve more than they use.
    return {**passed_on, "PYTHONPATH": os.pathsep.join(sys.path), "ARROW_DEFAULT_MEMORY_POOL": "system"}


def require_pyarrow() -> None:
    """Raise Invalid where pyarrow is not installed; does not load it."""
    if find_spec("pyarrow") is None:
        advice = "Install Parley with it: pip install 'parley[parquet]'"
        raise Invalid("file", "Parquet needs pyarrow, which is not installed.", advice)
