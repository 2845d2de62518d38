"""Databases with all tables, of both kinds."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from parley.storage import schema
from parley.storage.database import Database
from tests.fakes.databases import Kind, an_empty_database, with_driver


@pytest.fixture
async def database(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[Database]:
    """A database with all tables."""
    async with an_empty_database(stored_in) as url:
        database = Database(with_driver(url) if url else f"sqlite:///{tmp_path / 'parley.db'}")
        await schema.migrate(database)
        yield database
        await database.close()
