"""SQLite: one thread writes, many transactions to a commit; other threads read."""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from parley.storage import search_index
from parley.storage.documents import decode_document, encode_document
from parley.storage.errors import DatabaseBusy, busy, full, is_unavailable, shutting_down, translated
from parley.storage.sqlite_dialect import DRIVER, driver_of
from parley.storage.tables.compact_types import add_functions
from parley.storage.transaction import Transaction
from parley.storage.writer_thread import Job, WriterThread

T = TypeVar("T")

BUSY_MS = 1500
"""Milliseconds that a transaction waits if another program has locked the file. One that arrives meanwhile waits as
long again; both fail within the five seconds of a request.
"""

STOPPING_MS = 500
"""Milliseconds that it waits once Parley is stopping."""

READERS = 4

STEPS = 10_000
"""The steps of SQLite's machine after which a query looks whether anybody waits for it: less than a millisecond."""

SYNCHRONOUS = "FULL"
"""The wait of a commit for the disk; only tests that cut no power change it."""


class WriterConnection(NamedTuple):
    """A connection that is kept open, with the driver's own: asking SQLAlchemy for it is slow."""

    connection: Connection
    driver: sqlite3.Connection


class SqliteStore:
    """WAL, synchronous=FULL, and one writer, so no transaction fails because of a lock.

    Jobs that wait while the writer commits share the next commit, each under its own savepoint, and so share the disk's
    cost of a commit. A job marked `alone` has its own commit: a savepoint keeps the original of every changed page in
    memory.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._writer = self._open(writer=True)
        self._reader = self._open(writer=False)
        self._reading = ThreadPoolExecutor(READERS, "parley-reader")
        self._writing: WriterThread | None = None
        self._connection: WriterConnection | None = None
        self._waiting: list[Job] = []
        self._busy: asyncio.Future[None] | None = None
        self._stopping = False
        self._ended = False

    async def read(self, work: Callable[[Transaction], T], *, patient: bool = False) -> T:  # noqa: ARG002
        """Run a function that only reads; it never waits for a writer. Raises DatabaseBusy."""
        reading = _Reading()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._reading, self._read, work, reading)
        except asyncio.CancelledError:
            reading.gone = True
            raise

    async def write(
        self,
        work: Callable[[Transaction], T],
        *,
        alone: bool = False,
        patient: bool = False,  # noqa: ARG002
    ) -> T:
        """Run a transaction; return once it is committed. Raises DatabaseBusy.

        Cancelling before it has begun withdraws it; later it runs all the same.
        """
        if self._ended:
            raise shutting_down()
        loop = asyncio.get_running_loop()
        job = Job(work, loop.create_future(), alone=alone)
        self._waiting.append(job)
        if not self._is_busy(loop):
            self._busy = loop.create_future()
            # Requests in the same iteration of the event loop share the commit.
            loop.call_soon(self._write_next)
        return await job.done

    async def check_writable(self, tables: str, within_s: float) -> None:  # noqa: ARG002
        """Take the lock that writing needs, and release it. Raises DatabaseBusy."""
        try:
            async with asyncio.timeout(within_s):
                await self.write(lambda _: None)
        except TimeoutError:
            raise busy() from None

    def end_within(self, seconds: float) -> None:
        """Shorten waits from now on; fail waiting and new jobs after this many seconds."""
        loop = asyncio.get_running_loop()
        self._stopping = True
        loop.call_later(min(seconds, BUSY_MS / 1000), self._fail, list(self._waiting), shutting_down())
        loop.call_later(seconds, self._fail_waiting)

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Run a migration on the writer's connection. Raises SQLAlchemy's errors."""

        def alone() -> T:
            self._close_writer()
            with self._writer.begin() as connection:
                return work(connection)

        return await self._in_writer(alone)

    async def compact(self) -> None:
        """Rewrite the file and its log without deleted data. Raises DatabaseBusy; then nothing has changed."""

        def alone() -> None:
            driver = self._connected().driver
            search_index.forget_deleted(driver)
            driver.execute("VACUUM")
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")

        try:
            await self._in_writer(alone)
        except sqlite3.Error as error:
            raise translated(error) from error

    async def close(self) -> None:
        """Finish what is being written, then close every connection; they open again on demand."""
        loop = asyncio.get_running_loop()
        if self._busy is not None and self._is_busy(loop):
            await asyncio.wait([self._busy])
        await self._in_writer(self._close_writer)
        if self._writing is not None:
            self._writing.end()
            self._writing = None
        await loop.run_in_executor(self._reading, self._reader.dispose)
        self._reading.shutdown(wait=False)
        self._reading = ThreadPoolExecutor(READERS, "parley-reader")

    def _fail_waiting(self) -> None:
        self._ended = True
        self._fail(list(self._waiting), shutting_down())

    def _fail(self, jobs: list[Job], failure: Exception) -> None:
        """Fail the jobs that still wait for their turn; settled ones do not run."""
        for job in jobs:
            if job in self._waiting:
                job.error = failure
                job.settle()

    def _is_busy(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Return whether the writer continues by itself; on a closed event loop it does not."""
        return self._busy is not None and not self._busy.done() and self._busy.get_loop() is loop

    def _close_writer(self) -> None:
        if self._connection is not None:
            self._connection.connection.close()
            self._connection = None
        self._writer.dispose()

    def _hand_over(self, work: Callable[[], object], then: Callable[[], object]) -> None:
        """Run one function in the writer thread, then another one on the event loop."""
        if self._writing is None:
            self._writing = WriterThread()
        self._writing.hand_over(asyncio.get_running_loop(), work, then)

    async def _in_writer(self, work: Callable[[], T]) -> T:
        """Run a function in the writer thread, after the jobs before it."""
        job = Job(work, asyncio.get_running_loop().create_future())
        self._hand_over(job.attempt, job.settle)
        return await job.done

    def _write_next(self) -> None:
        """Run waiting jobs until none is left."""
        jobs = self._next_jobs()
        if jobs:
            self._hand_over(lambda: self._carry_out(jobs), lambda: self._written(jobs))
        elif self._waiting:
            self._write_next()
        elif self._busy is not None:
            self._busy.set_result(None)

    def _written(self, jobs: list[Job]) -> None:
        for job in jobs:
            job.settle()
        if isinstance(jobs[0].error, DatabaseBusy):
            # Jobs that waited just as long waited for the same lock.
            long_ago = time.monotonic() - BUSY_MS / 1000
            self._fail([job for job in self._waiting if job.asked_at <= long_ago], jobs[0].error)
        self._write_next()

    def _next_jobs(self) -> list[Job]:
        """Take the waiting jobs for the next commit, in order."""
        places = (place for place, job in enumerate(self._waiting) if job.alone)
        end = next(places, len(self._waiting)) or 1
        jobs, self._waiting = self._waiting[:end], self._waiting[end:]
        return [job for job in jobs if not job.done.done()]

    def _read(self, work: Callable[[Transaction], T], reading: "_Reading") -> T:
        try:
            with self._reader.connect() as connection:
                driver = driver_of(connection)
                driver.set_progress_handler(reading.is_gone, STEPS)
                try:
                    return work(Transaction(connection))
                finally:
                    driver.set_progress_handler(None, STEPS)
        except Exception as error:
            raise translated(error) from error

    def _carry_out(self, jobs: list[Job]) -> None:
        """Commit all jobs together. One may fail alone; a locked or full database fails all."""
        try:
            connection, driver = self._connected()
            if self._stopping:
                driver.execute(f"PRAGMA busy_timeout={STOPPING_MS}")
            try:
                driver.execute("BEGIN IMMEDIATE")
                for job in jobs:
                    if len(jobs) == 1:
                        job.result = job.work(Transaction(connection, driver=driver))
                    else:
                        self._carry_out_one(job, connection, driver)
                driver.execute("COMMIT")
            finally:
                _end(connection, driver)
        except Exception as error:  # noqa: BLE001 - handed to everybody who waits
            failure = translated(error)
            for job in jobs:
                job.error = failure

    def _connected(self) -> WriterConnection:
        """Return the connection that writes; it is kept from one commit to the next."""
        if self._connection is None:
            connection = self._writer.connect()
            self._connection = WriterConnection(connection, driver_of(connection))
        return self._connection

    def _carry_out_one(self, job: Job, connection: Connection, driver: sqlite3.Connection) -> None:
        driver.execute("SAVEPOINT job")
        try:
            job.result = job.work(Transaction(connection, driver=driver))
        except Exception as error:
            if is_unavailable(error):
                raise
            if not driver.in_transaction:
                # A full disk rolls back the transaction with its savepoints.
                raise full() from error
            driver.execute("ROLLBACK TO job")
            job.error = error
        driver.execute("RELEASE job")

    def _open(self, *, writer: bool) -> Engine:
        engine = create_engine(
            self._url.set(drivername=DRIVER),
            pool_size=1 if writer else READERS,
            max_overflow=0,
            connect_args={"timeout": BUSY_MS / 1000, "check_same_thread": False},
            json_serializer=encode_document,
            json_deserializer=decode_document,
        )

        @event.listens_for(engine, "connect")
        def prepare(connection: Any, _: object) -> None:
            # SQLAlchemy begins transactions itself (below); the driver must not.
            connection.isolation_level = None
            add_functions(connection)
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
            cursor.execute("PRAGMA foreign_keys=ON")
            # Keep savepoint journals in memory, not in a file for every transaction.
            cursor.execute("PRAGMA temp_store=MEMORY")
            cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            if not writer:
                cursor.execute("PRAGMA query_only=ON")
            cursor.close()

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            driver = driver_of(connection)
            if not driver.in_transaction:
                driver.execute("BEGIN IMMEDIATE" if writer else "BEGIN")

        return engine


class _Reading:
    """A read, and whether the one who waits for it is gone: then its query is interrupted."""

    __slots__ = ("gone",)

    def __init__(self) -> None:
        self.gone = False

    def is_gone(self) -> bool:
        """Return whether the read can end."""
        return self.gone


def _end(connection: Connection, driver: sqlite3.Connection) -> None:
    """Roll back what was not committed, and end SQLAlchemy's transaction if there is one."""
    if driver.in_transaction:
        driver.execute("ROLLBACK")
    if (known := connection.get_transaction()) is not None:
        known.close()
