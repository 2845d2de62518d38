"""The lock of a database: one running Parley per SQLite file or PostgreSQL schema.

That of PostgreSQL is held by a connection of its own, and the server frees it with that connection: also where Parley
is killed. Only what plays turns takes it; who reads beside a running Parley does not.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from parley.kernel.errors import Unavailable
from parley.storage.database import Database
from parley.storage.errors import unreachable
from parley.storage.folder_lock import lock_file
from parley.storage.server_driver import ServerConnection, connect, connection_errors, driver_address

KEY = 0x5061726C
"""The number under which every Parley asks for the lock ("Parl"); the schema's name is the other half."""

PATIENCE_S = 2.0
"""How long a start waits for the lock: a process that was just killed may not be missed yet."""

AGAIN_S = 1.0
"""How long to wait between attempts to take the lock again."""

CHECK_S = 10.0
"""How often the connection that holds the lock is asked whether it still does."""

ANSWER_S = 5.0
"""How long the server may take for any answer about the lock."""

# The lock must outlive a quiet night, but not a computer that is gone for a minute.
_PREPARE = """
SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';
SET tcp_keepalives_idle = 30;
SET tcp_keepalives_interval = 10;
SET tcp_keepalives_count = 3;
"""
_TAKE = "SELECT pg_try_advisory_lock($1, hashtext(coalesce(current_schema(), '')))"

log = logging.getLogger(__name__)


@asynccontextmanager
async def lock_database(database: Database) -> AsyncGenerator[None]:
    """Hold the database's lock. Raises Unavailable, also where another process holds it.

    That of SQLite is a file beside it, since two data folders may name one database. Where the connection to a
    server breaks, the lock is taken again as soon as that is possible; both are logged.
    """
    if database.is_sqlite:
        with lock_file(Path(database.url.database or "")):
            yield
        return
    lock = _Lock(driver_address(database.url))
    await lock.take_first()
    keeping = asyncio.create_task(lock.keep(), name="parley-database-lock")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])
        lock.release()


class _Lock:
    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: ServerConnection | None = None
        self._lost = asyncio.Event()

    async def take_first(self) -> None:
        """Take the lock. Raises Unavailable."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        try:
            while not await self._take():
                if loop.time() > until:
                    raise Unavailable(
                        "Another Parley is using this database.",
                        "Stop it first, or set database_url to another database.",
                        code="database_in_use",
                    )
                await asyncio.sleep(PATIENCE_S / 10)
        except connection_errors() as error:
            raise unreachable(str(error) or "the server does not answer") from error

    async def keep(self) -> None:
        """Take the lock again whenever its connection breaks or falls silent."""
        while True:
            await self._until_lost()
            log.error(
                "the connection that holds the database's lock broke; until the lock is taken again, "
                "another Parley could begin on this database"
            )
            await self._take_again()
            log.info("the database's lock is held again")

    async def _until_lost(self) -> None:
        while not self._lost.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CHECK_S):
                    await self._lost.wait()
                    return
            if self._connection is None:
                return
            try:
                await self._connection.fetchval("SELECT 1", timeout=ANSWER_S)
            except connection_errors():
                self._connection.terminate()
                return

    def release(self) -> None:
        """Close the connection, which frees the lock."""
        if self._connection is not None:
            self._connection.terminate()

    async def _take_again(self) -> None:
        warned = False
        while True:
            with contextlib.suppress(*connection_errors()):
                if await self._take():
                    return
                if not warned:
                    log.error(
                        "another Parley has taken this database meanwhile: stop one of the two. Or the server has "
                        "not noticed yet that the old connection broke: then it does within a minute"
                    )
                    warned = True
            await asyncio.sleep(AGAIN_S)

    async def _take(self) -> bool:
        """Ask for the lock on a new connection, and keep that where it is given."""
        connection = await connect(self._address)
        taken = False
        try:
            await connection.execute(_PREPARE, timeout=ANSWER_S)
            taken = bool(await connection.fetchval(_TAKE, KEY, timeout=ANSWER_S))
        finally:
            if not taken:
                connection.terminate()
        if taken:
            self._connection = connection
            self._lost = lost = asyncio.Event()
            connection.add_termination_listener(lambda _: lost.set())
        return taken
