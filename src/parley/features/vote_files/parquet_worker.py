"""The worker process that unpacks a Parquet file and sends its rows in small pieces.

A file of kilobytes may unpack to gigabytes, and its size is known only afterwards. So the worker limits its own memory:
by the system on Linux, by watching its size there and on macOS. Each piece is weighed before it becomes Python values;
on Windows that is the only limit.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

import msgspec

from parley.features.vote_files.frames import write_frame
from parley.features.vote_files.limits import (
    COLUMNS,
    RATIO,
    ROW_BYTES,
    ROWS_FREE,
    ROWS_PER_BYTE,
    UNPACKED_FREE,
    VALUES,
    FileLimits,
)
from parley.kernel.errors import Invalid

TOO_LARGE = 75
"""The worker's exit code once it needs more memory than allowed."""

BATCH_ROWS = 500
PIECE_BYTES = 8 << 20
"""Bytes that become Python values at a time."""

BUFFER_BYTES = 1 << 20
"""Bytes of a column that are read from the file at a time."""

VALUE_BYTES = 16
"""The weight of a value beside its own bytes."""

WATCH_S = 0.02


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """The file to read, its name in errors, and the columns to return (None: all)."""

    path: str
    name: str
    columns: list[str] | None
    limits: FileLimits


class Began(msgspec.Struct, frozen=True, tag="began"):
    """The file's columns, those that are returned, and the row count its footer states."""

    columns: list[str]
    wanted: list[str]
    rows: int


class Rows(msgspec.Struct, frozen=True, tag="rows", gc=False):
    """Some rows, column by column, in the order of `Began.wanted`."""

    columns: list[list[Any]]


class Oversized(msgspec.Struct, frozen=True, tag="oversized"):
    """One row that exceeds a limit, which `why` names."""

    why: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The file cannot be read; title and detail of the error."""

    title: str
    detail: str | None


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The file was read to its end."""


Message: TypeAlias = Began | Rows | Oversized | Refused | Ended


def main() -> None:
    """Read the task from standard input and write messages to standard output."""
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Task)
    _limit_memory(task.limits.memory_mb << 20)
    try:
        for message in _messages(task):
            write_message(sys.stdout.buffer, message)
    except BrokenPipeError:
        os._exit(0)  # the reader is gone, so nothing is left to flush


def write_message(out: BinaryIO, message: Message) -> None:
    """Send a message. Raises BrokenPipeError once the reader is gone."""
    write_frame(out, msgspec.msgpack.encode(message, enc_hook=str))
    out.flush()


def decoded(frames: Iterator[bytes]) -> Iterator[Message]:
    """Yield the messages of frames. Raises msgspec.DecodeError for a broken one."""
    return map(msgspec.msgpack.Decoder[Message](Message).decode, frames)


def _messages(task: Task) -> Iterator[Message]:
    pyarrow = import_module("pyarrow")
    try:
        yield from _read(task, pyarrow)
        yield Ended()
    except MemoryError:  # ArrowMemoryError is one
        os._exit(TOO_LARGE)
    except Invalid as refusal:
        yield Refused(refusal.title, refusal.detail)
    except OSError as error:
        yield Refused(f"{task.name} cannot be read: {error.strerror or error}.", None)
    except (pyarrow.ArrowException, UnicodeDecodeError) as error:
        yield Refused(f"Can't read {task.name} as Parquet.", str(error)[:300])


def _read(task: Task, pyarrow: Any) -> Iterator[Message]:
    parquet = import_module("pyarrow.parquet")
    packed = Path(task.path).stat().st_size
    with parquet.ParquetFile(task.path, buffer_size=BUFFER_BYTES, memory_map=False) as file:
        _refuse_columns(task, file.metadata.num_columns)
        names = [str(name) for name in file.schema_arrow.names]
        wanted = [name for name in names if task.columns is None or name in task.columns]
        rows = int(file.metadata.num_rows)
        # Before the limit on rows: a file without the columns of votes is refused for those.
        yield Began(names, wanted, rows)
        _refuse_rows(task, rows, packed)
        unpacked = at = 0
        for packed_batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted, use_threads=False):
            batch = _without_dictionaries(packed_batch, pyarrow)
            at += batch.num_rows
            unpacked += batch.nbytes
            _refuse_rows(task, at, packed)
            _refuse_ratio(task, unpacked, packed, at)
            for piece in _pieces(batch, pyarrow):
                yield _rows(task, piece, wanted, pyarrow)


