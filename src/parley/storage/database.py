"""The database: one URL, readers that never wait for the writer, and on SQLite a single writer."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from parley.kernel.errors import Unavailable

BUSY_MS = 5000
READERS = 4

TROUBLE = (DBAPIError, PoolExhausted, OSError)
"""What a database that is away raises: a server that refuses connections is a bare OSError."""

SQLITE_TROUBLE = frozenset(
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
"""Primary result codes that speak of the moment, not of the statement."""


class DatabaseBusy(Unavailable):
    """The database is locked or cannot write; nothing was changed."""


class Database:
    """Opens transactions. `read` sees committed data only; `write` is one transaction, all or nothing.

    SQLite: WAL, synchronous=FULL, one writer at a time with BEGIN IMMEDIATE, so that a transaction
    never fails half-way for a lock. PostgreSQL: one pool for both.
    """

    def __init__(self, url: str) -> None:
        self.url: URL = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._writer = self._open_sqlite(writer=True) if self.is_sqlite else self._open_server()
        self._reader = self._open_sqlite(writer=False) if self.is_sqlite else self._writer
        self._reads = async_sessionmaker(self._reader, expire_on_commit=False, autoflush=False)
        self._writes = async_sessionmaker(self._writer, expire_on_commit=False)
        self._turnstile = asyncio.Lock()

    def is_missing(self) -> bool:
        """True where SQLite has no file yet; opening it would make one."""
        return self.is_sqlite and not Path(self.url.database or "").exists()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncSession]:
        """Open a transaction that only reads. Raises DatabaseBusy."""
        try:
            async with self._reads() as session:
                yield session
        except TROUBLE as error:
            raise _translated(error) from error

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncSession]:
        """Open a transaction; it is committed on leaving, or rolled back by any exception. Raises DatabaseBusy."""
        try:
            if self.is_sqlite:
                async with self._turnstile, self._writes.begin() as session:
                    yield session
            else:
                async with self._writes.begin() as session:
                    yield session
        except TROUBLE as error:
            raise _translated(error) from error

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[AsyncConnection]:
        """Open a bare connection of the writer, for migrations."""
        async with self._writer.begin() as connection:
            yield connection

    async def ping(self) -> None:
        """Ask the database for an answer. Raises DatabaseBusy."""
        async with self.read() as session:
            await session.execute(select(1))

    async def close(self) -> None:
        """Close every connection."""
        if self._reader is not self._writer:
            await self._reader.dispose()
        await self._writer.dispose()

    def _open_sqlite(self, *, writer: bool) -> AsyncEngine:
        engine = create_async_engine(
            self.url,
            pool_size=1 if writer else READERS,
            max_overflow=0,
            connect_args={"timeout": BUSY_MS / 1000},
        )

        @event.listens_for(engine.sync_engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            # SQLAlchemy begins transactions itself (below); the driver must not.
            connection.isolation_level = None
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            if not writer:
                cursor.execute("PRAGMA query_only=ON")
            cursor.close()

        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Any) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")

        return engine

    def _open_server(self) -> AsyncEngine:
        return create_async_engine(self.url, pool_size=10, max_overflow=10, pool_pre_ping=True)


def _translated(error: Exception) -> Exception:
    """Turn a locked, full or unreachable database into words; leave every other error as it is."""
    if not isinstance(error, DBAPIError) or _is_trouble(error):
        return DatabaseBusy(
            "The database cannot be used right now.",
            "Nothing of this request was stored. It may be locked by another program, the disk may be full, "
            "or the server may be down. Try again in a few seconds.",
            code="database_busy",
            retry_after_s=3,
        )
    return error


def _is_trouble(error: DBAPIError) -> bool:
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        code: int | None = getattr(cause, "sqlite_errorcode", None)
        return code is not None and code & 0xFF in SQLITE_TROUBLE
    return isinstance(cause, OSError) or error.connection_invalidated or _is_server_trouble(error)


def _is_server_trouble(error: DBAPIError) -> bool:
    """PostgreSQL's classes 08 (connection), 53 (resources), 57 (operator intervention), 55P03 (lock)."""
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return state[:2] in ("08", "53", "57") or state == "55P03"
