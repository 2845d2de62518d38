"""Bulk: inserts or merges many rows at once, without SQLAlchemy's cost per row."""

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.engine import Dialect
from sqlalchemy.util import await_only

from parley.storage.errors import busy
from parley.storage.server_driver import connection_errors
from parley.storage.sqlite_dialect import driver_of
from parley.storage.tables.rows import Row, UtcDateTime
from parley.storage.transaction import Transaction

Values: TypeAlias = tuple[Any, ...]

CACHE_KIB = 65_536
"""SQLite's cache during a long insertion: with the default of 2 MB it would read indexes repeatedly."""

CACHE_ALONE_KIB = 131_072
"""The same in a process that only imports: the last block of the index of voters stays in it."""

CHECKPOINT_PAGES = 32_768
"""The size of SQLite's WAL before a checkpoint, 128 MB: pages that change repeatedly reach the file only once."""

INSERTED_AT_ONCE, MERGED_AT_ONCE = 500, 100
"""Rows of one statement on SQLite: its driver lets other threads run between statements, not within one."""

STORED_TIME = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]." + "[0-9]" * 6
"""SQLite's form of a time, as a GLOB pattern: other texts could mean the same time."""


def stored_time(text: str, *, sqlite: bool) -> str | datetime:
    """Return a time in the form for `bulk_insert`. `text` is UTC, ISO 8601 with six digits of a second and “Z”."""
    return f"{text[:10]} {text[11:26]}" if sqlite else datetime.fromisoformat(text)


def bulk_insert(
    transaction: Transaction, kind: type[Row], columns: tuple[str, ...], rows: Sequence[Values]
) -> None:
    """Insert rows, by COPY on PostgreSQL. Raises DatabaseBusy.

    Values are in the order of `columns`, JSON as text, times as from `stored_time`. The transaction must have executed
    a statement already. If this raises anything the transaction must fail, since some rows may be inserted.
    """
    if not rows:
        return
    connection, name = transaction.connection(), kind.table.name
    if connection.dialect.name == "postgresql":
        _await(connection, lambda server: server.copy_records_to_table(name, records=rows, columns=columns))
        return
    _run_for_many(
        driver_of(connection), lambda count: _sqlite_insert(name, columns, count), rows, INSERTED_AT_ONCE
    )


def bulk_merge(
    transaction: Transaction,
    kind: type[Row],
    rows: Sequence[Values],
    *,
    replaced: tuple[str, ...] = (),
    added: tuple[str, ...] = (),
) -> None:
    """Insert rows; if a key exists, replace some columns and add to others.

    Values are in the order of the table's columns. No key may occur twice. The transaction must have executed a
    statement already. Raises DatabaseBusy.
    """
    if not rows:
        return
    connection = transaction.connection()
    if connection.dialect.name == "postgresql":
        columns = [list(column) for column in zip(*rows, strict=True)]
        _await(connection, lambda server: server.execute(_from_columns(kind, replaced, added), *columns))
        return
    stored = _stored(kind, connection.dialect)
    ready = rows if not stored else [_with(row, stored) for row in rows]
    _run_for_many(
        driver_of(connection), lambda count: _from_rows(kind, count, replaced, added), ready, MERGED_AT_ONCE
    )


def widen_cache(transaction: Transaction, kib: int = CACHE_KIB) -> None:
    """Enlarge the cache of SQLite's writer, unless it is larger; PostgreSQL needs nothing."""
    connection = transaction.connection()
    if connection.dialect.name == "sqlite":
        driver = driver_of(connection)
        (size,) = driver.execute("PRAGMA cache_size").fetchone()
        if size > -kib:
            driver.execute(f"PRAGMA cache_size=-{kib}")


def expect_much(transaction: Transaction) -> None:
    """Tune SQLite's writer for a process that only inserts; PostgreSQL needs nothing."""
    widen_cache(transaction, CACHE_ALONE_KIB)
    connection = transaction.connection()
    if connection.dialect.name == "sqlite":
        driver_of(connection).execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")


def _await(connection: Connection, work: Callable[[Any], Any]) -> None:
    """Run a coroutine of PostgreSQL's driver, and wait for it. Raises DatabaseBusy."""
    try:
        await_only(work(connection.connection.driver_connection))
    except connection_errors() as error:
        raise busy() from error


def _run_for_many(
    driver: sqlite3.Connection, sql: Callable[[int], str], rows: Sequence[Values], at_once: int
) -> None:
    """Run a statement for all rows, many at once. `sql` returns it for a number of rows."""
    end = len(rows) - len(rows) % at_once
    for at in range(0, end, at_once):
        driver.execute(sql(at_once), list(chain.from_iterable(rows[at : at + at_once])))
    driver.executemany(sql(1), rows[end:])


@cache
def _sqlite_insert(table: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    # OR FAIL: else SQLite keeps every page that a statement of many rows changes, to be able to undo it alone.
    return f"INSERT OR FAIL INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608 - our names


@cache
def _from_rows(kind: type[Row], rows: int, replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    row = f"({', '.join('?' * len(kind.table.columns))})"
    return f"{_into(kind)} VALUES {', '.join([row] * rows)} {_merged(kind, replaced, added)}"


@cache
def _from_columns(kind: type[Row], replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    from sqlalchemy.dialects import postgresql

    dialect = postgresql.dialect()
    types = [column.type.compile(dialect) for column in kind.table.columns]
    parameters = ", ".join(f"${at}::{name}[]" for at, name in enumerate(types, 1))
    return f"{_into(kind)} SELECT * FROM unnest({parameters}) {_merged(kind, replaced, added)}"  # noqa: S608 - our names


def _into(kind: type[Row]) -> str:
    return f"INSERT INTO {kind.table.name} ({', '.join(kind.table.columns.keys())})"


def _merged(kind: type[Row], replaced: tuple[str, ...], added: tuple[str, ...]) -> str:
    name, key = kind.table.name, ", ".join(column.name for column in kind.table.primary_key)
    fresh = [f"{column} = excluded.{column}" for column in replaced]
    more = [f"{column} = {name}.{column} + excluded.{column}" for column in added]
    return f"ON CONFLICT ({key}) DO UPDATE SET {', '.join((*fresh, *more))}"


Processor: TypeAlias = Callable[[Any], Any]


@cache
def _times(kind: type[Row]) -> tuple[int, ...]:
    return tuple(at for at, column in enumerate(kind.table.columns) if isinstance(column.type, UtcDateTime))


def _stored(kind: type[Row], dialect: Dialect) -> dict[int, Processor]:
    """Return converters for the times in a row, by position, since SQLite's driver does not know the format."""
    columns = tuple(kind.table.columns)
    processors = {at: columns[at].type.dialect_impl(dialect).bind_processor(dialect) for at in _times(kind)}
    return {at: process for at, process in processors.items() if process is not None}


def _with(row: Values, stored: dict[int, Processor]) -> Values:
    values = list(row)
    for at, process in stored.items():
        values[at] = process(values[at])
    return tuple(values)
