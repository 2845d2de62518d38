"""A database with empty tables, of the kind that is being tested."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from parley.storage.database import Database
from tests.fakes.databases import Kind, a_migrated_database


@pytest.fixture
async def database(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[Database]:
    async with a_migrated_database(stored_in, tmp_path) as database:
        yield database
