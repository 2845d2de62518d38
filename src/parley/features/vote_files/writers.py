"""Writers of vote files: rows in, bytes out, as JSON Lines, CSV or Parquet."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from parley.features.vote_files.columns import EXPORTED, STYLE, TEXTS, ColumnType
from parley.features.vote_files.csv_cells import csv_cell
from parley.features.vote_files.formats import Format
from parley.features.vote_files.parquet_rows import open_duckdb

MEMORY_MB = 1_024
"""Memory of DuckDB while it writes Parquet."""

OBJECT_BYTES = 64 << 20
"""The longest row of an export."""

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
    """Return the writer of a format."""
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
    """Writes typed columns; the bytes are ready at the end, since DuckDB writes a file."""

    def __init__(self, columns: Mapping[str, ColumnType]) -> None:
        self._columns = columns
        self._folder = TemporaryDirectory(prefix="parley-export-")
        self._lines = Path(self._folder.name, "votes.jsonl")

    def rows(self, rows: Rows) -> bytes:
        """Note the rows."""
        with self._lines.open("ab") as file:
            file.write(msgspec.json.Encoder().encode_lines(rows))
        return b""

    def end(self) -> bytes:
        """Return the file."""
        out = self._lines.with_suffix(".parquet")
        self._lines.touch()
        types = ", ".join(f"'{name}': '{_TYPES[kind]}'" for name, kind in self._columns.items())
        with self._folder, open_duckdb(MEMORY_MB) as database:
            database.execute(f"SET temp_directory = '{self._folder.name}'")
            source = (
                f"read_json('{self._lines}', format = 'newline_delimited', columns = {{{types}}},"
                f" maximum_object_size = {OBJECT_BYTES})"
            )
            database.execute(f"COPY (SELECT * FROM {source}) TO '{out}' (FORMAT parquet, COMPRESSION zstd)")  # noqa: S608 - ours
            return out.read_bytes()


def _struct(names: Iterable[str], kind: str) -> str:
    return f"STRUCT({', '.join(f'{name} {kind}' for name in names)})"


_TYPES: dict[ColumnType, str] = {
    "text": "VARCHAR",
    "int": "BIGINT",
    "float": "DOUBLE",
    "bool": "BOOLEAN",
    "words": "VARCHAR[]",
    "style": _struct((column.format(side) for side in "ab" for column in STYLE.values()), "BIGINT"),
    "elo": _struct((f"{when}_{side}" for side in "ab" for when in ("before", "after")), "DOUBLE"),
    "model": _struct(("name", "organization", "license"), "VARCHAR"),
    "conversation": _struct(('"role"', "content"), "VARCHAR") + "[]",
}
