"""Loading: the files of a session as tables of one database in memory."""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from parley.features.attachments.file_content import EXCEL
from parley.features.tables.messages import TableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
}

_NOT_IN_NAMES = re.compile(r"\W+")

_READERS = {
    "csv": "read_csv(?, sample_size = 20000, normalize_names = false)",
    "tsv": "read_csv(?, delim = '\t', sample_size = 20000)",
    "jsonl": "read_json(?, format = 'newline_delimited')",
    "parquet": "read_parquet(?)",
}


class Loaded(NamedTuple):
    """A table and the file that it comes from."""

    table: str
    file: str


def kind_of(name: str, media_type: str = "") -> str | None:
    """Return the kind of a file with tables; None for any other."""
    return "xlsx" if media_type == EXCEL else ENDINGS.get(Path(name).suffix.lower())


def table_name(stem: str, taken: set[str]) -> str:
    """Return a name for SQL that needs no quotes, and that no other table has."""
    name = _NOT_IN_NAMES.sub("_", stem).strip("_").lower() or "table"
    name = f"t_{name}" if name[0].isdigit() else name
    name, number = name[:60], 1
    unique = name
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    taken.add(unique)
    return unique


def load_files(
    connection: "DuckDBPyConnection", files: Sequence[TableFile], folder: Path
) -> tuple[list[Loaded], dict[str, str]]:
    """Load files; return their tables, and why others can't be read, by the file's name."""
    import duckdb

    loaded: list[Loaded] = []
    failures: dict[str, str] = {}
    taken: set[str] = set()
    for file in files:
        try:
            for stem, kind, path in _parts(file, folder):
                table = table_name(stem, taken)
                reader = _READERS[kind]
                connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM {reader}', [str(path)])  # noqa: S608 - a name of word characters
                loaded.append(Loaded(table, file.name))
        except duckdb.OutOfMemoryException:
            failures[file.name] = "It is too large to be loaded."
        except (duckdb.Error, ValueError, OSError, UnicodeError) as error:
            failures[file.name] = str(error).strip().split("\n", 1)[0][:300] or "It can't be read."
    return loaded, failures


def _parts(file: TableFile, folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield what to load of a file: the name, the kind and the place of each of its tables."""
    kind, stem = kind_of(file.name, file.media_type), Path(file.name).stem
    if kind == "xlsx":
        yield from _sheets(file, folder, stem)
        return
    path = Path(file.path)
    if kind in ("csv", "tsv"):
        path = _in_utf8(path, file.encoding, folder)
    yield stem, kind or "csv", path


def _in_utf8(path: Path, encoding: str | None, folder: Path) -> Path:
    """Return a text file in UTF-8: itself, or a copy."""
    with path.open("rb") as file:
        marked = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    encoding = "utf-16" if marked else encoding
    if encoding in (None, "utf-8", "utf-8-sig"):
        return path
    copy = folder / f"{path.name}.csv"
    copy.write_text(path.read_bytes().decode(encoding, "replace"), encoding="utf-8", newline="")
    return copy


def _sheets(file: TableFile, folder: Path, stem: str) -> Iterator[tuple[str, str, Path]]:
    from parley.features.attachments.sheets import workbook_rows

    sheets = [(name, rows) for name, rows in workbook_rows(Path(file.path)) if rows]
    for number, (name, rows) in enumerate(sheets):
        width = max(map(len, rows))
        copy = folder / f"{Path(file.path).name}-{number}.csv"
        with copy.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out).writerows([*row, *[""] * (width - len(row))] for row in rows)
        yield (f"{stem}_{name}" if len(sheets) > 1 else stem), "csv", copy
