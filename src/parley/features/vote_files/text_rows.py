"""Rows of CSV and JSON Lines, read line by line."""

import csv
import re
from collections.abc import Iterator
from typing import BinaryIO, TypeAlias

import msgspec

from parley.features.vote_files.columns import CheckColumns, FileRow, refuse_columns, refuse_repeated
from parley.features.vote_files.csv_cells import unescape_formula
from parley.features.vote_files.limits import ROW_BYTES, VALUES
from parley.features.vote_files.line_decoder import LineDecoder, decode_line
from parley.kernel.errors import Invalid

NumberedRow: TypeAlias = tuple[int, FileRow | str]
"""A row, or why it cannot be read, with its line as an editor counts (in Parquet: its row), from 1."""

COUNTED_BYTES = 1 << 20
"""In longer lines of JSON the values are counted before they are decoded."""

DELIMITERS = ",;\t|"
"""Characters that may separate columns: Excel takes that of the computer's region. The first one wins a draw."""

_SEP = re.compile(r'"?sep=([^\w\s"]|\t)"?\s*', re.IGNORECASE)
_BOM = b"\xef\xbb\xbf"


class Lines:
    """The lines of a file; None for one that is too long, of which only parts are ever in memory."""

    def __init__(self) -> None:
        self.closed = False
        """Set from any thread to end the reading."""
        self.bytes_read = 0

    def of(self, file: BinaryIO) -> Iterator[bytes | None]:
        """Read a file from its beginning."""
        while not self.closed and (line := file.readline(ROW_BYTES + 1)):
            if not self.bytes_read:
                line = line.removeprefix(_BOM)
            self.bytes_read += len(line)
            if len(line) <= ROW_BYTES:
                yield line
                continue
            while line and not line.endswith(b"\n") and not self.closed:
                line = file.readline(ROW_BYTES)
                self.bytes_read += len(line)
            yield None


def json_rows(
    lines: Iterator[bytes | None], name: str, check: CheckColumns, most_rows: int, *, lazy: bool = False
) -> Iterator[NumberedRow]:
    """Yield the objects of JSON Lines; `check` gets the columns of all rows at the end. Raises Invalid.

    `lazy` leaves some cells as JSON (`LineDecoder`).
    """
    decode = LineDecoder() if lazy else decode_line
    columns: dict[str, None] = {}
    last: tuple[str, ...] = ()
    unreadable = 0
    for number, line in enumerate(lines, start=1):
        if number > most_rows:
            raise _too_many_rows(name, number, most_rows)
        if line is None:
            yield number, f"it is longer than {ROW_BYTES >> 20} MiB"
            continue
        if line.isspace():
            continue
        if len(line) > COUNTED_BYTES and line.count(b",") > VALUES:
            yield number, f"it has more than {VALUES:,} values"
            continue
        try:
            row = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            unreadable = unreadable or number
            yield number, "it is not a JSON object"
            continue
        if (names := tuple(row)) != last:
            last = names
            columns.update(dict.fromkeys(names))
            refuse_columns(name, number, len(columns))
        yield number, row
    if unreadable and not columns:
        raise Invalid(
            "file",
            f"{name}:{unreadable}: it is not a JSON object, nor is any other line.",
            "JSON Lines has one object per line. A file of other content needs its own ending: .csv, .parquet.",
        )
    check(name, columns)


def csv_rows(
    lines: Iterator[bytes | None], name: str, check: CheckColumns, most_rows: int
) -> Iterator[NumberedRow]:
    """Yield the records of CSV by the names in its header; `check` gets these names. Raises Invalid."""
    csv.field_size_limit(ROW_BYTES)
    text = _CsvText(lines, name)
    reader = csv.reader(text, delimiter=text.delimiter())
    try:
        header = [column.strip() for column in next(reader, ())]
        refuse_columns(name, 1, len(header))
        check(name, header)
        refuse_repeated(name, header)
        is_escaped = "parley_counted" in header
        text.end_record()
        for number, fields in enumerate(reader, start=1):
            if number > most_rows:
                raise _too_many_rows(name, reader.line_num + text.stated, most_rows)
            is_utf8 = text.end_record()
            if not fields:
                continue
            if not is_utf8:
                yield reader.line_num + text.stated, "it is not UTF-8 text"
            elif len(fields) != len(header):
                yield (
                    reader.line_num + text.stated,
                    f"it has {len(fields)} fields where the header has {len(header)}",
                )
            else:
                values = map(unescape_formula, fields) if is_escaped else fields
                yield reader.line_num + text.stated, dict(zip(header, values, strict=True))
    except csv.Error as error:
        raise Invalid("file", f"{name}:{reader.line_num + text.stated}: {error}.") from None


class _CsvText:
    """Lines as text for the CSV reader, which may join many of them into one record."""

    def __init__(self, lines: Iterator[bytes | None], name: str) -> None:
        self._lines, self._name = lines, name
        self._pushed: str | None = None
        self.stated = 0
        """The lines before the header: one if it says `sep=`."""
        self._line = 0
        self._record_bytes = 0
        self._is_utf8 = True

    def delimiter(self) -> str:
        """Return the character between the columns: what `sep=` says, as Excel writes it, or what splits the header."""
        first = next(self, "")
        stated = _SEP.fullmatch(first)
        if stated:
            self.stated = 1
            return stated[1]
        self._pushed = first
        return max(DELIMITERS, key=lambda each: len(next(csv.reader([first], delimiter=each), ())))

    def end_record(self) -> bool:
        """Begin another record; return whether the one before was UTF-8."""
        was_utf8, self._is_utf8, self._record_bytes = self._is_utf8, True, 0
        return was_utf8

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._pushed is not None:
            pushed, self._pushed = self._pushed, None
            return pushed
        line = next(self._lines)
        self._line += 1
        self._record_bytes += ROW_BYTES + 1 if line is None else len(line)
        if line is None or self._record_bytes > ROW_BYTES:
            raise Invalid(
                "file",
                f"{self._name}:{self._line}: the row is longer than {ROW_BYTES >> 20} MiB.",
                "A quotation mark may be unclosed.",
            )
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._is_utf8 = False
            return line.decode(errors="replace")


def _too_many_rows(name: str, line: int, most: int) -> Invalid:
    return Invalid(
        "file",
        f"{name}:{line}: the file has more than {most:,} rows.",
        "Import it in parts, or raise the setting import_max_rows.",
    )
