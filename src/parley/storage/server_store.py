"""PostgreSQL: a pool for reading, another for writing, and limits on every wait."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DisconnectionError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from parley.storage.documents import decode_document, encode_document
from parley.storage.errors import (
    DRIVER_ERRORS,
    busy,
    is_unavailable,
    shutting_down,
    translated,
    unknown_outcome,
)
from parley.storage.server_driver import ServerConnection, connect, driver_address
from parley.storage.transaction import Transaction

T = TypeVar("T")

WITHIN_S = 3.0
"""Seconds that a transaction may take, including its wait for a connection. A request is answered within five
seconds, even on a busy machine.
"""

LOCKED_S = 2.0
"""Seconds that one statement of it may wait for a lock."""

PATIENT_S = 60.0
"""Seconds that a transaction may take that no request waits for."""

MIGRATION_S = 3600.0

PATIENT_LOCKED_S = 20.0

STOPPING_S = 1.0
"""Seconds that any transaction may still take once Parley is stopping: fewer than requests get."""

CLOSING_S = 0.5
"""Seconds that connections get to close cleanly."""

CONNECTIONS = 10
"""The size of a pool. There are two, since writers that wait for a lock must not block readers."""


class ServerStore:
    """Transactions at READ COMMITTED, each on a connection of a pool.

    Anything that takes too long fails. The server ends a statement that waits for a lock; for a server that does not
    respond at all, the connection is closed.
    """

    def __init__(self, url: URL) -> None:
        self._address = driver_address(url)
        self._opened: set[ServerConnection] = set()
        self._connecting: set[asyncio.Timeout] = set()
        self._running: dict[object, ServerConnection] = {}
        self._end = float("inf")
        self._reading, self._writing = (self._pool(url.set(query={})) for _ in range(2))

    async def read(self, work: Callable[[Transaction], T], *, patient: bool = False) -> T:
        """Run a function that only reads. Raises DatabaseBusy."""
        return await self._carry_out(
            self._reading, lambda connection: _worked(connection, work), _limit(patient), patient=patient
        )

    async def write(
        self,
        work: Callable[[Transaction], T],
        *,
        alone: bool = False,
        patient: bool = False,
    ) -> T:
        """Run a transaction; return once it is committed. Raises DatabaseBusy.

        One that meets a row which another has just stored, such as an address that two people enter at once, is run
        again: it sees that row, and says what is taken.
        """
        patient = patient or alone

        def carry_out() -> Awaitable[T]:
            return self._carry_out(
                self._writing, lambda connection: _worked(connection, work), _limit(patient), patient=patient
            )

        try:
            return await carry_out()
        except IntegrityError:
            return await carry_out()

    async def check_writable(self, tables: str, within_s: float) -> None:
        """Take the locks that writing needs, and release them. Raises DatabaseBusy."""
        lock = f"LOCK TABLE {tables} IN ROW EXCLUSIVE MODE"
        await self._carry_out(self._writing, lambda connection: connection.exec_driver_sql(lock), within_s)

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Run a migration on a bare connection. Raises SQLAlchemy's errors unchanged."""
        return await self._limited(
            self._writing, lambda connection: connection.run_sync(work), MIGRATION_S, patient=True
        )

    async def compact(self) -> None:
        """Do nothing: PostgreSQL frees deleted rows by itself."""

    def end_within(self, seconds: float) -> None:
        """Shorten waits from now on; fail everything after this many seconds."""
        loop = asyncio.get_running_loop()
        self._end = loop.time() + seconds
        loop.call_at(self._end, self._give_up)
        running, soon = dict(self._running), min(self._end, loop.time() + STOPPING_S)
        loop.call_at(soon, self._give_up_running, running)
        for limit in self._connecting:
            limit.reschedule(min(soon, limit.when() or soon))

    async def close(self) -> None:
        """Close every connection; the pool would log one that does not close in time as an error."""
        closing = [connection.close(timeout=CLOSING_S) for connection in self._opened]
        await asyncio.gather(*closing, return_exceptions=True)
        self._give_up()
        await asyncio.gather(self._reading.dispose(), self._writing.dispose())

    def _pool(self, url: URL) -> AsyncEngine:
        engine = create_async_engine(
            url,
            # SQLAlchemy would pass parameters such as `sslmode` on unchanged.
            async_creator=self._connect,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=WITHIN_S,
            json_serializer=encode_document,
            json_deserializer=decode_document,
        )
        # Checking each connection before use would cost three round trips.
        event.listen(engine.sync_engine, "checkout", _refuse_closed)
        # An abandoned one says nothing about the others.
        event.listen(engine.sync_engine, "handle_error", _keep_the_others)
        return engine

    async def _lent(self, pool: AsyncEngine, until: float) -> AsyncConnection:
        async with asyncio.timeout_at(until) as limit:
            self._connecting.add(limit)
            try:
                return await pool.connect()
            finally:
                self._connecting.discard(limit)

    async def _connect(self) -> ServerConnection:
        connection = await connect(self._address)
        try:
            await connection.execute(_limits(), timeout=LOCKED_S)
        except BaseException:
            connection.terminate()
            raise
        self._opened.add(connection)
        connection.add_termination_listener(self._opened.discard)
        return connection

    def _give_up(self) -> None:
        for connection in tuple(self._opened):
            connection.terminate()

    def _give_up_running(self, transactions: dict[object, ServerConnection]) -> None:
        for transaction, connection in transactions.items():
            if transaction in self._running:
                connection.terminate()

    async def _carry_out(
        self,
        pool: AsyncEngine,
        work: Callable[[AsyncConnection], Awaitable[T]],
        within_s: float,
        *,
        patient: bool = False,
    ) -> T:
        try:
            return await self._limited(pool, work, within_s, patient=patient)
        except DRIVER_ERRORS as error:
            raise translated(error) from error

    async def _limited(
        self,
        pool: AsyncEngine,
        work: Callable[[AsyncConnection], Awaitable[T]],
        within_s: float,
        *,
        patient: bool,
    ) -> T:
        """Run a transaction within its time limit; close its connection if it does not end."""
        loop = asyncio.get_running_loop()
        if self._end <= loop.time():
            raise shutting_down()
        if self._end < float("inf"):
            within_s = min(within_s, STOPPING_S)
        until = min(loop.time() + within_s, self._end)
        connection = await self._lent(pool, until)
        transaction, worked = object(), False
        self._running[transaction] = driver = _driver_of(connection)
        giving_up = loop.call_at(until, driver.terminate)
        try:
            async with connection.begin():
                if patient:
                    for setting in _PATIENCE:
                        await connection.exec_driver_sql(setting)
                result = await work(connection)
                worked = True
            return result
        except DRIVER_ERRORS as error:
            if worked and is_unavailable(error):
                raise unknown_outcome() from error
            raise
        except AttributeError as error:
            # A connection that is closed between two steps of the driver is missing a part of it there.
            if driver.is_closed():
                raise (unknown_outcome() if worked else busy()) from error
            raise
        finally:
            await connection.close()
            giving_up.cancel()
            del self._running[transaction]


_PATIENCE = (
    f"SET LOCAL lock_timeout = {PATIENT_LOCKED_S * 1000:.0f}",
    "SET LOCAL statement_timeout = 0",
)
"""No queries: a transaction may still choose its isolation after them."""


def _limits() -> str:
    return f"SET lock_timeout = {LOCKED_S * 1000:.0f}; SET statement_timeout = {WITHIN_S * 1000:.0f}"


def _limit(patient: bool) -> float:
    return PATIENT_S if patient else WITHIN_S


def _worked(connection: AsyncConnection, work: Callable[[Transaction], T]) -> Awaitable[T]:
    return connection.run_sync(lambda inner: work(Transaction(inner)))


def _driver_of(connection: AsyncConnection) -> ServerConnection:
    if connection.sync_connection is None:
        raise RuntimeError("the connection was not opened")
    return cast("ServerConnection", connection.sync_connection.connection.driver_connection)


def _refuse_closed(connection: Any, _record: object, _lent: object) -> None:
    """Let the pool replace a connection that the server has closed."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _keep_the_others(context: Any) -> None:
    context.invalidate_pool_on_disconnect = False
