"""The database: transactions as plain functions; readers never wait for a writer."""

import asyncio
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from sqlalchemy import Connection, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from parley.storage.errors import unreachable
from parley.storage.server_store import ServerStore
from parley.storage.sqlite_store import SqliteStore
from parley.storage.transaction import Transaction

T = TypeVar("T")

SEARCHES = 2
"""The searches that run at once, of four readers of SQLite and ten connections to PostgreSQL."""

READY_S = 2.0
"""Time limit for checking whether a vote could be stored."""

VOTING = "votes, audit_log, audit_head, elo, matches"
"""The tables that a vote is written to."""


class Database:
    """Runs transactions: functions that do not wait for anything else.

    Everything that a function does is committed once it returns, and rolled back if it raises. It may run in another
    thread, so it takes what it needs and returns values.
    """

    def __init__(self, url: str) -> None:
        """Open nothing yet. Raises Unavailable if the address is invalid."""
        self.url = _read(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._store = SqliteStore(self.url) if self.is_sqlite else ServerStore(self.url)
        self._patient = False
        self._searching = asyncio.Semaphore(SEARCHES)

    def patient(self) -> Self:
        """Return the same database for work that may take minutes and that no request waits for."""
        same = copy.copy(self)
        vars(same)["_patient"] = True
        return same

    @property
    def file(self) -> Path | None:
        """SQLite's file, which may not exist."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    def is_missing(self) -> bool:
        """Return whether SQLite has no file yet, or an empty one; opening it would make one."""
        file = Path(self.url.database or "")
        return self.is_sqlite and not (file.exists() and file.stat().st_size)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Run a function that only reads; it sees committed data only. Raises DatabaseBusy."""
        return await self._store.read(work, patient=self._patient)

    async def search(self, work: Callable[[Transaction], T]) -> T:
        """Run a read that may look at many texts; few run at once, so that others find a reader free."""
        async with self._searching:
            return await self.read(work)

    async def write(self, work: Callable[[Transaction], T], *, alone: bool = False) -> T:
        """Run a transaction; return once it is durable. Raises DatabaseBusy: nothing was changed.

        `alone` is for a very large one: it shares no commit, and needs no memory for a savepoint.
        """
        return await self._store.write(work, alone=alone, patient=self._patient)

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Run a migration on a bare connection. Raises SQLAlchemy's errors unchanged."""
        return await self._store.administer(work)

    async def compact(self) -> None:
        """Release the space of deleted rows, so that no file has their texts any more. Raises DatabaseBusy."""
        await self._store.compact()

    async def ping(self) -> None:
        """Check that the database responds. Raises DatabaseBusy."""
        await self.read(lambda session: session.execute(select(1)).scalar())

    async def check_ready(self) -> None:
        """Check that a vote could be stored now. Raises DatabaseBusy, within READY_S."""
        await self._store.check_writable(VOTING, READY_S)

    def end_within(self, seconds: float) -> None:
        """Fail everything that still waits for the database after this many seconds: Parley is stopping."""
        self._store.end_within(seconds)

    async def close(self) -> None:
        """Close every connection."""
        await self._store.close()


def _read(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        # The error's own text may include the password.
        raise unreachable("its address is not like postgresql://user:password@host:5432/name") from None
