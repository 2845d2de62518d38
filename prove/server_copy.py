"""Copies a PostgreSQL database to a SQLite file, so that the same checks read both."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import asyncpg

from parley.storage.tables.compact_types import STATUSES, id_bytes

TABLES = (
    "votes",
    "elo",
    "matches",
    "audit_log",
    "audit_head",
    "pair_counts",
    "uncounted_counts",
    "worker_status",
)

_NARROW: dict[str, Callable[[str], object]] = {
    "id": id_bytes,
    "voter_id": id_bytes,
    "processing_status": STATUSES.__getitem__,
}
"""What SQLite stores of columns of votes in another form."""

_OTHERS = """SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""


async def until_alone(database: asyncpg.Connection) -> None:
    """Wait until the server has noticed that a killed client is gone: until then it may still commit."""
    async with asyncio.timeout(30):
        while await database.fetchval(_OTHERS):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def copy_to_file(database: asyncpg.Connection, path: Path) -> None:
    """Copy the tables of votes and counts, as they are at one moment."""
    path.unlink(missing_ok=True)  # noqa: ASYNC240
    with closing(sqlite3.connect(path)) as file, file:
        async with database.transaction(isolation="repeatable_read", readonly=True):
            for table in TABLES:
                statement = await database.prepare(f"SELECT * FROM {table}")
                names = [attribute.name for attribute in statement.get_attributes()]
                file.execute(f"create table {table} ({', '.join(map(repr, names))})")
                marks = ", ".join("?" * len(names))
                kept = _NARROW if table == "votes" else {}
                rows = [
                    [kept.get(name, _plain)(value) for name, value in row.items()]
                    for row in await statement.fetch()
                ]
                file.executemany(f"insert into {table} values ({marks})", rows)


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
