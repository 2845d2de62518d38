"""Messages between Parley and the process that reads tables."""

from typing import TypeAlias

import msgspec

from parley.engine.confinement import ReaderLimits

Cell: TypeAlias = str | int | float | bool | None

MOST_ROWS = 10_000
MOST_BYTES = 8 << 20
MEMORY_MB = 512
QUERY_SECONDS = 10
SAMPLE_ROWS = 5
VALUES_SHOWN = 5
CELL_CHARS = 2_000
MOST_COLUMNS = 500

LIMITS = ReaderLimits(seconds=QUERY_SECONDS + 5, memory_mb=3 * MEMORY_MB, written_mb=64)
"""Of the whole process: loading the tables counts too, and the library itself needs address space."""


class TableFile(msgspec.Struct, frozen=True, kw_only=True):
    """A stored file with tables. `name` is the file's; its tables get their names from it."""

    name: str
    path: str
    media_type: str
    encoding: str | None = None


class TableTask(msgspec.Struct, frozen=True, kw_only=True):
    """The files to load, a folder for what is unpacked of them, and a query; without one, the tables are described."""

    files: tuple[TableFile, ...]
    folder: str
    sql: str | None = None


class ColumnCard(msgspec.Struct, frozen=True, kw_only=True):
    """A column: its type in plain words and as SQL has it, and the range of its values as text.

    `values` are all there are, where these are few.
    """

    name: str
    kind: str
    sql_type: str
    least: str | None = None
    most: str | None = None
    distinct: int
    missing: int
    values: tuple[str, ...] = ()


class TableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table: its name in SQL, the file that it comes from, its size, its columns and its first rows."""

    table: str
    file: str
    rows: int
    columns: tuple[ColumnCard, ...]
    sample: tuple[tuple[Cell, ...], ...]


class ResultColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a result; `numeric` ones can be drawn."""

    name: str
    sql_type: str
    numeric: bool


class QueryResult(msgspec.Struct, frozen=True, kw_only=True):
    """The rows that a query returned. `cut`: there were more than the limit."""

    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    cut: bool
    seconds: float


class Cards(msgspec.Struct, frozen=True, tag="cards"):
    """The tables of some files, and why others can't be read, by the file's name."""

    cards: tuple[TableCard, ...]
    failures: dict[str, str]


class Rows(msgspec.Struct, frozen=True, tag="rows"):
    """The result of a query."""

    result: QueryResult


class Refusal(msgspec.Struct, frozen=True, tag="refusal"):
    """Why there is no result: words, advice and a code."""

    title: str
    detail: str
    code: str


Outcome: TypeAlias = Cards | Rows | Refusal