def _rows(task: Task, piece: Any, wanted: list[str], pyarrow: Any) -> Message:
    if piece.num_rows == 1:
        if piece.nbytes > ROW_BYTES:
            return Oversized(f"it is longer than {ROW_BYTES >> 20} MiB")
        if sum(_values(column, pyarrow) for column in piece.columns) > VALUES:
            return Oversized(f"it has more than {VALUES:,} values")
    columns = zip(wanted, piece.columns, strict=True)
    return Rows([_python_values(task, name, column, pyarrow) for name, column in columns])


def _without_dictionaries(batch: Any, pyarrow: Any) -> Any:
    """Expand dictionary columns, so that a batch weighs what Python makes of it."""
    columns = [
        column.dictionary_decode() if pyarrow.types.is_dictionary(column.type) else column
        for column in batch.columns
    ]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _pieces(batch: Any, pyarrow: Any) -> Iterator[Any]:
    """Split a batch until each piece is light enough or one row."""
    weight = batch.nbytes + VALUE_BYTES * sum(_values(column, pyarrow) for column in batch.columns)
    if weight <= PIECE_BYTES or batch.num_rows <= 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces(batch.slice(0, half), pyarrow)
    yield from _pieces(batch.slice(half), pyarrow)


def _values(array: Any, pyarrow: Any) -> int:
    """Count the values in an array, at any depth."""
    kind, types = array.type, pyarrow.types
    if types.is_map(kind):
        return len(array) + _values(array.keys, pyarrow) + _values(array.items, pyarrow)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return len(array) + _values(array.flatten(), pyarrow)
    if types.is_struct(kind):
        return len(array) + sum(_values(field, pyarrow) for field in array.flatten())
    return len(array)


def _python_values(task: Task, name: str, column: Any, pyarrow: Any) -> list[object]:
    """Return a column's values; times to the microsecond, those with a zone in UTC."""
    if pyarrow.types.is_timestamp(column.type):
        unit, zone = column.type.unit, "UTC" if column.type.tz else None
        column = column.cast(pyarrow.timestamp("us" if unit == "ns" else unit, tz=zone), safe=False)
    try:
        return column.to_pylist()
    except (ValueError, OverflowError) as error:
        raise Invalid("file", f"{task.name} has a value in “{name}” that cannot be read: {error}.") from None


def _refuse_columns(task: Task, columns: int) -> None:
    if columns > COLUMNS:
        raise Invalid(
            "file",
            f"{task.name} has {columns:,} columns; the limit is {COLUMNS:,}.",
            "Remove columns that don't belong to votes.",
        )


def _refuse_rows(task: Task, rows: int, packed: int) -> None:
    if rows > task.limits.rows:
        raise Invalid(
            "file",
            f"{task.name} has {rows:,} rows; the limit is {task.limits.rows:,}.",
            "Import it in parts, or raise the setting import_max_rows.",
        )
    if rows > ROWS_FREE + ROWS_PER_BYTE * packed:
        raise Invalid(
            "file",
            f"{task.name} has {rows:,} rows in {packed:,} bytes; the limit is {ROWS_PER_BYTE} rows a byte.",
            "Identical rows are not real votes. If these are votes, write them as JSON Lines.",
        )


def _refuse_ratio(task: Task, unpacked: int, packed: int, row: int) -> None:
    if unpacked > UNPACKED_FREE + RATIO * packed:
        raise Invalid(
            "file",
            f"{task.name} unpacks {packed:,} bytes to {unpacked:,} by row {row:,}; the limit is {RATIO:,} "
            "times its size.",
            "If these are votes, write them as JSON Lines.",
        )


def _limit_memory(limit: int) -> None:
    """Limit this process's memory by the system where it can, and end the process once it has grown too large."""
    try:
        resource = import_module("resource")
    except ImportError:
        return  # Windows
    if sys.platform == "linux":
        # RLIMIT_AS would count what libraries and arenas only reserve: gigabytes.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    begun = _memory_bytes(resource)

    def watch() -> None:
        # A peak size may be the parent's, from before this program began.
        while _memory_bytes(resource) < max(limit, begun + 1):
            time.sleep(WATCH_S)
        os._exit(TOO_LARGE)

    threading.Thread(target=watch, daemon=True).start()


def _memory_bytes(resource: Any) -> int:
    """Return this process's memory, or its peak where only that is known."""
    with contextlib.suppress(OSError), Path("/proc/self/statm").open("rb") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    main()
