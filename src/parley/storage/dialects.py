"""Dialects: the few statements that SQLite and PostgreSQL share but SQLAlchemy writes differently."""

from functools import cache
from typing import TypeAlias

from sqlalchemy import text
from sqlalchemy.dialects import postgresql, sqlite

from parley.storage.tables.rows import Row
from parley.storage.transaction import Transaction

_HOLD_STILL = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")

Insert: TypeAlias = sqlite.Insert | postgresql.Insert


def insert_or_ignore(transaction: Transaction, kind: type[Row]) -> Insert:
    """Return an INSERT that does nothing if a row's key is taken."""
    return _insert_or_ignore(transaction.dialect, kind)


def insert_or_replace(
    transaction: Transaction, kind: type[Row], key: str, replaced: tuple[str, ...]
) -> Insert:
    """Return an INSERT that replaces these columns if a row's key is taken."""
    return _insert_or_replace(transaction.dialect, kind, key, replaced)


def hold_still(transaction: Transaction) -> None:
    """Let every statement of a transaction see the database as it is before the first one.

    SQLite does so anyway.
    """
    if transaction.dialect == "postgresql":
        transaction.execute(_HOLD_STILL)


# Created once: a statement caches how it is compiled.


@cache
def _insert_or_ignore(dialect: str, kind: type[Row]) -> Insert:
    return _insert(dialect, kind).on_conflict_do_nothing()


@cache
def _insert_or_replace(dialect: str, kind: type[Row], key: str, replaced: tuple[str, ...]) -> Insert:
    insert = _insert(dialect, kind)
    fresh = {column: insert.excluded[column] for column in replaced}
    return insert.on_conflict_do_update(index_elements=[kind.c[key]], set_=fresh)


def _insert(dialect: str, kind: type[Row]) -> Insert:
    return postgresql.insert(kind.table) if dialect == "postgresql" else sqlite.insert(kind.table)
