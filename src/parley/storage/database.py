"""The database: transactions as plain functions, and readers that never wait for a writer."""

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

READY_S = 2.0
"""How long it may take to learn whether a vote could be stored."""

VOTING = "votes, audit_log, audit_head, elo, matches"
"""The tables that a vote is written to."""


class Database:
    """Carries out transactions: functions that do not wait for anything else.

    All that a function does is committed together once it returns, or nothing of it where it
    raises. It may be carried out in another thread, so it takes what it needs and returns values.
    """

    def __init__(self, url: str) -> None:
        """Open nothing yet. Raises Unavailable if the address cannot be read."""
        self.url = _read(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._store = SqliteStore(self.url) if self.is_sqlite else ServerStore(self.url)
        self._patient = False

    def patient(self) -> Self:
        """Return the same database for work that may take minutes: no request waits for it."""
        same = copy.copy(self)
        vars(same)["_patient"] = True
        return same

    def is_missing(self) -> bool:
        """Return whether SQLite has no file yet, or an empty one; opening it would make one."""
        file = Path(self.url.database or "")
        return self.is_sqlite and not (file.exists() and file.stat().st_size)

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Carry out what only reads; it sees committed data only. Raises DatabaseBusy."""
        return await self._store.read(work, patient=self._patient)

    async def write(self, work: Callable[[Transaction], T], *, alone: bool = False) -> T:
        """Carry out a transaction; return once it is durable.

        Raises DatabaseBusy: nothing was changed.
        `alone` is for one that changes very much: it shares no commit, and takes no memory to be undone.
        """
        return await self._store.write(work, alone=alone, patient=self._patient)

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Carry out a migration on a bare connection. Raises SQLAlchemy's errors as they are."""
        return await self._store.administer(work)

    async def compact(self) -> None:
        """Give the space of deleted rows back, so that no file holds their texts any more. Raises DatabaseBusy."""
        await self._store.compact()

    async def ping(self) -> None:
        """Ask the database for an answer. Raises DatabaseBusy."""
        await self.read(lambda session: session.execute(select(1)).scalar())

    async def check_ready(self) -> None:
        """Ask whether a vote could be stored now. Raises DatabaseBusy, within READY_S."""
        await self._store.check_writable(VOTING, READY_S)

    def end_within(self, seconds: float) -> None:
        """Fail, after so many seconds, whatever still waits for the database: Parley stops."""
        self._store.end_within(seconds)

    async def close(self) -> None:
        """Close every connection."""
        await self._store.close()


def _read(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        # The error's own words may hold the password.
        raise unreachable("its address is not like postgresql://user:password@host:5432/name") from None
