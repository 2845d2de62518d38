"""Starts a worker process that unpacks one Parquet file, and receives its rows."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

import msgspec

from parley.features.vote_files.formats import require_pyarrow
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.parquet_worker import (
    TOO_LARGE,
    Began,
    Oversized,
    Refused,
    Rows,
    Task,
    decoded,
)
from parley.features.vote_files.worker_process import WorkerProcess
from parley.kernel.errors import Invalid

WORKER = "parley.features.vote_files.parquet_worker"


class ParquetReader:
    """Reads one file in a worker. `kill` may be called from any thread and ends every wait."""

    def __init__(self, path: Path, name: str, columns: Sequence[str] | None, limits: FileLimits) -> None:
        """Start the worker. Raises Invalid if pyarrow is not installed."""
        require_pyarrow()
        self._name, self._limits = name, limits
        wanted = None if columns is None else list(columns)
        task = Task(path=str(path), name=name, columns=wanted, limits=limits)
        self._process = WorkerProcess(WORKER, msgspec.msgpack.encode(task))

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    def messages(self) -> Iterator[Began | Rows | Oversized]:
        """Yield messages to the end of the file. Raises Invalid if the worker refuses it or ends early."""
        try:
            for message in decoded(self._process.frames()):
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
        self._process.close()

    def _ended_early(self) -> Invalid:
        code = self._process.exit_code()
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
