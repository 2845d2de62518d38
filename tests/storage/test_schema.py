"""Tests of the schema: the migration ends in the tables as they are declared."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Table, inspect, make_url, text

from parley.application import built_in_tables
from parley.kernel.errors import Unavailable
from parley.storage import schema
from parley.storage.database import Database
from tests.fakes.databases import ON_EVERY_KIND, Kind, a_blank_database, on_server, with_driver
from tools.adopt_database import ADDED, adopt

pytestmark = ON_EVERY_KIND


def tables(connection: Connection) -> set[str]:
    # SQLite keeps an index of trigrams in tables of its own.
    found = inspect(connection).get_table_names()
    return {name for name in found if not name.startswith("search_index")} - {"alembic_version"}


def differences(connection: Connection) -> list[Any]:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def declared(name: str | None, kind: str, _: object) -> bool:
        # PostgreSQL has these indexes where it lets the user make them; SQLite's is a table.
        if kind == "table":
            return not str(name).startswith("search_index")
        return name not in ("ix_search_texts_text", "ix_search_replies_text")

    options = {"compare_type": True, "include_name": declared}
    context = MigrationContext.configure(connection, opts=options)
    return compare_metadata(context, schema.metadata())


async def test_a_database_without_tables_gets_all_of_them(empty: Database) -> None:
    assert await schema.current_revision(empty) is None
    await schema.migrate(empty, built_in_tables())
    assert await schema.current_revision(empty) == schema.HEAD
    assert await empty.administer(tables) == set(schema.metadata().tables)


async def test_migrating_twice_changes_nothing(database: Database) -> None:
    await schema.migrate(database, built_in_tables())
    assert await schema.current_revision(database) == schema.HEAD


async def test_the_migrated_tables_are_the_declared_ones(database: Database) -> None:
    assert await database.administer(differences) == []


async def test_constraints_have_the_declared_names(database: Database) -> None:
    def named(connection: Connection) -> set[str | None]:
        looked = inspect(connection)
        return {key["name"] for name in tables(connection) for key in looked.get_unique_constraints(name)}

    declared = {
        constraint.name
        for table in schema.metadata().tables.values()
        for constraint in table.constraints
        if type(constraint).__name__ == "UniqueConstraint"
    }
    assert await database.administer(named) == {str(name) for name in declared}


def indexes(connection: Connection) -> set[str | None]:
    return {index["name"] for index in inspect(connection).get_indexes("search_texts")}


@pytest.mark.databases("postgresql")
@pytest.mark.parametrize("trusted", [True, False])
async def test_search_has_its_index_where_the_user_may_make_it_and_does_without_elsewhere(
    trusted: bool,
) -> None:
    async with a_blank_database() as url:
        name = url.rpartition("/")[2]
        await on_server(f"CREATE ROLE {name} LOGIN; GRANT ALL ON SCHEMA public TO {name}", name)
        if trusted:
            await on_server(f"GRANT CREATE ON DATABASE {name} TO {name}", name)
        database = Database(str(make_url(with_driver(url)).set(username=name)))
        await schema.migrate(database, built_in_tables())
        assert await schema.current_revision(database) == schema.HEAD
        assert ("ix_search_texts_text" in await database.administer(indexes)) is trusted
        await database.close()
        await on_server(f"DROP OWNED BY {name} CASCADE", name)
        await on_server(f"DROP ROLE {name}")


async def test_a_database_of_a_newer_version_is_left_alone(database: Database) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    await database.administer(lambda connection: connection.execute(newer))
    with pytest.raises(Unavailable) as caught:
        await schema.migrate(database, built_in_tables())
    assert caught.value.leaf_code == "database_too_new"
    assert await schema.current_revision(database) == "9999"


async def test_a_migration_that_fails_leaves_nothing_behind(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def upgraded_then_broken(connection: Connection, created: Sequence[Table]) -> None:
        upgrade(connection, created)
        raise RuntimeError("the power failed")

    upgrade = schema.upgrade
    monkeypatch.setattr(schema, "upgrade", upgraded_then_broken)
    with pytest.raises(RuntimeError):
        await schema.migrate(empty, built_in_tables())
    assert await empty.administer(tables) == set()


async def test_a_missing_file_is_seen_without_making_one(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'none.db'}")
    assert database.is_missing()
    await database.close()
    assert not (tmp_path / "none.db").exists()


async def test_a_database_of_before_the_first_release_is_adopted(database: Database, stored_in: Kind) -> None:
    older = text("UPDATE alembic_version SET version_num = '0025'")
    changes = (f"ALTER TABLE {table} DROP COLUMN {name}" for table, name in ADDED)
    for statement in (older, *map(text, (*changes, "DROP TABLE job_steps", "DROP TABLE jobs"))):
        await database.administer(lambda connection, each=statement: connection.execute(each))
    with pytest.raises(Unavailable, match="newer version"):
        await schema.migrate(database, built_in_tables())
    at_head = text(f"UPDATE alembic_version SET version_num = '{schema.HEAD}'")
    await database.administer(lambda connection: connection.execute(at_head))
    with pytest.raises(Unavailable, match="before the first release"):
        await schema.migrate(database, built_in_tables())
    address = database.url.render_as_string(hide_password=False)
    assert "at revision 0001 now" in await adopt(address)
    assert "Nothing was changed" in await adopt(address)
    assert await database.administer(differences) == []
    await schema.migrate(database, built_in_tables())
    assert await schema.current_revision(database) == schema.HEAD
    assert await database.administer(differences) == []
