"""The lock of a database: one running Parley per SQLite file or PostgreSQL schema.

On PostgreSQL it is held by a separate connection, and the server frees it with that connection, even if Parley is
killed. Only a Parley that plays turns takes it, not commands that only read.

Replicas share it, and each holds a lock of its own beside it: whoever finds that free knows at once that its holder is
dead. One of them also holds the lead.
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
"""The first half of the lock's number ("Parl"); the schema's name is the other half."""

LIFE_KEY, LEAD_KEY, START_KEY = KEY + 1, KEY + 2, KEY + 3
"""The first halves of the locks of a replica (its id is the other half), of the one that leads, and of starting."""

PATIENCE_S = 2.0
"""Seconds that a start waits for the lock: the server may not have noticed yet that a process was killed."""

AGAIN_S = 1.0
"""Seconds between attempts to take the lock again."""

CHECK_S = 10.0
"""Seconds between checks that the connection still holds the lock."""

LEAD_S = 1.0
"""Seconds between a replica's attempts to take the lead, and its checks."""

START_S = 60.0
"""Seconds that a replica's start waits for that of another."""

ANSWER_S = 5.0
"""Seconds that the server may take to respond about the lock."""

# The lock must survive idle hours, but not a computer that is gone for a minute.
_PREPARE = """
SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout';
SET tcp_keepalives_idle = 30;
SET tcp_keepalives_interval = 10;
SET tcp_keepalives_count = 3;
"""
_SCHEMA = "hashtext(coalesce(current_schema(), ''))"
_TAKE = f"SELECT pg_try_advisory_lock($1, {_SCHEMA})"
_JOIN = f"SELECT pg_try_advisory_lock_shared($1, {_SCHEMA}) AND pg_try_advisory_lock($2, hashtext($3))"
_BEGIN = f"SELECT pg_advisory_lock($1, {_SCHEMA})"
_BEGUN = f"SELECT pg_advisory_unlock($1, {_SCHEMA})"

log = logging.getLogger(__name__)


@asynccontextmanager
async def lock_database(database: Database, replica_id: str | None = None) -> AsyncGenerator["DatabaseLock"]:
    """Hold the database's lock. Raises Unavailable, also if another process holds it.

    For SQLite it is a file next to the database, since two data folders may name the same one. If the connection to a
    server is lost, the lock is taken again as soon as possible; both are logged. Replicas hold it together.
    """
    lock = DatabaseLock("" if database.is_sqlite else driver_address(database.url), replica_id)
    if database.is_sqlite:
        with lock_file(Path(database.url.database or "")):
            yield lock
        return
    await lock.take_first()
    keeping = asyncio.create_task(lock.keep(), name="parley-database-lock")
    try:
        yield lock
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])
        lock.release()


class DatabaseLock:
    """The lock while it is held, alone or with other replicas. `wants_lead`: it may lead them; `leads`: it does."""

    def __init__(self, address: str, replica_id: str | None = None) -> None:
        self.wants_lead = False
        self.leads = False
        self._address = address
        self.replica_id = replica_id
        self._connection: ServerConnection | None = None
        self._lost = asyncio.Event()
        self._asking = asyncio.Lock()

    @asynccontextmanager
    async def starting(self) -> AsyncGenerator[None]:
        """Let one replica at a time prepare the database. Raises Unavailable."""
        if self.replica_id is None:
            yield
            return
        try:
            await self._ask(_BEGIN, START_KEY, timeout=START_S)
        except connection_errors() as error:
            raise unreachable(str(error) or "another replica's start takes too long") from error
        try:
            yield
        finally:
            with contextlib.suppress(*connection_errors()):
                await self._ask(_BEGUN, START_KEY)

    async def take_first(self) -> None:
        """Take the lock. Raises Unavailable."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        try:
            while not await self._take():
                if loop.time() > until:
                    raise Unavailable(
                        "Another Parley is using this database.",
                        "Stop it first, or set database_url to another database. Several servers may share one if "
                        "each has the setting redis_url.",
                        code="database_in_use",
                    )
                await asyncio.sleep(PATIENCE_S / 10)
        except connection_errors() as error:
            raise unreachable(str(error) or "the server does not answer") from error

    async def keep(self) -> None:
        """Take the lock again whenever its connection breaks or falls silent."""
        while True:
            await self._until_lost()
            self.leads = False
            log.error(
                "lost the connection that holds the database's lock; until the lock is taken again, "
                "another Parley could start on this database"
            )
            await self._take_again()
            log.info("the database's lock is held again")

    async def _until_lost(self) -> None:
        while not self._lost.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LEAD_S if self.replica_id else CHECK_S):
                    await self._lost.wait()
                    return
            if self._connection is None:
                return
            try:
                if self.wants_lead and not self.leads:
                    self.leads = bool(await self._ask(_TAKE, LEAD_KEY))
                else:
                    await self._ask("SELECT 1")
            except connection_errors():
                self._connection.terminate()
                return

    async def _ask(self, query: str, *values: object, timeout: float = ANSWER_S) -> object:  # noqa: ASYNC109
        """Return what the connection answers; it answers one question at a time."""
        async with self._asking:
            if self._connection is None:
                raise OSError("the connection is closed")
            return await self._connection.fetchval(query, *values, timeout=timeout)

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
                        "another Parley has taken this database meanwhile: stop one of the two. Or the "
                        "server has not noticed yet that the old connection was lost, which takes up to a "
                        "minute"
                    )
                    warned = True
            await asyncio.sleep(AGAIN_S)

    async def _take(self) -> bool:
        """Request the lock on a new connection, and keep the connection if it is granted."""
        connection = await connect(self._address)
        taken = False
        try:
            await connection.execute(_PREPARE, timeout=ANSWER_S)
            if self.replica_id is None:
                taken = bool(await connection.fetchval(_TAKE, KEY, timeout=ANSWER_S))
            else:
                keys = KEY, LIFE_KEY, self.replica_id
                taken = bool(await connection.fetchval(_JOIN, *keys, timeout=ANSWER_S))
        finally:
            if not taken:
                connection.terminate()
        if taken:
            self._connection = connection
            self._lost = lost = asyncio.Event()
            connection.add_termination_listener(lambda _: lost.set())
        return taken
