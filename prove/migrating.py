"""A process that moves a database to another revision, and kills itself before a given statement.

python -m prove.migrating '{"url": "sqlite:////tmp/x/kept.db", "revision": "0003", "kill_at": 7}'
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, event, inspect, text

from parley.storage import schema
from parley.storage.database import Database
from parley.storage.server_store import ServerStore


class Move(msgspec.Struct, kw_only=True):
    """The target, and the statement before which the process dies, counted from one; a commit counts as one."""

    url: str
    revision: str
    kill_at: int
    torn: bool = False
    """A planted fault: every statement commits by itself."""


@contextmanager
def statements() -> Generator[list[str]]:
    """Yield a counter of the statements that are about to run, and of the commits."""
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    def commit(_connection: Any) -> None:
        seen.append("COMMIT")

    event.listen(Engine, "before_cursor_execute", note)
    event.listen(Engine, "commit", commit)
    try:
        yield seen
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        event.remove(Engine, "commit", commit)


async def move(database: Database, revision: str) -> None:
    """Bring a database to a revision, up as a start does, or down."""
    if revision == schema.HEAD:
        await schema.migrate(database)
    else:
        await database.administer(lambda connection: _to(connection, revision))


def revisions(connection: Connection) -> list[str]:
    """Return every revision, the oldest first."""
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(schema.alembic_config(connection))
    return [step.revision for step in script.walk_revisions()][::-1]


def _to(connection: Connection, revision: str) -> None:
    from alembic import command

    known, current = revisions(connection), None
    if inspect(connection).has_table("alembic_version"):
        current = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    down = current is not None and known.index(revision) < known.index(current)
    (command.downgrade if down else command.upgrade)(schema.alembic_config(connection), revision)


def _die_at(number: int) -> None:
    seen = 0

    def count(*_: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Engine, "before_cursor_execute", count)
    event.listen(Engine, "commit", count)


def _tear() -> None:
    """Let every statement commit by itself."""

    def commit(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        # Alembic counts the rows of its own UPDATE, which a commit would forget.
        changes = statement.lstrip().upper().startswith(("CREATE", "INSERT", "DROP", "ALTER"))
        # A commit would end a savepoint, which its step still releases.
        if changes and connection.dialect.name == "sqlite" and not connection.in_nested_transaction():
            cursor.execute("COMMIT")
            cursor.execute("BEGIN IMMEDIATE")

    @asynccontextmanager
    async def begin(engine: Any) -> AsyncGenerator[Any]:
        async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            yield connection

    async def administer(self: Any, work: Any) -> Any:
        async with begin(self._writing) as connection:
            return await connection.run_sync(work)

    event.listen(Engine, "after_cursor_execute", commit)
    ServerStore.administer = administer


async def _carry_out(asked: Move) -> None:
    database = Database(asked.url)
    if asked.torn:
        _tear()
    _die_at(asked.kill_at)
    await move(database, asked.revision)
    await database.close()


if __name__ == "__main__":
    asyncio.run(_carry_out(msgspec.json.decode(sys.argv[1], type=Move)))
