"""The process that reads tables: it loads them, locks the database, and runs one query or describes them."""

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from parley.engine.confinement import TOO_LARGE, confined_task
from parley.features.tables.describing import cards_of, cell_of
from parley.features.tables.loading import load_files
from parley.features.tables.messages import (
    MEMORY_MB,
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    QUERY_SECONDS,
    Cards,
    Cell,
    Outcome,
    QueryResult,
    Refusal,
    ResultColumn,
    Rows,
    TableTask,
)

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CHUNK = 200

_NUMBERS = (
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER"),
    *("UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL"),
)
_ADVICE = "Use one SELECT over the tables of this session."
_TOO_LARGE = Refusal(
    f"This query needs more than {MEMORY_MB} MB of memory, which is the limit.",
    "Nothing was changed. Select fewer rows or columns, or add up first.",
    code="query_too_large",
)


def main() -> None:
    """Read the task from standard input, and write its outcome to standard output."""
    task = confined_task(TableTask)
    try:
        outcome = _outcome(task)
    except MemoryError:
        os._exit(TOO_LARGE)
    sys.stdout.buffer.write(msgspec.msgpack.encode(outcome))
    sys.stdout.buffer.flush()
    # What the library still frees takes longer than the answer.
    os._exit(0)


def _outcome(task: TableTask) -> Outcome:
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={"threads": "1", "memory_limit": f"{MEMORY_MB}MB", "max_temp_directory_size": "0B"},
    )
    tables, failures = load_files(connection, task.files, Path(task.folder))
    # From here on neither a file nor a setting can be reached, whatever the query is.
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    if task.sql is None:
        return Cards(tuple(cards_of(connection, tables)), failures)
    return _run(connection, task.sql)


def _run(connection: "DuckDBPyConnection", sql: str) -> Rows | Refusal:
    """Run one SELECT; whatever it does, the outcome is a value."""
    import duckdb

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        return _wrong(error)
    if len(statements) != 1:
        return Refusal(
            f"This is {len(statements)} statements; a query is one.", _ADVICE, code="query_refused"
        )
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = str(statements[0].type).rpartition(".")[2].replace("_", " ")
        return Refusal(
            f"This is no SELECT but {kind}, which is not allowed here.", _ADVICE, code="query_refused"
        )
    began = time.monotonic()
    try:
        with _interrupted_after(connection, QUERY_SECONDS):
            return Rows(_result(connection, sql, began))
    except duckdb.InterruptException:
        title = f"This query took more than {QUERY_SECONDS} s, which is the limit."
        return Refusal(title, "It was stopped. Select less, or join on fewer rows.", code="query_too_slow")
    except (duckdb.OutOfMemoryException, MemoryError):
        return _TOO_LARGE
    except duckdb.PermissionException:
        title = "This query reaches for a file, an extension or a setting, which is not allowed here."
        return Refusal(title, _ADVICE, code="query_refused")
    except _Overflow:
        return _TOO_LARGE
    except duckdb.Error as error:
        return _wrong(error)


class _Overflow(Exception):
    """A result has more bytes than allowed."""


@contextlib.contextmanager
def _interrupted_after(connection: "DuckDBPyConnection", seconds: float):
    from threading import Timer

    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _result(connection: "DuckDBPyConnection", sql: str, began: float) -> QueryResult:
    cursor = connection.execute(sql)
    columns = tuple(
        ResultColumn(name=str(name), sql_type=str(kind), numeric=is_numeric(str(kind)))
        for name, kind, *_ in (cursor.description or ())
    )
    if len(columns) > MOST_COLUMNS:
        raise _Overflow
    rows: list[tuple[Cell, ...]] = []
    size = 0
    while len(rows) <= MOST_ROWS and (chunk := cursor.fetchmany(CHUNK)):
        for row in chunk:
            cells = tuple(cell_of(value) for value in row)
            size += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
            rows.append(cells)
        if size > MOST_BYTES:
            raise _Overflow
    cut = len(rows) > MOST_ROWS
    seconds = round(time.monotonic() - began, 3)
    return QueryResult(columns=columns, rows=tuple(rows[:MOST_ROWS]), cut=cut, seconds=seconds)


def is_numeric(sql_type: str) -> bool:
    """Return whether the values of a type are numbers."""
    return sql_type.upper().startswith(_NUMBERS)


def _wrong(error: Exception) -> Refusal:
    """Return the database's own words on what is wrong with a query, without pointers at its line."""
    first = str(error).strip().split("\n\n", 1)[0].split("\nLINE", 1)[0]
    return Refusal(first[:600], "Nothing was changed. Correct the SQL and run it again.", code="query_wrong")


if __name__ == "__main__":
    main()
