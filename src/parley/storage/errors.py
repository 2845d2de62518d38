"""Errors of a database that is locked, full or unreachable, in words that a person understands."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from parley.kernel.errors import Unavailable

DRIVER_ERRORS = (DBAPIError, PoolExhausted, OSError)
"""Raised by an unreachable database: a server that refuses connections is a bare OSError."""

SQLITE_UNAVAILABLE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    )
)
"""Primary result codes about the database's current state, not about the statement."""


class DatabaseBusy(Unavailable):
    """The database is locked or cannot write; nothing was changed."""


def translated(error: Exception) -> Exception:
    """Return DatabaseBusy for a locked, full or unreachable database, else the error itself."""
    if not is_unavailable(error):
        return error
    return full() if _is_full(error) else busy()


def full() -> DatabaseBusy:
    """Return the error for a database whose disk is full."""
    return DatabaseBusy(
        "The disk of the database is full.",
        "Nothing was saved. Everything stored before is safe. Free some space there, and try again.",
        code="disk_full",
        retry_after_s=30,
    )


def busy() -> DatabaseBusy:
    """Return the error for a database that can't be used."""
    return DatabaseBusy(
        "The database can't be used right now.",
        "Nothing was saved. The database may be locked by another program, the disk may be full, or the "
        "server may be down. Try again in a few seconds.",
        code="database_busy",
        retry_after_s=3,
    )


def unknown_outcome() -> DatabaseBusy:
    """Return the error for a database that became unreachable during a commit."""
    return DatabaseBusy(
        "The database stopped responding while this was being saved.",
        "It may have been saved or not. Reload to see. A vote that is sent twice counts once.",
        code="database_busy",
        retry_after_s=3,
    )


def shutting_down() -> Unavailable:
    """Return the error for a database that is closed because Parley is stopping."""
    return Unavailable(
        "Parley is shutting down.",
        "Nothing was saved.",
        code="shutting_down",
        retry_after_s=3,
    )


def unreachable(cause: str) -> Unavailable:
    """Return the error for a database that can't be opened."""
    return Unavailable(
        f"The database cannot be opened: {cause}.",
        "Check the setting database_url, and that the file or the server is in order. Nothing was changed.",
        code="database_unreachable",
    )


def is_unavailable(error: Exception) -> bool:
    """Return whether an error is about the database's state, not the statement."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        code: int | None = getattr(cause, "sqlite_errorcode", None)
        return code is not None and code & 0xFF in SQLITE_UNAVAILABLE
    if not isinstance(error, DBAPIError):
        return isinstance(error, DRIVER_ERRORS)
    return isinstance(cause, OSError) or error.connection_invalidated or _is_server_unavailable(error)


def _is_full(error: Exception) -> bool:
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    if isinstance(cause, OSError):
        return cause.errno in (errno.ENOSPC, errno.EDQUOT)
    return str(getattr(cause, "sqlstate", None)) == "53100"


def _is_server_unavailable(error: DBAPIError) -> bool:
    """PostgreSQL's classes 08 (connection), 53 (resources), 57 (operator intervention), 55P03 (lock)."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return state[:2] in ("08", "53", "57") or state == "55P03"
