"""SQLAlchemy's dialect of SQLite, with the driver's own transactions and savepoints.

SQLAlchemy compiles a new statement for every savepoint, which takes ten times as long as SQLite does.
"""

import sqlite3
from typing import cast

from sqlalchemy import Connection
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

DRIVER = "sqlite+parley"

registry.register("sqlite.parley", __name__, "ParleyDialect")


class ParleyDialect(SQLiteDialect_pysqlite):
    """Otherwise SQLAlchemy's own, on Python's sqlite3."""

    supports_statement_cache = True

    def do_savepoint(self, connection: Connection, name: str) -> None:
        """Begin a savepoint."""
        driver_of(connection).execute(f"SAVEPOINT {name}")

    def do_rollback_to_savepoint(self, connection: Connection, name: str) -> None:
        """Undo what was done since the savepoint."""
        driver_of(connection).execute(f"ROLLBACK TO SAVEPOINT {name}")

    def do_release_savepoint(self, connection: Connection, name: str) -> None:
        """Keep what was done since the savepoint."""
        driver_of(connection).execute(f"RELEASE SAVEPOINT {name}")


def driver_of(connection: Connection) -> sqlite3.Connection:
    """Return Python's own connection."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)
