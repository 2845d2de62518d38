"""Dialects: the few statements that SQLite and PostgreSQL share but SQLAlchemy spells apart."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from parley.storage.tables.declared import Table


def insert_into(session: AsyncSession, table: type[Table]) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that can carry an ON CONFLICT clause."""
    make = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return make(table)


def insert_or_ignore(
    session: AsyncSession, table: type[Table], row: Mapping[str, Any]
) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that does nothing where the row's key is taken."""
    return insert_into(session, table).values(**row).on_conflict_do_nothing()
