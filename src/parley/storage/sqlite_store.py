"""SQLite: a thread that writes, many transactions to one commit, and threads that read beside it."""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from parley.storage.documents import decode_document, encode_document
from parley.storage.sqlite_dialect import DRIVER, driver_of
from parley.storage.transaction import Transaction
from parley.storage.trouble import DatabaseBusy, busy, closing, is_trouble, translated

T = TypeVar("T")

BUSY_MS = 1500
"""How long a transaction waits where another program has locked the file.

Who comes while one waits in vain waits as long once more; after both it is told, within the five seconds of a request.
"""

HURRIED_MS = 500
"""How long it waits once Parley stops."""

READERS = 4


class Handed(NamedTuple):
    """What the thread that writes does, and what the event loop does then."""

    loop: asyncio.AbstractEventLoop
    work: Callable[[], object]
    then: Callable[[], object]


class Held(NamedTuple):
    """A connection that is kept open, and the driver's own, which SQLAlchemy takes a while to hand out."""

    connection: Connection
    driver: sqlite3.Connection


class Job:
    """A transaction that waits for its turn, and who waits for what it returns."""

    __slots__ = ("alone", "asked_at", "done", "error", "result", "work")

    def __init__(self, work: Callable[..., Any], done: asyncio.Future[Any], *, alone: bool = True) -> None:
        self.work = work
        self.done = done
        self.alone = alone
        self.asked_at = time.monotonic()
        self.result: Any = None
        self.error: Exception | None = None

    def attempt(self) -> None:
        """Do work that takes no transaction; what it raises is handed to the one who waits."""
        try:
            self.result = self.work()
        except Exception as error:  # noqa: BLE001
            self.error = error

    def settle(self) -> None:
        """Tell the one who waits how it went; who has stopped waiting is told nothing."""
        if self.done.done():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


