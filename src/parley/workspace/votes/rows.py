"""Rows of vote files: CSV, JSON Lines and Parquet, read one by one, with what is no row told in words.

Whatever a file holds, no more than one row of `ROW_BYTES` or one piece of Parquet is in memory here; Parquet is
unpacked elsewhere (`parquet`). Nothing else is unpacked: an archive or compressed text is no vote file.
"""

import csv
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec

from parley.kernel.errors import Invalid
from parley.text.plain_words import did_you_mean
from parley.workspace.votes.limits import COLUMNS, ROW_BYTES, VALUES, FileLimits
from parley.workspace.votes.parquet import ParquetProcess
from parley.workspace.votes.parquet_words import Began, Ended, Oversized, Rows

Format: TypeAlias = Literal["jsonl", "csv", "parquet"]
Row: TypeAlias = Mapping[str, object]
CheckColumns: TypeAlias = Callable[[str, Iterable[str]], None]
"""Told the file's name and its columns; raises Invalid."""

LOOKED_THROUGH = 1 << 20
"""Lines of JSON that are longer are looked through for how many values they hold, before they are read."""

NAMES_SHOWN, NAME_SHOWN = 40, 60
"""How many of a file's columns an error names, and how many characters of each."""

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
        limits: FileLimits | None = None,
    ) -> None:
        self._path, self._kind, self._check = path, kind, check
        self._name = name or path.name
        self._columns = columns
        self._limits = limits or FileLimits()
        self._closed = False
        self._process: ParquetProcess | None = None
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

    def close(self) -> None:
        """End the reading, from another thread too: rows stop coming, and none is waited for."""
        self._closed = True
        if self._process is not None:
            self._process.kill()

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
            if line > self._limits.rows:
                raise self._too_many_rows(line)
            if text is None:
                yield line, f"it is longer than {ROW_BYTES >> 20} MiB"
                continue
            if text.isspace():
                continue
            if len(text) > LOOKED_THROUGH and text.count(b",") > VALUES:
                yield line, f"it holds more than {VALUES:,} values"
                continue
            try:
                row = decoder.decode(text)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield line, "it is not a JSON object"
                continue
            if (names := tuple(row)) != last:
                last = names
                seen.update(dict.fromkeys(names))
                self._refuse_columns(len(seen), line)
            yield line, row
        if not self._closed:
            self._check(self._name, seen)

    def _csv(self, file: BinaryIO) -> Iterator[tuple[int, Row | str]]:
        csv.field_size_limit(ROW_BYTES)
        text = _CsvText(self._lines(file), self._name)
        reader = csv.reader(text)
        try:
            header = [name.strip() for name in next(reader, ())]
            self._check_header(header)
            text.row_ended()
            for number, fields in enumerate(reader, start=1):
                if number > self._limits.rows:
                    raise self._too_many_rows(reader.line_num)
                broken = text.row_ended()
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
        self._refuse_columns(len(header), 1)
        self._check(self._name, header)
        seen: set[str] = set()
        for name in filter(None, header):
            if name in seen:
                raise Invalid(
                    "file",
                    f"{self._name} has the column “{name[:NAME_SHOWN]}” twice.",
                    "Rename one of the two.",
                )
            seen.add(name)

    def _parquet(self, _: BinaryIO) -> Iterator[tuple[int, Row | str]]:
        at, wanted = 0, list[str]()
        with ParquetProcess(self._path, self._name, self._columns, self._limits) as process:
            self._process = process
            if self._closed:
                return
            for answer in process.answers():
                match answer:
                    case Began():
                        self._check(self._name, answer.columns)
                        self.total, wanted = answer.rows, answer.wanted
                    case Rows():
                        for values in zip(*answer.columns, strict=True):
                            at += 1
                            yield at, dict(zip(wanted, values, strict=True))
                    case Oversized():
                        at += 1
                        yield at, answer.why
                    case Ended():
                        return
                    case _:
                        pass
            if not self._closed:
                raise process.broke_off()

    def _refuse_columns(self, number: int, line: int) -> None:
        if number > COLUMNS:
            raise Invalid(
                "file",
                f"{self._name}:{line}: the file has more than {COLUMNS:,} columns.",
                "Write a file of the columns of votes alone.",
            )

    def _too_many_rows(self, line: int) -> Invalid:
        return Invalid(
            "file",
            f"{self._name}:{line}: the file has more than {self._limits.rows:,} rows.",
            "Import it in parts, or raise the setting import_max_rows.",
        )

    def _lines(self, file: BinaryIO) -> Iterator[bytes | None]:
        """Yield lines; None for one that is too long, of which no more than its beginning is in memory."""
        while not self._closed and (line := file.readline(ROW_BYTES + 1)):
            if not self.bytes_read:
                line = line.removeprefix(_BOM)
            self.bytes_read += len(line)
            if len(line) <= ROW_BYTES:
                yield line
                continue
            while line and not line.endswith(b"\n") and not self._closed:
                line = file.readline(ROW_BYTES)
                self.bytes_read += len(line)
            yield None


class _CsvText:
    """Lines as text for the reader of CSV, which may put many of them into one row."""

    def __init__(self, lines: Iterator[bytes | None], name: str) -> None:
        self._lines, self._name = lines, name
        self._at = 0
        self._row_bytes = 0
        self._broken = False

    def row_ended(self) -> bool:
        """Begin another row; returns whether the one before was not UTF-8."""
        broken, self._broken, self._row_bytes = self._broken, False, 0
        return broken

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._at += 1
        self._row_bytes += ROW_BYTES + 1 if line is None else len(line)
        if line is None or self._row_bytes > ROW_BYTES:
            raise Invalid(
                "file",
                f"{self._name}:{self._at}: the row is longer than {ROW_BYTES >> 20} MiB.",
                "Perhaps a quotation mark is not closed.",
            )
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._broken = True
            return line.decode(errors="replace")


def needed_columns(needed: Sequence[str]) -> CheckColumns:
    """Return a check for columns that must be there; what it raises names near ones."""

    def check(name: str, columns: Iterable[str]) -> None:
        known = set(columns)
        missing = [f"“{column}”{did_you_mean(column, known)}" for column in needed if column not in known]
        if missing:
            there = f"There are: {_shown(known)}." if known else "The file is empty."
            raise Invalid("file", f"{name} has no column {' and no column '.join(missing)}.", there)

    return check


def _shown(names: Iterable[str]) -> str:
    """Return the first names, none longer than a line."""
    ordered = sorted(names)
    more = f" and {len(ordered) - NAMES_SHOWN:,} more" if len(ordered) > NAMES_SHOWN else ""
    return ", ".join(name[:NAME_SHOWN] for name in ordered[:NAMES_SHOWN]) + more


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
