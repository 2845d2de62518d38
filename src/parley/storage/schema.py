"""The schema: upgrades a database's tables to this version."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, MetaData, inspect, text
from sqlalchemy import Table as CoreTable
from sqlalchemy.exc import DBAPIError

from parley.kernel.errors import Unavailable
from parley.storage.database import Database
from parley.storage.errors import unreachable
from parley.storage.tables import (
    attachments,
    audit,
    bookkeeping,
    catalog,
    conversations,
    presets,
    search,
    standings,
    votes,
)
from parley.storage.tables.declared import Table, core

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
"""The revision of this version's tables: the last migration."""

_ALL = (attachments, audit, bookkeeping, catalog, conversations, search, votes, presets, standings)


def metadata() -> MetaData:
    """Return the tables as declared."""
    return Table.metadata


def own_tables() -> list[CoreTable]:
    """Return the tables of this package; features bring others."""
    modules = {module.__name__ for module in _ALL}
    mapped = (mapper for mapper in Table.registry.mappers if mapper.class_.__module__ in modules)
    return [core(mapper.class_) for mapper in mapped]


async def current_revision(database: Database) -> str | None:
    """Return the database's revision; None if it has no tables yet. Raises Unavailable."""
    try:
        return await database.administer(_revision)
    except (DBAPIError, OSError) as error:
        # asyncpg's errors come with their class in front.
        cause = str(error.orig if isinstance(error, DBAPIError) else error).rpartition(">: ")[2]
        raise unreachable(cause) from error


async def require_current(database: Database) -> None:
    """Raise Unavailable if there is no database, or it has another version."""
    revision = None if database.is_missing() else await current_revision(database)
    if revision is None:
        raise Unavailable("There is no database yet.", "parley serve makes one.", code="no_database")
    if revision != HEAD:
        raise Unavailable(
            f"The database is at revision {revision}, and this version of Parley reads {HEAD}.",
            "Start Parley once (parley serve): it brings an older database up to date.",
            code="wrong_revision",
        )


async def migrate(database: Database) -> None:
    """Upgrade the tables to this version. Raises Unavailable, also if they are newer."""
    # Alembic takes a quarter of a second to load, so load it only if needed.
    if await current_revision(database) != HEAD:
        await database.administer(_upgrade)


async def create_missing(database: Database, tables: Iterable[type[Table]]) -> None:
    """Create the tables that the database does not have yet, such as those of a feature that was installed since."""
    wanted = [core(table) for table in tables]

    def create(connection: Connection) -> None:
        known = set(inspect(connection).get_table_names())
        missing = [table for table in wanted if table.name not in known]
        if missing:
            Table.metadata.create_all(connection, tables=missing, checkfirst=False)

    if wanted:
        await database.administer(create)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.util.exc import CommandError

    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError as error:
        raise Unavailable(
            "The database was written by a newer version of Parley, or its history is damaged.",
            "Nothing was changed. Use the newer version, or another data folder. A database of before the first "
            f"release: python tools/adopt_database.py URL. ({error})",
            code="database_too_new",
        ) from error


def alembic_config(connection: Connection) -> "Config":
    """Return Alembic's configuration for one connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
