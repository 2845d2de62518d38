"""Bulk: very many rows put into a table at once, past SQLAlchemy's work for each row."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.util import await_only

from parley.storage.server_driver import connection_errors
from parley.storage.sqlite_dialect import driver_of
from parley.storage.tables.declared import Table, core
from parley.storage.transaction import Transaction
from parley.storage.trouble import busy

Values: TypeAlias = tuple[Any, ...]

CACHE_KIB = 65_536
"""How much of SQLite's file a long insertion keeps in memory: with the usual 2 MB it reads indexes again and again."""

CHECKPOINT_PAGES = 65_536
"""How long SQLite's log of commits may become, 256 MB, before it is brought into the file: where few pages are changed
again and again, each is then written there once. A commit is as durable as ever."""

ROWS_AT_ONCE = 500
"""Rows of one statement on SQLite: its driver lets other threads in between two statements, not within one."""


STORED_TIME = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9] [0-9][0-9]:[0-9][0-9]:[0-9][0-9]." + "[0-9]" * 6
"""How SQLite stores a time, as a pattern of GLOB: it would take other texts for the same time."""


def stored_time(text: str, *, sqlite: bool) -> str | datetime:
    """Return a time as `bulk_insert` takes it; `text` is UTC, ISO 8601 with six digits of a second and “Z”."""
    return f"{text[:10]} {text[11:26]}" if sqlite else datetime.fromisoformat(text)


def bulk_insert(
    transaction: Transaction, table: type[Table], columns: tuple[str, ...], rows: Sequence[Values]
) -> None:
    """Insert rows: values in the order of `columns`, JSON as text, times as `stored_time` gives them.

    On PostgreSQL by COPY; the transaction must have carried out something already. Raises DatabaseBusy. Where it
    raises anything the transaction must fail: some of the rows may be there.
    """
    if not rows:
        return
    connection = transaction.connection()
    if connection.dialect.name == "postgresql":
        _copy(connection, core(table).name, columns, rows)
        return
    driver = driver_of(connection)
    whole = len(rows) - len(rows) % ROWS_AT_ONCE
    many = _sqlite_insert(core(table).name, columns, ROWS_AT_ONCE)
    for at in range(0, whole, ROWS_AT_ONCE):
        driver.execute(many, list(chain.from_iterable(rows[at : at + ROWS_AT_ONCE])))
    driver.executemany(_sqlite_insert(core(table).name, columns, 1), rows[whole:])


def widen_cache(transaction: Transaction, kib: int = CACHE_KIB) -> None:
    """Let SQLite's writer keep more of the file in memory; PostgreSQL has its own."""
    connection = transaction.connection()
    if connection.dialect.name == "sqlite":
        driver_of(connection).execute(f"PRAGMA cache_size=-{kib}")


def expect_much(transaction: Transaction) -> None:
    """Let SQLite's writer do what pays in a process that only inserts; PostgreSQL has its own ways."""
    widen_cache(transaction)
    connection = transaction.connection()
    if connection.dialect.name == "sqlite":
        driver_of(connection).execute(f"PRAGMA wal_autocheckpoint={CHECKPOINT_PAGES}")


def _copy(connection: Connection, table: str, columns: tuple[str, ...], rows: Sequence[Values]) -> None:
    server: Any = connection.connection.driver_connection
    try:
        await_only(server.copy_records_to_table(table, records=rows, columns=columns))
    except connection_errors() as error:
        raise busy() from error


@cache
def _sqlite_insert(table: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    # OR FAIL: else SQLite keeps every page that a statement of many rows changes, to be able to undo it alone.
    return f"INSERT OR FAIL INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608 - our names
