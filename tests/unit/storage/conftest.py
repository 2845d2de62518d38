"""Databases for the tests of storage: SQLite in a file always, PostgreSQL where one listens on loopback."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import asyncpg
import pytest

from parley.kernel.ids import random_id
from parley.storage import schema
from parley.storage.database import Database

SERVER = {"host": "127.0.0.1", "port": 5432, "user": "postgres"}


def on_server(statement: str, database: str = "test") -> None:
    """Execute a statement, before any event loop runs."""

    async def execute() -> None:
        connection = await asyncpg.connect(**SERVER, database=database, timeout=3)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(execute())


@pytest.fixture(scope="session")
def server_url() -> Generator[str]:
    """A PostgreSQL database of its own, dropped afterwards."""
    name = f"parley_test_{random_id()}"
    try:
        on_server(f"CREATE DATABASE {name}")
    except (OSError, asyncpg.PostgresError) as error:
        pytest.skip(f"PostgreSQL IS NOT TESTED: none at {SERVER['host']}:{SERVER['port']} ({error!r})")
    yield f"postgresql+asyncpg://{SERVER['user']}@{SERVER['host']}:{SERVER['port']}/{name}"
    on_server(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'parley.db'}"
    url: str = request.getfixturevalue("server_url")
    on_server("DROP SCHEMA public CASCADE; CREATE SCHEMA public", url.rpartition("/")[2])
    return url


@pytest.fixture
async def empty(url: str) -> AsyncGenerator[Database]:
    """A database without tables."""
    database = Database(url)
    yield database
    await database.close()


@pytest.fixture
async def database(empty: Database) -> Database:
    """A database with all tables."""
    await schema.migrate(empty)
    return empty


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncGenerator[Database]:
    """SQLite with all tables, where only SQLite is meant."""
    database = Database(f"sqlite:///{tmp_path / 'parley.db'}")
    await schema.migrate(database)
    yield database
    await database.close()
