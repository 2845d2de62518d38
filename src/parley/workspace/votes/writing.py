"""Writers of vote files: rows in, bytes out, in JSON Lines, CSV or Parquet."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from parley.workspace.votes.columns import EXPORTED, STYLE, TEXTS, guarded
from parley.workspace.votes.rows import Format, arrow

Row = Mapping[str, Any]


class Writer(Protocol):
    """Makes a file of rows, which all have the same columns in the same order."""

    def start(self) -> bytes:
        """Return what stands before the rows."""
        ...

    def rows(self, rows: Sequence[Row]) -> bytes:
        """Return what these rows become; it may be kept back."""
        ...

    def end(self) -> bytes:
        """Return what is left."""
        ...


def writer_of(kind: Format, *, texts: bool) -> Writer:
    """Return the writer of a format. Raises Invalid for Parquet where pyarrow is not installed."""
    columns = (*EXPORTED, *(TEXTS if texts else ()))
    if kind == "jsonl":
        return JsonLines()
    return CsvTable(columns) if kind == "csv" else ParquetTable(columns)


class JsonLines:
    """One JSON object in each line."""

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()

    def start(self) -> bytes:
        """Nothing."""
        return b""

    def rows(self, rows: Sequence[Row]) -> bytes:
        """A line for each row."""
        return self._encoder.encode_lines(rows)

    def end(self) -> bytes:
        """Nothing."""
        return b""


class CsvTable:
    """A header and rows; lists and objects are JSON, and no cell is a formula to a spreadsheet."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def start(self) -> bytes:
        """The header."""
        return ",".join(self._columns).encode() + b"\r\n"

    def rows(self, rows: Sequence[Row]) -> bytes:
        """A line or more for each row."""
        out = io.StringIO()
        csv.writer(out).writerows([_cell(row[column]) for column in self._columns] for row in rows)
        return out.getvalue().encode()

    def end(self) -> bytes:
        """Nothing."""
        return b""


class ParquetTable:
    """Parquet with typed columns, a row group for every so many rows."""

    def __init__(self, columns: Sequence[str]) -> None:
        pyarrow, parquet = arrow()
        self._pyarrow: Any = pyarrow
        types = _types(pyarrow)
        self._schema: Any = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in columns])
        self._out = _Pipe()
        self._writer: Any = parquet.ParquetWriter(self._out, self._schema, compression="zstd")
        self._waiting: list[Any] = []
        self._size = 0

    def start(self) -> bytes:
        """Nothing: the writer has begun by itself."""
        return self._drained()

    def rows(self, rows: Sequence[Row]) -> bytes:
        """A row group, now and then."""
        batch = self._pyarrow.RecordBatch.from_pylist(list(rows), schema=self._schema)
        self._waiting.append(batch)
        self._size += batch.nbytes
        if len(self._waiting) >= 25 or self._size > 16 << 20:
            self._flush()
        return self._drained()

    def end(self) -> bytes:
        """The last group, and the footer."""
        self._flush()
        self._writer.close()
        return self._drained()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(self._pyarrow.Table.from_batches(self._waiting, self._schema))
        self._waiting, self._size = [], 0

    def _drained(self) -> bytes:
        return self._out.take()


class _Pipe(io.RawIOBase):
    """A file that is only written to, whose bytes are taken out meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        part = bytes(data)
        self._parts.append(part)
        self._at += len(part)
        return len(part)

    def tell(self) -> int:
        return self._at

    def take(self) -> bytes:
        """Return what was written since the last time."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def _types(pyarrow: Any) -> dict[str, Any]:
    """Return the types of the columns that are not text."""
    text, whole, number, flag = pyarrow.string(), pyarrow.int64(), pyarrow.float64(), pyarrow.bool_()
    conversation = pyarrow.list_(pyarrow.struct([("role", text), ("content", text)]))
    described = pyarrow.struct([("name", text), ("organization", text), ("license", text)])
    counts = [(column.format(letter), whole) for letter in "ab" for column in STYLE.values()]
    elo = [(f"{when}_{letter}", number) for letter in "ab" for when in ("before", "after")]
    return {
        "turn": whole,
        "anony": flag,
        "tstamp": number,
        "category": pyarrow.list_(text),
        "conv_metadata": pyarrow.struct(counts),
        "parley_counted": flag,
        "parley_propensity": number,
        "parley_categories": pyarrow.list_(text),
        "parley_read_ms": whole,
        "parley_model_a": described,
        "parley_model_b": described,
        "parley_elo": pyarrow.struct(elo),
        "conversation_a": conversation,
        "conversation_b": conversation,
    }


def _cell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, str):
        return guarded(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return value if isinstance(value, int) else msgspec.json.encode(value).decode()
