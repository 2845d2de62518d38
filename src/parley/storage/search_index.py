"""The search index of replies: SQLite's groups of three letters, kept by triggers on `search_replies`.

PostgreSQL has an index of the same kind in place of it, where it lets this user make one.
"""

import sqlite3

from parley.storage.transaction import Transaction

TABLE = "search_index"

LETTERS = 3
"""The least that the index finds; for less, every text is read."""

_THERE = f"SELECT 1 FROM sqlite_master WHERE name = '{TABLE}'"  # noqa: S608 - our own name

_PHRASE = f"id IN (SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH :phrase)"  # noqa: S608 - our own name


def index_condition(transaction: Transaction, search: str) -> tuple[str, str] | None:
    """Return a condition on `search_replies.id` with its parameter `phrase`; None where no index helps."""
    if transaction.dialect != "sqlite" or len(search) < LETTERS:
        return None
    if transaction.connection().exec_driver_sql(_THERE).scalar() is None:
        return None
    quoted = search.replace('"', '""')
    return _PHRASE, f'"{quoted}"'


def forget_deleted(driver: sqlite3.Connection) -> None:
    """Take what was deleted out of the index; until then it is only marked there."""
    if driver.execute(_THERE).fetchone() is not None:
        driver.execute(f"INSERT INTO {TABLE}({TABLE}) VALUES ('optimize')")  # noqa: S608 - our own name
