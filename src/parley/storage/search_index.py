"""The search index of replies: SQLite's groups of three letters, kept by triggers on `search_replies`.

PostgreSQL has an index of the same kind in place of it, where it lets this user make one.
"""

import sqlite3

from parley.storage.transaction import Transaction

TABLE = "search_index"

LETTERS = 3
"""What the index is made of; fewer are found as the beginnings of such groups."""

END = " " * (LETTERS - 1)
"""Follows each indexed text, so that its last letters begin a group too."""

GROUPS = 200
"""With more groups than this it takes longer to look them up than to read every text."""

_THERE = f"SELECT 1 FROM sqlite_master WHERE name = '{TABLE}'"  # noqa: S608 - our own name

_GROUPS = f"SELECT term FROM {TABLE}_terms WHERE term >= ? AND term < ? LIMIT {GROUPS + 1}"  # noqa: S608 - our own names
_LAST = chr(0x10FFFF)

_PHRASE = f"id IN (SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH :phrase)"  # noqa: S608 - our own name


def index_condition(transaction: Transaction, search: str) -> tuple[str, str] | None:
    """Return a condition on `search_replies.id` with its parameter `phrase`; None if no index helps."""
    if transaction.dialect != "sqlite":
        return None
    connection = transaction.connection()
    if connection.exec_driver_sql(_THERE).scalar() is None:
        return None
    if len(search) >= LETTERS:
        return _PHRASE, _quoted(search)
    groups = connection.exec_driver_sql(_GROUPS, (search, search + _LAST)).scalars().all()
    if len(groups) > GROUPS:
        return None
    # Where no group begins so, a group that no text has finds nothing.
    return _PHRASE, " OR ".join(map(_quoted, groups or [(search + _LAST * LETTERS)[:LETTERS]]))


def _quoted(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def forget_deleted(driver: sqlite3.Connection) -> None:
    """Take what was deleted out of the index; until then it is only marked there."""
    if driver.execute(_THERE).fetchone() is not None:
        driver.execute(f"INSERT INTO {TABLE}({TABLE}) VALUES ('optimize')")  # noqa: S608 - our own name
