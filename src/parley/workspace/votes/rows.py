"""Rows of vote files: CSV, JSON Lines and Parquet, read one by one, with what is no row told in words.

Whatever a file holds, no more than one line of `LINE_BYTES` or one batch of Parquet is in memory. Nothing is unpacked:
an archive or compressed text is no vote file.
"""

import csv
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias, cast

import msgspec

from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean

Format: TypeAlias = Literal["jsonl", "csv", "parquet"]
Row: TypeAlias = Mapping[str, object]
CheckColumns: TypeAlias = Callable[[str, Iterable[str]], None]
"""Told the file's name and its columns; raises Invalid."""

LINE_BYTES = 16 << 20
"""The longest line, and the longest field of CSV."""

BATCH_ROWS = 500
GROUP_BYTES = 4 << 30
"""The largest row group of Parquet, unpacked."""

ENDINGS: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_PACKED = {
    b"PK": "a ZIP archive",
    b"\x1f\x8b": "compressed with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}
_BOM = b"\xef\xbb\xbf"


def format_of(name: str) -> Format:
    """Return the format that a file's ending names. Raises Invalid."""
    found = ENDINGS.get(Path(name).suffix.lower())
    if found is None:
        raise Invalid("file", f"{name} is none of the kinds of file that can be read: {', '.join(ENDINGS)}.")
    return found


class VoteRows:
    """The rows of a file, each with its line (from 1, as an editor counts; of Parquet the row), or why it is none.

    `name` is what errors call the file. `columns` narrows what is read of Parquet to these.
    Iterating raises Invalid where the file as a whole cannot be read.
    """

    def __init__(
        self,
        path: Path,
        kind: Format,
        check: CheckColumns,
        *,
        name: str | None = None,
        columns: Sequence[str] | None = None,
    ) -> None:
        self._path, self._kind, self._check = path, kind, check
        self._name = name or path.name
        self._columns = columns
        self.total: int | None = None
        """How many rows there are, where the file tells beforehand."""
        self.bytes_read = 0
        """How far text was read."""
        self._size = 0

    def share(self, rows: int) -> float:
        """Return which part of the file was read, once so many rows were."""
        if self.total is not None:
            return min(rows / max(self.total, 1), 1.0)
        return min(self.bytes_read / max(self._size, 1), 1.0)

    def __iter__(self) -> Iterator[tuple[int, Row | str]]:
        """Read the file."""
        readers = {"csv": self._csv, "jsonl": self._json, "parquet": self._parquet}
        try:
            with self._path.open("rb") as file:
                self._size = file.seek(0, SEEK_END)
                file.seek(0)
                self._refuse_packed(file)
                yield from readers[self._kind](file)
        except OSError as error:
            shown = self._path if self._name == self._path.name else self._name
            raise Invalid("file", f"{shown} cannot be read: {error.strerror or error}.") from None

    def _refuse_packed(self, file: BinaryIO) -> None:
        start = file.read(4)
        file.seek(0)
        for magic, what in _PACKED.items():
            if start.startswith(magic):
                raise Invalid(
                    "file", f"{self._name} is {what}.", "Unpack it first, and give the file itself."
                )
        if self._kind != "parquet" and start == b"PAR1":
            raise Invalid(
                "file", f"{self._name} is a Parquet file.", "Give it as one: with the ending .parquet."
            )

    def _json(self, file: BinaryIO) -> Iterator[tuple[int, Row | str]]:
        decoder: msgspec.json.Decoder[dict[str, object]] = msgspec.json.Decoder(dict[str, object])
        seen: dict[str, None] = {}
        last: tuple[str, ...] = ()
        for line, text in enumerate(self._lines(file), start=1):
            if text is None:
                yield line, f"it is longer than {LINE_BYTES >> 20} MiB"
                continue
            if text.isspace():
                continue
            try:
                row = decoder.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield line, "it is not a JSON object"
                continue
            if (names := tuple(row)) != last:
                last = names
                seen.update(dict.fromkeys(names))
            yield line, row
        self._check(self._name, seen)

    def _csv(self, file: BinaryIO) -> Iterator[tuple[int, Row | str]]:
        csv.field_size_limit(LINE_BYTES)
        text = _CsvText(self._lines(file), self._name)
        reader = csv.reader(text)
        try:
            header = [name.strip() for name in next(reader, ())]
            self._check_header(header)
            for fields in reader:
                broken, text.broken = text.broken, False
                if not fields:
                    continue
                if broken:
                    yield reader.line_num, "it is not UTF-8 text"
                elif len(fields) != len(header):
                    yield reader.line_num, f"it has {len(fields)} fields where the header has {len(header)}"
                else:
                    yield reader.line_num, dict(zip(header, fields, strict=True))
        except csv.Error as error:
            raise Invalid("file", f"{self._name}:{reader.line_num}: {error}.") from None

    def _check_header(self, header: Sequence[str]) -> None:
        self._check(self._name, header)
        twice = [name for place, name in enumerate(header) if name and name in header[:place]]
        if twice:
            raise Invalid(
                "file", f"{self._name} has the column “{twice[0]}” twice.", "Rename one of the two."
            )

    def _parquet(self, _: BinaryIO) -> Iterator[tuple[int, Row | str]]:
        parquet = arrow()[1]
        with refusing(self._path, self._name), parquet.ParquetFile(self._path) as file:
            names = [str(name) for name in file.schema_arrow.names]
            self._check(self._name, names)
            self._refuse_huge(file.metadata)
            self.total = file.metadata.num_rows
            wanted = [name for name in names if self._columns is None or name in self._columns]
            at = 0
            for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted):
                columns = [
                    self._values(name, column) for name, column in zip(wanted, batch.columns, strict=True)
                ]
                for values in zip(*columns, strict=True):
                    at += 1
                    yield at, dict(zip(wanted, values, strict=True))

    def _values(self, name: str, column: Any) -> list[object]:
        """Return a column's values; times to the microsecond, and of any zone in UTC. Raises Invalid."""
        pyarrow = arrow()[0]
        if pyarrow.types.is_timestamp(column.type):
            unit, zone = column.type.unit, "UTC" if column.type.tz else None
            column = column.cast(pyarrow.timestamp("us" if unit == "ns" else unit, tz=zone), safe=False)
        try:
            return cast("list[object]", column.to_pylist())
        except (ValueError, OverflowError) as error:
            raise Invalid(
                "file", f"{self._name} has a value in “{name}” that cannot be read: {error}."
            ) from None

    def _refuse_huge(self, metadata: Any) -> None:
        largest = max(
            (metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups)), default=0
        )
        if largest > GROUP_BYTES:
            size = f"{largest / (1 << 30):.1f} GiB"
            raise Invalid(
                "file",
                f"{self._name} has a row group of {size}; at most {GROUP_BYTES >> 30} GiB are possible.",
                "Write it with smaller row groups, for example of 100,000 rows.",
            )

    def _lines(self, file: BinaryIO) -> Iterator[bytes | None]:
        """Yield lines; None for one that is too long, of which no more than its beginning is in memory."""
        while line := file.readline(LINE_BYTES + 1):
            if not self.bytes_read:
                line = line.removeprefix(_BOM)
            self.bytes_read += len(line)
            if len(line) <= LINE_BYTES:
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(LINE_BYTES)
                self.bytes_read += len(line)
            yield None


