"""The process that unpacks a Parquet file: it alone has the file's bytes in memory, and may be ended at any moment.

A Parquet file of some kilobytes may stand for gigabytes, and what it unpacks to is known only once it is unpacked. So
this process has a limit of memory from the system (Linux), looks at its own size all the time (macOS too), and hands
over rows in pieces, each weighed before it becomes Python's values. On Windows pieces are weighed, and no more.
"""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from parley.workspace.votes.limits import (
    COLUMNS,
    RATIO,
    ROW_BYTES,
    ROWS_FREE,
    ROWS_PER_BYTE,
    UNPACKED_FREE,
    VALUES,
)
from parley.workspace.votes.parquet_words import (
    Answer,
    Began,
    Ended,
    Oversized,
    Refused,
    Rows,
    Task,
    write_answer,
)

BATCH_ROWS = 500
PIECE_BYTES = 8 << 20
"""How much becomes Python's values at a time."""

BUFFER_BYTES = 1 << 20
"""How much of a column is read from the file at a time."""

VALUE_BYTES = 16
"""What a value weighs beside its own bytes."""

TOO_LARGE = 75
"""The exit code of a process that had grown too large."""

WATCH_S = 0.02


class _Refusal(Exception):
    def __init__(self, title: str, detail: str | None = None) -> None:
        super().__init__(title)
        self.title, self.detail = title, detail


def main() -> None:
    """Read the task from the input, and write answers to the output."""
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Task)
    out = sys.stdout.buffer
    _limit_memory(task.limits.memory_mb << 20)
    try:
        for answer in _answers(task):
            write_answer(out, answer)
    except BrokenPipeError:
        os._exit(0)  # nobody listens any more, and nothing is to be flushed


def _answers(task: Task) -> Iterator[Answer]:
    pyarrow = import_module("pyarrow")
    try:
        yield from _read(task, pyarrow)
        yield Ended()
    except MemoryError:  # ArrowMemoryError is one
        os._exit(TOO_LARGE)
    except _Refusal as refusal:
        yield Refused(refusal.title, refusal.detail)
    except OSError as error:
        yield Refused(f"{task.name} cannot be read: {error.strerror or error}.", None)
    except (pyarrow.ArrowException, UnicodeDecodeError) as error:
        yield Refused(f"{task.name} is not a Parquet file that can be read.", str(error)[:300])


def _read(task: Task, pyarrow: Any) -> Iterator[Answer]:
    parquet = import_module("pyarrow.parquet")
    packed = Path(task.path).stat().st_size
    with parquet.ParquetFile(task.path, buffer_size=BUFFER_BYTES, memory_map=False) as file:
        _refuse_columns(task, file.metadata.num_columns)
        names = [str(name) for name in file.schema_arrow.names]
        wanted = [name for name in names if task.columns is None or name in task.columns]
        rows = int(file.metadata.num_rows)
        # The columns are looked at first: a file of something else is told as that.
        yield Began(names, wanted, rows)
        _refuse_rows(task, rows, packed)
        unpacked = at = 0
        for packed_batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted, use_threads=False):
            batch = _whole(packed_batch, pyarrow)
            at += batch.num_rows
            unpacked += batch.nbytes
            _refuse_rows(task, at, packed)
            _refuse_ratio(task, unpacked, packed, at)
            for piece in _pieces(batch, pyarrow):
                yield _rows(task, piece, wanted, pyarrow)


def _rows(task: Task, piece: Any, wanted: list[str], pyarrow: Any) -> Answer:
    if piece.num_rows == 1:
        if piece.nbytes > ROW_BYTES:
            return Oversized(f"it is longer than {ROW_BYTES >> 20} MiB")
        if sum(_values(column, pyarrow) for column in piece.columns) > VALUES:
            return Oversized(f"it holds more than {VALUES:,} values")
    columns = zip(wanted, piece.columns, strict=True)
    return Rows([_python(task, name, column, pyarrow) for name, column in columns])


