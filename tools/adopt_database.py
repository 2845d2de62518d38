"""Lets this version open a database of before the first release, whose tables the last of its 25 revisions made.

    python tools/adopt_database.py sqlite:////path/to/data/parley.db
    python tools/adopt_database.py postgresql://user@host/name

Stop Parley first. Only the database's revision is changed.
"""

import asyncio
import sys

from sqlalchemy import Connection, text

from parley.storage import schema
from parley.storage.database import Database

LAST = "0025"
"""The last revision of before the first release."""


async def adopt(address: str) -> str:
    """Mark the database as one of this version; return what was done. Raises Unavailable."""
    database = Database(address.replace("postgresql://", "postgresql+asyncpg://"))
    try:
        revision = None if database.is_missing() else await schema.current_revision(database)
        if revision != LAST:
            return f"Nothing was changed: the database is at revision {revision}, not {LAST}."
        await database.administer(_stamp)
    finally:
        await database.close()
    return f"The database is at revision {schema.HEAD} now. Start Parley."


def _stamp(connection: Connection) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": schema.HEAD})


if __name__ == "__main__":
    print(asyncio.run(adopt(sys.argv[1])) if len(sys.argv) == 2 else __doc__)
