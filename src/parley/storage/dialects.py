"""Dialects: the few statements that SQLite and PostgreSQL share but SQLAlchemy writes differently."""

from functools import cache
from typing import TypeAlias

from sqlalchemy import text
from sqlalchemy.dialects import postgresql, sqlite

from parley.storage.tables.declared import Table, core
from parley.storage.transaction import Transaction

_HOLD_STILL = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")

Insert: TypeAlias = sqlite.Insert | postgresql.Insert


def insert_or_ignore(transaction: Transaction, table: type[Table]) -> Insert:
    """Return an INSERT that does nothing if a row's key is taken."""
    return _insert_or_ignore(transaction.dialect, table)


def insert_or_replace(
    transaction: Transaction, table: type[Table], key: str, replaced: tuple[str, ...]
) -> Insert:
    """Return an INSERT that replaces these columns if a row's key is taken."""
    return _insert_or_replace(transaction.dialect, table, key, replaced)


def hold_still(transaction: Transaction) -> None:
    """Let every statement of a transaction see the database as it is before the first one.

    SQLite does so anyway.
    """
    if transaction.dialect == "postgresql":
        transaction.execute(_HOLD_STILL)


# Created once: a statement caches how it is compiled.


@cache
def _insert_or_ignore(dialect: str, table: type[Table]) -> Insert:
    return _insert(dialect, table).on_conflict_do_nothing()


@cache
def _insert_or_replace(dialect: str, table: type[Table], key: str, replaced: tuple[str, ...]) -> Insert:
    insert = _insert(dialect, table)
    fresh = {column: insert.excluded[column] for column in replaced}
    return insert.on_conflict_do_update(index_elements=[core(table).c[key]], set_=fresh)


def _insert(dialect: str, table: type[Table]) -> Insert:
    return postgresql.insert(core(table)) if dialect == "postgresql" else sqlite.insert(core(table))
