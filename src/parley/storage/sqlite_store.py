"""SQLite: a thread that writes, many transactions to one commit, and threads that read beside it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from parley.storage.documents import decode_document, encode_document
from parley.storage.sqlite_dialect import DRIVER, driver_of
from parley.storage.transaction import Transaction
from parley.storage.trouble import busy, is_trouble, translated

T = TypeVar("T")

BUSY_MS = 5000
READERS = 4


class Job:
    """A transaction that waits for its turn, and who waits for what it returns."""

    __slots__ = ("alone", "done", "error", "result", "work")

    def __init__(self, work: Callable[[Transaction], Any], done: asyncio.Future[Any], *, alone: bool) -> None:
        self.work = work
        self.done = done
        self.alone = alone
        self.result: Any = None
        self.error: Exception | None = None


class SqliteStore:
    """WAL, synchronous=FULL, and one writer, since SQLite has no more: a transaction never fails for a lock.

    What waits while the writer commits goes into the next commit together, each under a savepoint
    of its own: the cost of a commit, which is the disk's, is shared. A job that wants to be alone has a commit
    of its own: a savepoint keeps every page in memory as it was, however many a job changes.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._writer = self._open(writer=True)
        self._reader = self._open(writer=False)
        self._make_threads()
        self._held: Connection | None = None
        self._waiting: list[Job] = []
        self._drain: asyncio.Task[None] | None = None

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Carry out what only reads. Raises DatabaseBusy."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._read, work)

    async def write(self, work: Callable[[Transaction], T], *, alone: bool = False) -> T:
        """Carry out a transaction; returns once it is committed. Raises DatabaseBusy.

        Whoever stops waiting before it has begun takes it back; later it is carried out all the same.
        """
        job = Job(work, asyncio.get_running_loop().create_future(), alone=alone)
        self._waiting.append(job)
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._write_all(), name="parley-writer")
        return await job.done

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Carry out a migration alone on the writer's connection. Raises SQLAlchemy's errors as they are."""

        def alone() -> T:
            self._close_writer()
            with self._writer.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._writing, alone)

    async def close(self) -> None:
        """Finish what is being written, then close every connection; they open again where they are needed."""
        if self._drain is not None:
            await asyncio.wait([self._drain])
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._writing, self._close_writer)
        await loop.run_in_executor(self._reading, self._reader.dispose)
        self._writing.shutdown(wait=False)
        self._reading.shutdown(wait=False)
        self._make_threads()

    def _close_writer(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
        self._writer.dispose()

    def _make_threads(self) -> None:
        """Make room for threads; each begins when it is first needed."""
        self._writing = ThreadPoolExecutor(1, "parley-writer")
        self._reading = ThreadPoolExecutor(READERS, "parley-reader")

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            jobs = self._next_jobs()
            await loop.run_in_executor(self._writing, self._carry_out, jobs)
            for job in jobs:
                if job.done.done():
                    continue
                if job.error is not None:
                    job.done.set_exception(job.error)
                else:
                    job.done.set_result(job.result)

    def _next_jobs(self) -> list[Job]:
        """Take from those that wait, in their order, what goes into the next commit."""
        places = (place for place, job in enumerate(self._waiting) if job.alone)
        end = next(places, len(self._waiting)) or 1
        jobs, self._waiting = self._waiting[:end], self._waiting[end:]
        return [job for job in jobs if not job.done.done()]

    def _read(self, work: Callable[[Transaction], T]) -> T:
        try:
            with self._reader.connect() as connection, Transaction(connection) as transaction:
                return work(transaction)
        except Exception as error:
            raise translated(error) from error

    def _carry_out(self, jobs: list[Job]) -> None:
        """Commit all jobs together; a job that fails takes nothing with it, trouble takes all."""
        try:
            if self._held is None:
                self._held = self._writer.connect()
            with self._held.begin():
                for job in jobs:
                    if job.alone:
                        job.result = _carried_out(job.work, self._held)
                    else:
                        self._carry_out_one(job, self._held)
        except Exception as error:  # noqa: BLE001 - handed to everybody who waits
            failure = translated(error)
            for job in jobs:
                job.error = failure

    def _carry_out_one(self, job: Job, connection: Connection) -> None:
        driver = driver_of(connection)
        driver.execute("SAVEPOINT job")
        try:
            with Transaction(connection, driver=driver) as transaction:
                job.result = job.work(transaction)
                transaction.commit()
        except Exception as error:
            if is_trouble(error):
                raise
            if not driver.in_transaction:
                # A full disk rolls the whole transaction back, its savepoints with it.
                raise busy() from error
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
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA foreign_keys=ON")
            # What a savepoint may have to undo is kept in memory, not in a file made for every transaction.
            cursor.execute("PRAGMA temp_store=MEMORY")
            cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
            if not writer:
                cursor.execute("PRAGMA query_only=ON")
            cursor.close()

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            driver_of(connection).execute("BEGIN IMMEDIATE" if writer else "BEGIN")

        return engine


def _carried_out(work: Callable[[Transaction], T], connection: Connection) -> T:
    with Transaction(connection) as transaction:
        result = work(transaction)
        transaction.commit()
        return result