class _CsvText:
    """Lines as text for the reader of CSV; `broken` tells that one since the last look was not UTF-8."""

    def __init__(self, lines: Iterator[bytes | None], name: str) -> None:
        self._lines, self._name = lines, name
        self._at = 0
        self.broken = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._at += 1
        if line is None:
            raise Invalid("file", f"{self._name}:{self._at}: the line is longer than {LINE_BYTES >> 20} MiB.")
        try:
            return line.decode()
        except UnicodeDecodeError:
            self.broken = True
            return line.decode(errors="replace")


def needed_columns(needed: Sequence[str]) -> CheckColumns:
    """Return a check for columns that must be there; what it raises names near ones."""

    def check(name: str, columns: Iterable[str]) -> None:
        known = set(columns)
        missing = [f"“{column}”{did_you_mean(column, known)}" for column in needed if column not in known]
        if missing:
            there = f"There are: {', '.join(sorted(known))}." if known else "The file is empty."
            raise Invalid("file", f"{name} has no column {' and no column '.join(missing)}.", there)

    return check


def arrow() -> tuple[Any, Any]:
    """Return pyarrow and its Parquet module. Raises Invalid where it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        advice = "Install Parley with it: pip install 'parley[parquet]'"
        raise Invalid("file", "Parquet needs pyarrow, which is not installed.", advice) from None


@contextmanager
def refusing(path: Path, name: str | None = None) -> Generator[None]:
    """Turn what pyarrow says of a broken file into Invalid."""
    pyarrow, _ = arrow()
    try:
        yield
    except OSError as error:
        raise Invalid("file", f"{name or path} cannot be read: {error.strerror or error}.") from None
    except pyarrow.ArrowException as error:
        raise Invalid(
            "file", f"{name or path.name} is not a Parquet file that can be read.", str(error)
        ) from None
