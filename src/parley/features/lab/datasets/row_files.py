"""Rows from files: CSV with a header, or one JSON object per line. Errors name the line."""

import csv
import io
from collections.abc import Iterator
from typing import Any, cast

import msgspec

from parley.features.lab.datasets.schemas import MOST_ROWS, SPLITS, RowsFromFile, Split
from parley.kernel.errors import Invalid
from parley.kernel.request import storable

EXPECTED, SPLIT = "expected", "split"
_NAMES: dict[str, Split] = {**{name: name for name in SPLITS}, "val": "validation", "test": "holdout"}
_NOTHING = "Nothing was added."

ReadRow = tuple[dict[str, Any], str | None, Split]


def read_rows(request: RowsFromFile) -> list[ReadRow]:
    """Return a file's rows: values, expected answer and split. Raises Invalid, naming the line."""
    lines = _csv_lines(request.text) if request.format == "csv" else _json_lines(request.text)
    rows: list[ReadRow] = []
    for line, fields in lines:
        if len(rows) >= MOST_ROWS:
            raise Invalid("text", f"The file has more than {MOST_ROWS:,} rows.", _NOTHING)
        rows.append(_row(line, fields, request.split))
    if not rows:
        raise Invalid("text", "The file has no rows.", _NOTHING)
    return rows


def _row(line: int, fields: dict[str, Any], usual: Split) -> ReadRow:
    expected, split = fields.pop(EXPECTED, None), fields.pop(SPLIT, None) or usual
    name = _NAMES.get(str(split).strip().lower().replace("-", ""))
    if name is None:
        raise Invalid(
            "text",
            f"Line {line}: split is “{str(split)[:40]}”.",
            f"{_NOTHING} Write train, validation or holdout.",
        )
    if not fields:
        raise Invalid("text", f"Line {line}: the row has no values.", _NOTHING)
    if expected is not None and not isinstance(expected, str):
        expected = msgspec.json.encode(expected).decode()
    return fields, expected or None, name


def _csv_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    sample = text.removeprefix("\ufeff")
    head = sample.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, strict=True)
    try:
        names = [name.strip() for name in next(reader, list[str]())]
        if not all(names) or len(set(names)) != len(names):
            raise Invalid("text", "Line 1: every column needs a name of its own.", _NOTHING)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                columns = f"{len(cells)} columns, the header has {len(names)}"
                raise Invalid("text", f"Line {reader.line_num}: {columns}.", _NOTHING)
            yield reader.line_num, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise Invalid("text", f"Line {reader.line_num}: {error}.", _NOTHING) from None


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, content in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not content.strip():
            continue
        try:
            value = storable(msgspec.json.decode(content))
        except msgspec.DecodeError as error:
            raise Invalid("text", f"Line {line}: {error}.", _NOTHING) from None
        except RecursionError:
            raise Invalid("text", f"Line {line}: is nested too deeply.", _NOTHING) from None
        if not isinstance(value, dict):
            raise Invalid("text", f"Line {line}: is not a JSON object.", _NOTHING)
        yield line, cast("dict[str, Any]", value)
