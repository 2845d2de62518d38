"""The search index of replies: SQLite's trigrams, kept up to date by triggers on `search_replies`.

PostgreSQL has an index of the same kind instead, if it lets this user create one.
"""

import sqlite3

from parley.storage.transaction import Transaction

TABLE = "search_index"

LETTERS = 3
"""The length of a trigram; shorter phrases are found as the beginnings of trigrams."""

END = " " * (LETTERS - 1)
"""Appended to each indexed text, so that its last letters begin a trigram too."""

LOOKED_UP = 8
"""Of a longer phrase so many letters are looked up; every trigram more costs time and rules out little."""

GROUPS = 200
"""With more trigrams than this, looking them up takes longer than reading every text."""

_THERE = f"SELECT 1 FROM sqlite_master WHERE name = '{TABLE}'"  # noqa: S608 - our own name

_GROUPS = f"SELECT term FROM {TABLE}_terms WHERE term >= ? AND term < ? LIMIT {GROUPS + 1}"  # noqa: S608 - our own names
_LAST = chr(0x10FFFF)

_PHRASE = f"id IN (SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH :phrase)"  # noqa: S608 - our own name


def index_condition(transaction: Transaction, search: str) -> tuple[str, str] | None:
    """Return a condition on `search_replies.id` with its parameter `phrase`; None if no index helps.

    Of a phrase longer than LOOKED_UP it finds more than those with the whole phrase: compare the texts that it leaves.
    """
    if transaction.dialect != "sqlite":
        return None
    connection = transaction.connection()
    if connection.exec_driver_sql(_THERE).scalar() is None:
        return None
    if len(search) >= LETTERS:
        return _PHRASE, _quoted(_rarest(search))
    groups = connection.exec_driver_sql(_GROUPS, (search, search + _LAST)).scalars().all()
    if len(groups) > GROUPS:
        return None
    # If no trigram begins like this, search for one that no text has.
    return _PHRASE, " OR ".join(map(_quoted, groups or [(search + _LAST * LETTERS)[:LETTERS]]))


def _rarest(search: str) -> str:
    """Return the part of a long phrase that few texts have: the letters around the space nearest to its middle."""
    if len(search) <= LOOKED_UP:
        return search
    middle = len(search) // 2
    spaces = (place for place, letter in enumerate(search) if letter == " ")
    centre = min(spaces, key=lambda place: abs(place - middle), default=middle)
    first = min(max(0, centre - LOOKED_UP // 2), len(search) - LOOKED_UP)
    return search[first : first + LOOKED_UP]


def _quoted(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"'


def forget_deleted(driver: sqlite3.Connection) -> None:
    """Remove deleted texts from the index; until then they are only marked there."""
    if driver.execute(_THERE).fetchone() is not None:
        driver.execute(f"INSERT INTO {TABLE}({TABLE}) VALUES ('optimize')")  # noqa: S608 - our own name
