"""The schema: upgrades a database's tables to this version."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, MetaData, Table, inspect, text
from sqlalchemy.exc import DBAPIError

from parley.kernel.errors import Unavailable
from parley.storage.database import Database
from parley.storage.errors import unreachable
from parley.storage.tables import (
    attachments,
    audit,
    bookkeeping,
    conversations,
    imports,
    jobs,
    presets,
    replicas,
    sealed,
    search,
    votes,
)
from parley.storage.tables.rows import METADATA, Row

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
HEAD = max(file.name[:4] for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))
"""The revision of this version's tables: the last migration."""

_ALL = (
    attachments,
    audit,
    bookkeeping,
    conversations,
    imports,
    jobs,
    replicas,
    sealed,
    search,
    votes,
    presets,
)


def metadata() -> MetaData:
    """Return the tables as declared."""
    return METADATA


def all_tables(rows: Iterable[type[Row]]) -> list[Table]:
    """Return the tables of this package and of the built-in features' rows."""
    kinds = (kind for module in _ALL for kind in vars(module).values() if isinstance(kind, type))
    own = (kind for kind in kinds if issubclass(kind, Row) and kind is not Row)
    return [kind.table for kind in dict.fromkeys((*own, *rows))]


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


async def migrate(database: Database, rows: Collection[type[Row]]) -> None:
    """Upgrade the tables to this version; `rows` are those of the built-in features.

    Raises Unavailable, also if the tables are newer.
    """
    tables = all_tables(rows)
    # Alembic takes a quarter of a second to load, so load it only if needed.
    if await current_revision(database) != HEAD:
        await database.administer(lambda connection: upgrade(connection, tables))
    elif missing := await database.administer(lambda connection: _missing(connection, tables)):
        raise Unavailable(
            f"The database is from before the first release: it has no table named {missing[0]}.",
            "Nothing was changed. Stop Parley and run: python tools/adopt_database.py URL",
            code="database_too_new",
        )


async def create_missing(database: Database, rows: Iterable[type[Row]]) -> None:
    """Create the tables that the database does not have yet, such as those of an installed feature."""
    wanted = [row.table for row in rows]

    def create(connection: Connection) -> None:
        known = set(inspect(connection).get_table_names())
        missing = [table for table in wanted if table.name not in known]
        if missing:
            METADATA.create_all(connection, tables=missing, checkfirst=False)

    if wanted:
        await database.administer(create)


def _missing(connection: Connection, tables: Iterable[Table]) -> list[str]:
    """Return the names of the tables that the database does not have."""
    known = set(inspect(connection).get_table_names())
    return sorted(table.name for table in tables if table.name not in known)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(connection: Connection, tables: Sequence[Table]) -> None:
    """Upgrade the tables on one connection. Raises Unavailable if they are newer."""
    from alembic import command
    from alembic.util.exc import CommandError

    try:
        command.upgrade(alembic_config(connection, tables), "head")
    except CommandError as error:
        raise Unavailable(
            "The database was written by a newer version of Parley, or its history is damaged.",
            "Nothing was changed. Use the newer version, or another data folder. A database of before the first "
            f"release: python tools/adopt_database.py URL. ({error})",
            code="database_too_new",
        ) from error


def alembic_config(connection: Connection, tables: Sequence[Table] = ()) -> "Config":
    """Return Alembic's configuration for one connection; `tables` are those that the first revision creates."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    config.attributes["tables"] = tables
    return config
