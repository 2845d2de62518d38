"""The rows of a vote file in any format, with at most one row or one piece of Parquet in memory."""

from collections.abc import Iterator, Sequence
from functools import partial
from io import SEEK_END, BufferedReader
from pathlib import Path
from typing import BinaryIO

from parley.features.vote_files.columns import CheckColumns
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.parquet_rows import ParquetRows
from parley.features.vote_files.recoded import MARKS, Recoded
from parley.features.vote_files.text_rows import Lines, NumberedRow, csv_rows, json_rows
from parley.kernel.errors import Invalid

BUFFER_BYTES = 1 << 18
"""Bytes that are read from a file at a time."""

_PACKED = {
    b"PK": "a ZIP archive",
    b"\x1f\x8b": "compressed with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}


class VoteRows:
    """Iterates over the rows of a file. Raises Invalid if the file cannot be read.

    `name` stands for the file in errors. `columns` limits what is read of Parquet. `lazy` leaves some cells of JSON
    Lines as they are (`LineDecoder`).
    """

    def __init__(
        self,
        path: Path,
        kind: Format,
        check: CheckColumns,
        *,
        name: str | None = None,
        columns: Sequence[str] | None = None,
        limits: FileLimits | None = None,
        lazy: bool = False,
    ) -> None:
        self._path, self._kind, self._check = path, kind, check
        self._name = name or path.name
        self._columns = columns
        self._limits = limits or FileLimits()
        self._lazy = lazy
        self._lines = Lines()
        self._parquet: ParquetRows | None = None
        self._size = 0
        self.total: int | None = None
        """The number of rows, where the file states it."""

    def share(self, rows: int) -> float:
        """Return which part of the file is read after so many rows."""
        if self.total is not None:
            return min(rows / max(self.total, 1), 1.0)
        return min(self._lines.bytes_read / max(self._size, 1), 1.0)

    def close(self) -> None:
        """End the reading at once; may be called from another thread."""
        self._lines.closed = True
        if self._parquet is not None:
            self._parquet.interrupt()

    def __iter__(self) -> Iterator[NumberedRow]:
        try:
            with self._path.open("rb", buffering=BUFFER_BYTES) as file:
                self._size = file.seek(0, SEEK_END)
                file.seek(0)
                self._refuse_packed(file)
                if self._kind == "parquet":
                    yield from self._parquet_rows()
                else:
                    rows = partial(json_rows, lazy=self._lazy) if self._kind == "jsonl" else csv_rows
                    yield from rows(
                        self._lines.of(self._as_utf8(file)), self._name, self._check, self._limits.rows
                    )
        except Invalid:
            if not self._lines.closed:
                raise
        except OSError as error:
            shown = self._path if self._name == self._path.name else self._name
            raise Invalid("file", f"{shown} cannot be read: {error.strerror or error}.") from None

    def _as_utf8(self, file: BinaryIO) -> BinaryIO:
        encoding = MARKS.get(file.read(2))
        file.seek(2 if encoding else 0)
        if encoding is None:
            return file
        self._size //= 2  # nearly all of a vote is ASCII
        return BufferedReader(Recoded(file, self._name, encoding), BUFFER_BYTES)

    def _refuse_packed(self, file: BinaryIO) -> None:
        start = file.read(4)
        file.seek(0)
        for magic, what in _PACKED.items():
            if start.startswith(magic):
                advice = "Unpack it first, then import the file inside."
                raise Invalid("file", f"{self._name} is {what}.", advice)
        if self._kind != "parquet" and start == b"PAR1":
            advice = "Rename it so that it ends in .parquet."
            raise Invalid("file", f"{self._name} is a Parquet file.", advice)

    def _parquet_rows(self) -> Iterator[NumberedRow]:
        with ParquetRows(self._path, self._name, self._check, self._columns, self._limits) as rows:
            self._parquet, self.total = rows, rows.total
            for numbered in enumerate(rows, 1):
                if self._lines.closed:
                    return
                yield numbered