class WriterThread:
    """The one thread that writes: it begins when it is made and ends with what it was handed before.

    An executor makes a future with locks of its own for each piece of work, and wakes the event loop twice.
    """

    def __init__(self) -> None:
        self._handed: SimpleQueue[Handed | None] = SimpleQueue()
        threading.Thread(target=self._work, name="parley-writer", daemon=True).start()

    def hand_over(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[], object], then: Callable[[], object]
    ) -> None:
        """Do `work`, which raises nothing, in the thread, and `then` on the event loop."""
        self._handed.put(Handed(loop, work, then))

    def end(self) -> None:
        """End once everything that was handed over is done."""
        self._handed.put(None)

    def _work(self) -> None:
        while (handed := self._handed.get()) is not None:
            handed.work()
            with contextlib.suppress(RuntimeError):  # the event loop is closed: nobody waits any more
                handed.loop.call_soon_threadsafe(handed.then)
            del handed


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
        self._reading = ThreadPoolExecutor(READERS, "parley-reader")
        self._writing: WriterThread | None = None
        self._held: Held | None = None
        self._waiting: list[Job] = []
        self._busy: asyncio.Future[None] | None = None
        self._hurries = False
        self._ended = False

    async def read(self, work: Callable[[Transaction], T], *, patient: bool = False) -> T:  # noqa: ARG002
        """Carry out what only reads; it never waits for a writer. Raises DatabaseBusy."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, self._read, work)

    async def write(
        self,
        work: Callable[[Transaction], T],
        *,
        alone: bool = False,
        patient: bool = False,  # noqa: ARG002
    ) -> T:
        """Carry out a transaction; returns once it is committed. Raises DatabaseBusy.

        Whoever stops waiting before it has begun takes it back; later it is carried out all the same.
        """
        if self._ended:
            raise closing()
        loop = asyncio.get_running_loop()
        job = Job(work, loop.create_future(), alone=alone)
        self._waiting.append(job)
        if not self._is_busy(loop):
            self._busy = loop.create_future()
            # What is asked for in the same turn of the event loop shares the commit.
            loop.call_soon(self._write_next)
        return await job.done

    async def check_writable(self, tables: str, within_s: float) -> None:  # noqa: ARG002
        """Take the lock that writing takes, and give it back. Raises DatabaseBusy."""
        try:
            async with asyncio.timeout(within_s):
                await self.write(lambda _: None)
        except TimeoutError:
            raise busy() from None

    def end_within(self, seconds: float) -> None:
        """Hurry from now on; after so many seconds give up what still waits, and refuse what comes then."""
        loop = asyncio.get_running_loop()
        self._hurries = True
        loop.call_later(min(seconds, BUSY_MS / 1000), self._fail, list(self._waiting), closing())
        loop.call_later(seconds, self._give_up)

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Carry out a migration alone on the writer's connection. Raises SQLAlchemy's errors as they are."""

        def alone() -> T:
            self._close_writer()
            with self._writer.begin() as connection:
                return work(connection)

        return await self._in_writer(alone)

    async def close(self) -> None:
        """Finish what is being written, then close every connection; they open again where they are needed."""
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

    def _give_up(self) -> None:
        self._ended = True
        self._fail(list(self._waiting), closing())

    def _fail(self, jobs: list[Job], failure: Exception) -> None:
        """Tell those who still wait for their turn that they wait in vain; what is settled is not carried out."""
        for job in jobs:
            if job in self._waiting:
                job.error = failure
                job.settle()

    def _is_busy(self, loop: asyncio.AbstractEventLoop) -> bool:
        """True while the writer goes on by itself; an event loop that was left alone does not."""
        return self._busy is not None and not self._busy.done() and self._busy.get_loop() is loop

    def _close_writer(self) -> None:
        if self._held is not None:
            self._held.connection.close()
            self._held = None
        self._writer.dispose()

    def _hand_over(self, work: Callable[[], object], then: Callable[[], object]) -> None:
        """Let the thread that writes do something, and the event loop something after it."""
        if self._writing is None:
            self._writing = WriterThread()
        self._writing.hand_over(asyncio.get_running_loop(), work, then)

    async def _in_writer(self, work: Callable[[], T]) -> T:
        """Do something in the thread that writes, after what it has been given."""
        job = Job(work, asyncio.get_running_loop().create_future())
        self._hand_over(job.attempt, job.settle)
        return await job.done

    def _write_next(self) -> None:
        """Carry out what waits, until nothing does."""
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
            # Who has waited just as long has waited for the same.
            long_ago = time.monotonic() - BUSY_MS / 1000
            self._fail([job for job in self._waiting if job.asked_at <= long_ago], jobs[0].error)
        self._write_next()

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
            connection, driver = self._hold()
            if self._hurries:
                driver.execute(f"PRAGMA busy_timeout={HURRIED_MS}")
            driver.execute("BEGIN IMMEDIATE")
            try:
                for job in jobs:
                    if len(jobs) == 1:
                        job.result = _carried_out(job.work, connection, driver)
                    else:
                        self._carry_out_one(job, connection, driver)
                driver.execute("COMMIT")
            finally:
                _end(connection, driver)
        except Exception as error:  # noqa: BLE001 - handed to everybody who waits
            failure = translated(error)
            for job in jobs:
                job.error = failure

    def _hold(self) -> Held:
        """Return the connection that writes; it is kept from one commit to the next."""
        if self._held is None:
            connection = self._writer.connect()
            self._held = Held(connection, driver_of(connection))
        return self._held

    def _carry_out_one(self, job: Job, connection: Connection, driver: sqlite3.Connection) -> None:
        driver.execute("SAVEPOINT job")
        try:
            job.result = _carried_out(job.work, connection, driver, shared=True)
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
            driver = driver_of(connection)
            if not driver.in_transaction:
                driver.execute("BEGIN IMMEDIATE" if writer else "BEGIN")

        return engine


def _carried_out(
    work: Callable[[Transaction], T],
    connection: Connection,
    driver: sqlite3.Connection,
    *,
    shared: bool = False,
) -> T:
    with Transaction(connection, driver=driver, shared=shared) as transaction:
        result = work(transaction)
        transaction.complete()
        return result


def _end(connection: Connection, driver: sqlite3.Connection) -> None:
    """Undo what was not committed, and let SQLAlchemy know that the transaction is over, if it knew of it."""
    if driver.in_transaction:
        driver.execute("ROLLBACK")
    if (known := connection.get_transaction()) is not None:
        known.close()
