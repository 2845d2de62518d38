"""PostgreSQL: one pool of connections for reading and writing."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import create_async_engine

from parley.storage.documents import decode_document, encode_document
from parley.storage.server_driver import connect, driver_address
from parley.storage.transaction import Transaction
from parley.storage.trouble import TROUBLE, translated

T = TypeVar("T")


class ServerStore:
    """Transactions at READ COMMITTED, each on a connection of the pool."""

    def __init__(self, url: URL) -> None:
        address = driver_address(url)
        self._engine = create_async_engine(
            url.set(query={}),
            # SQLAlchemy would hand parameters such as `sslmode` over as they are.
            async_creator=lambda: connect(address),
            pool_size=10,
            max_overflow=10,
            pool_pre_ping=True,
            json_serializer=encode_document,
            json_deserializer=decode_document,
        )

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Carry out what only reads. Raises DatabaseBusy."""
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(_carry_out, work)
        except TROUBLE as error:
            raise translated(error) from error

    async def write(self, work: Callable[[Transaction], T], *, alone: bool = False) -> T:  # noqa: ARG002
        """Carry out a transaction, here always alone; returns once it is committed. Raises DatabaseBusy."""
        try:
            async with self._engine.begin() as connection:
                return await connection.run_sync(_carry_out, work)
        except TROUBLE as error:
            raise translated(error) from error

    async def administer(self, work: Callable[[Connection], T]) -> T:
        """Carry out a migration on a bare connection. Raises SQLAlchemy's errors as they are."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


def _carry_out(connection: Connection, work: Callable[[Transaction], T]) -> T:
    with Transaction(connection) as transaction:
        result = work(transaction)
        transaction.complete()
        return result
