"""Describing: a card of each table, with the types and ranges of its columns."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from parley.features.tables.loading import Loaded
from parley.features.tables.messages import (
    CELL_CHARS,
    MOST_COLUMNS,
    SAMPLE_ROWS,
    VALUES_SHOWN,
    Cell,
    ColumnCard,
    TableCard,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_KINDS = (
    ("VARCHAR", "text"),
    ("BOOLEAN", "yes / no"),
    ("TIMESTAMP", "time"),
    ("DATE", "date"),
    ("TIME", "time of day"),
    ("INTERVAL", "duration"),
    ("STRUCT", "nested"),
    ("MAP", "nested"),
    ("JSON", "nested"),
    ("BLOB", "bytes"),
    ("UUID", "text"),
    ("ENUM", "text"),
)
VALUE_CHARS = 40


def cards_of(connection: "DuckDBPyConnection", tables: Sequence[Loaded]) -> Iterator[TableCard]:
    """Yield the card of each table."""
    for table, file in tables:
        columns = connection.execute(f'DESCRIBE "{table}"').fetchall()[:MOST_COLUMNS]
        sample = connection.execute(f'SELECT * FROM "{table}" LIMIT {SAMPLE_ROWS}').fetchall()  # noqa: S608 - see loading
        count = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()  # noqa: S608 - see loading
        yield TableCard(
            table=table,
            file=file,
            rows=int(count[0]) if count else 0,
            columns=tuple(_column(connection, table, str(name), str(kind)) for name, kind, *_ in columns),
            sample=tuple(tuple(cell_of(value) for value in row[:MOST_COLUMNS]) for row in sample),
        )


def cell_of(value: object) -> Cell:
    """Return a value as JSON knows it; what it does not know becomes text."""
    if value is None or isinstance(value, bool | str):
        return value[:CELL_CHARS] if isinstance(value, str) else value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    return float(value) if isinstance(value, Decimal) else str(value)[:CELL_CHARS]


def _column(connection: "DuckDBPyConnection", table: str, name: str, sql_type: str) -> ColumnCard:
    quoted = '"' + name.replace('"', '""') + '"'
    kind = kind_in_words(sql_type)
    nested = kind in ("nested", "bytes")
    ends = "NULL, NULL" if nested else f"min({quoted})::VARCHAR, max({quoted})::VARCHAR"
    row = connection.execute(
        f'SELECT count(*) - count({quoted}), approx_count_distinct({quoted}::VARCHAR), {ends} FROM "{table}"'  # noqa: S608
    ).fetchone()
    missing, distinct, least, most = row or (0, 0, None, None)
    values: list[tuple[object, ...]] = []
    if kind in ("text", "yes / no") and distinct <= 2 * VALUES_SHOWN:
        query = (
            f'SELECT DISTINCT {quoted}::VARCHAR FROM "{table}" WHERE {quoted} IS NOT NULL ORDER BY 1 LIMIT 11'  # noqa: S608
        )
        values = connection.execute(query).fetchall()
        distinct = len(values)
    return ColumnCard(
        name=name,
        kind=kind,
        sql_type=sql_type,
        least=None if least is None else str(least)[:VALUE_CHARS],
        most=None if most is None else str(most)[:VALUE_CHARS],
        distinct=int(distinct),
        missing=int(missing),
        values=tuple(str(value[0])[:VALUE_CHARS] for value in values[:VALUES_SHOWN]),
    )


def kind_in_words(sql_type: str) -> str:
    """Return a type in plain words."""
    if sql_type.endswith("[]"):
        return "nested"
    return next((words for start, words in _KINDS if sql_type.startswith(start)), "number")
