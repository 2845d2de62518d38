"""Merging: very many rows put into a table at once, each into the one that has its key already."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.engine import Dialect
from sqlalchemy.util import await_only

from parley.storage.server_driver import connection_errors
from parley.storage.sqlite_dialect import driver_of
from parley.storage.tables.declared import Table, UtcDateTime, core
from parley.storage.transaction import Transaction
from parley.storage.trouble import busy

Values: TypeAlias = tuple[Any, ...]

ROWS_AT_ONCE = 100
"""Rows of one statement on SQLite: one call for many rows, and other threads come in between two calls."""


def bulk_merge(
    transaction: Transaction,
    table: type[Table],
    rows: Sequence[Values],
    *,
    replaced: tuple[str, ...] = (),
    added: tuple[str, ...] = (),
) -> None:
    """Insert rows, values in the order of the table's columns; where a key is taken, replace columns and add to others.

    No key may come twice. The transaction must have carried out something already. Raises DatabaseBusy.
    """
    if not rows:
        return
    connection = transaction.connection()
    if connection.dialect.name == "postgresql":
        _merge_columns(connection, _from_columns(table, replaced, added), rows)
        return
    driver, stored = driver_of(connection), _stored(table, connection.dialect)
    ready = rows if not stored else [_with(row, stored) for row in rows]
    whole = len(ready) - len(ready) % ROWS_AT_ONCE
    many = _from_rows(table, ROWS_AT_ONCE, replaced, added)
    for at in range(0, whole, ROWS_AT_ONCE):
        driver.execute(many, list(chain.from_iterable(ready[at : at + ROWS_AT_ONCE])))
    driver.executemany(_from_rows(table, 1, replaced, added), ready[whole:])


def _merge_columns(connection: Connection, sql: str, rows: Sequence[Values]) -> None:
    server: Any = connection.connection.driver_connection
    try:
        await_only(server.execute(sql, *(list(column) for column in zip(*rows, strict=True))))
    except connection_errors() as error:
        raise busy() from error


@cache
def _from_rows(table: type[Table], rows: int, replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    row = f"({', '.join('?' * len(core(table).columns))})"
    return f"{_into(table)} VALUES {', '.join([row] * rows)} {_merged(table, replaced, added)}"


@cache
def _from_columns(table: type[Table], replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    from sqlalchemy.dialects import postgresql

    dialect = postgresql.dialect()
    types = [column.type.compile(dialect) for column in core(table).columns]
    given = ", ".join(f"${at}::{name}[]" for at, name in enumerate(types, 1))
    return f"{_into(table)} SELECT * FROM unnest({given}) {_merged(table, replaced, added)}"  # noqa: S608 - our names


def _into(table: type[Table]) -> str:
    return f"INSERT INTO {core(table).name} ({', '.join(core(table).columns.keys())})"


def _merged(table: type[Table], replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    name, key = core(table).name, ", ".join(column.name for column in core(table).primary_key)
    fresh = [f"{column} = excluded.{column}" for column in replaced]
    more = [f"{column} = {name}.{column} + excluded.{column}" for column in added]
    return f"ON CONFLICT ({key}) DO UPDATE SET {', '.join((*fresh, *more))}"


Processor: TypeAlias = Callable[[Any], Any]


@cache
def _times(table: type[Table]) -> tuple[int, ...]:
    return tuple(at for at, column in enumerate(core(table).columns) if isinstance(column.type, UtcDateTime))


def _stored(table: type[Table], dialect: Dialect) -> dict[int, Processor]:
    """Return how SQLite stores times, which its driver would not know, by their places in a row."""
    columns = tuple(core(table).columns)
    found = {at: columns[at].type.dialect_impl(dialect).bind_processor(dialect) for at in _times(table)}
    return {at: process for at, process in found.items() if process is not None}


def _with(row: Values, stored: dict[int, Processor]) -> Values:
    values = list(row)
    for at, process in stored.items():
        values[at] = process(values[at])
    return tuple(values)
