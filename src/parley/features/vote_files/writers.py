"""Writers of vote files: rows in, bytes out, as JSON Lines, CSV or Parquet."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parley.features.vote_files.columns import EXPORTED, STYLE, TEXTS, ColumnType
from parley.features.vote_files.csv_cells import csv_cell
from parley.features.vote_files.formats import Format, arrow

PARQUET_GROUP_PAGES, PARQUET_GROUP_BYTES = 25, 16 << 20
"""A row group is written once it has so many pages or bytes."""

Rows = Sequence[Mapping[str, Any]]


class Writer(ABC):
    """Turns rows with the same columns into the bytes of a file."""

    def start(self) -> bytes:
        """Return what precedes the rows."""
        return b""

    @abstractmethod
    def rows(self, rows: Rows) -> bytes:
        """Return the bytes that are ready after these rows; some may follow later."""

    def end(self) -> bytes:
        """Return what is left."""
        return b""


def writer_of(kind: Format, *, texts: bool) -> Writer:
    """Return the writer of a format. Raises Invalid for Parquet where pyarrow is not installed."""
    columns = EXPORTED | TEXTS if texts else EXPORTED
    if kind == "jsonl":
        return JsonLinesWriter()
    return CsvWriter(list(columns)) if kind == "csv" else ParquetWriter(columns)


class JsonLinesWriter(Writer):
    """Writes one JSON object per line."""

    def rows(self, rows: Rows) -> bytes:
        """Return a line for each row."""
        return msgspec.json.Encoder().encode_lines(rows)


class CsvWriter(Writer):
    """Writes a header and rows."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def start(self) -> bytes:
        """Return the header."""
        return ",".join(self._columns).encode() + b"\r\n"

    def rows(self, rows: Rows) -> bytes:
        """Return a record for each row."""
        out = io.StringIO()
        csv.writer(out).writerows([csv_cell(row[column]) for column in self._columns] for row in rows)
        return out.getvalue().encode()


class ParquetWriter(Writer):
    """Writes typed columns, several pages to a row group."""

    def __init__(self, columns: Mapping[str, ColumnType]) -> None:
        pyarrow, parquet = arrow()
        self._pyarrow: Any = pyarrow
        types = _arrow_types(pyarrow)
        self._schema: Any = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
        self._out = _Pipe()
        self._writer: Any = parquet.ParquetWriter(self._out, self._schema, compression="zstd")
        self._pages: list[Any] = []
        self._size = 0

    def rows(self, rows: Rows) -> bytes:
        """Return a row group once enough rows have come; before, at most the beginning of the file."""
        page = self._pyarrow.RecordBatch.from_pylist(list(rows), schema=self._schema)
        self._pages.append(page)
        self._size += page.nbytes
        if len(self._pages) >= PARQUET_GROUP_PAGES or self._size > PARQUET_GROUP_BYTES:
            self._flush()
        return self._out.take()

    def end(self) -> bytes:
        """Return the last row group and the footer."""
        self._flush()
        self._writer.close()
        return self._out.take()

    def _flush(self) -> None:
        if self._pages:
            self._writer.write_table(self._pyarrow.Table.from_batches(self._pages, self._schema))
        self._pages, self._size = [], 0


class _Pipe(io.RawIOBase):
    """A write-only file whose bytes are taken out meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        before = len(self._waiting)
        self._waiting += data
        self._at += (added := len(self._waiting) - before)
        return added

    def tell(self) -> int:
        return self._at

    def take(self) -> bytes:
        """Return what was written since the last call."""
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken


def _arrow_types(pyarrow: Any) -> dict[ColumnType, Any]:
    text, integer, number = pyarrow.string(), pyarrow.int64(), pyarrow.float64()

    def struct(names: Sequence[str], kind: Any) -> Any:
        return pyarrow.struct([(name, kind) for name in names])

    return {
        "text": text,
        "int": integer,
        "float": number,
        "bool": pyarrow.bool_(),
        "words": pyarrow.list_(text),
        "style": struct([column.format(side) for side in "ab" for column in STYLE.values()], integer),
        "elo": struct([f"{when}_{side}" for side in "ab" for when in ("before", "after")], number),
        "model": struct(("name", "organization", "license"), text),
        "conversation": pyarrow.list_(struct(("role", "content"), text)),
    }