def _whole(batch: Any, pyarrow: Any) -> Any:
    """Return a batch with each value written out as often as it is there, which is what Python makes of it."""
    kinds = [column.type for column in batch.columns]
    if not any(map(pyarrow.types.is_dictionary, kinds)):
        return batch
    columns = [
        column.dictionary_decode() if pyarrow.types.is_dictionary(kind) else column
        for column, kind in zip(batch.columns, kinds, strict=True)
    ]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _pieces(batch: Any, pyarrow: Any) -> Iterator[Any]:
    """Yield a batch in parts that are light enough, or of one row."""
    weight = batch.nbytes + VALUE_BYTES * sum(_values(column, pyarrow) for column in batch.columns)
    if weight <= PIECE_BYTES or batch.num_rows <= 1:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _pieces(batch.slice(0, half), pyarrow)
    yield from _pieces(batch.slice(half), pyarrow)


def _values(array: Any, pyarrow: Any) -> int:
    """Return how many values an array holds, at any depth."""
    kind, types = array.type, pyarrow.types
    if types.is_map(kind):
        return len(array) + _values(array.keys, pyarrow) + _values(array.items, pyarrow)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return len(array) + _values(array.flatten(), pyarrow)
    if types.is_struct(kind):
        return len(array) + sum(_values(field, pyarrow) for field in array.flatten())
    return len(array)


def _python(task: Task, name: str, column: Any, pyarrow: Any) -> list[object]:
    """Return a column's values; times to the microsecond, and of any zone in UTC."""
    if pyarrow.types.is_timestamp(column.type):
        unit, zone = column.type.unit, "UTC" if column.type.tz else None
        column = column.cast(pyarrow.timestamp("us" if unit == "ns" else unit, tz=zone), safe=False)
    try:
        return column.to_pylist()
    except (ValueError, OverflowError) as error:
        raise _Refusal(f"{task.name} has a value in “{name}” that cannot be read: {error}.") from None


def _refuse_columns(task: Task, columns: int) -> None:
    if columns > COLUMNS:
        raise _Refusal(
            f"{task.name} has {columns:,} columns; at most {COLUMNS:,} are possible.",
            "Write a file of the columns of votes alone.",
        )


def _refuse_rows(task: Task, rows: int, packed: int) -> None:
    if rows > task.limits.rows:
        raise _Refusal(
            f"{task.name} has {rows:,} rows; at most {task.limits.rows:,} are possible.",
            "Import it in parts, or raise the setting import_max_rows.",
        )
    if rows > ROWS_FREE + ROWS_PER_BYTE * packed:
        raise _Refusal(
            f"{task.name} has {rows:,} rows in {packed:,} bytes; at most {ROWS_PER_BYTE} in a byte are possible.",
            "Rows that all say the same are no votes. If these are, write them as JSON Lines.",
        )


def _refuse_ratio(task: Task, unpacked: int, packed: int, row: int) -> None:
    if unpacked > UNPACKED_FREE + RATIO * packed:
        raise _Refusal(
            f"{task.name} unpacks {packed:,} bytes to {unpacked:,} by row {row:,}; "
            f"at most {RATIO:,} times its size is possible.",
            "If these are votes, write them as JSON Lines.",
        )


def _limit_memory(limit: int) -> None:
    """Let the system refuse more memory, where it does so, and end this process where it has grown all the same."""
    try:
        resource = import_module("resource")
    except ImportError:
        return  # Windows
    if sys.platform == "linux":
        # What is mapped for data, not what is only reserved: libraries and arenas reserve gigabytes.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    begun = _size(resource)

    def watch() -> None:
        # Where only the largest size so far is known, it may be that of the parent, from before this program began.
        while _size(resource) < max(limit, begun + 1):
            time.sleep(WATCH_S)
        os._exit(TOO_LARGE)

    threading.Thread(target=watch, daemon=True).start()


def _size(resource: Any) -> int:
    """Return how many bytes of memory this process has, or has had at most."""
    with contextlib.suppress(OSError), Path("/proc/self/statm").open("rb") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest if sys.platform == "darwin" else largest * 1024


if __name__ == "__main__":
    main()
