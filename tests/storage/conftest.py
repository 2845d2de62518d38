"""Databases for the tests of storage: SQLite in a file always, PostgreSQL where it can be had."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from parley.storage.database import Database
from tests.fakes.databases import Kind, a_blank_database, a_migrated_database, with_driver


@pytest.fixture
async def server_url() -> AsyncGenerator[str]:
    """A PostgreSQL database of its own, dropped afterwards."""
    async with a_blank_database() as url:
        yield with_driver(url)


@pytest.fixture
async def empty(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[Database]:
    """A database without tables."""
    if stored_in == "sqlite":
        database = Database(f"sqlite:///{tmp_path / 'parley.db'}")
        yield database
        await database.close()
        return
    async with a_blank_database() as url:
        database = Database(with_driver(url))
        yield database
        await database.close()


@pytest.fixture
async def database(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[Database]:
    """A database with all tables."""
    async with a_migrated_database(stored_in, tmp_path) as database:
        yield database


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncGenerator[Database]:
    """SQLite with all tables, where only SQLite is meant."""
    async with a_migrated_database("sqlite", tmp_path) as database:
        yield database
