"""A running Parley for every test of the HTTP door, on SQLite or the kinds of databases that a test is marked for."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.fakes.databases import Kind, a_blank_database, with_driver
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture(autouse=True)
def on_its_database(stored_in: Kind) -> Kind:
    return stored_in


@pytest.fixture
async def url(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[str]:
    """The address of a database that outlives its server."""
    if stored_in == "sqlite":
        yield f"sqlite:///{tmp_path / 'kept.db'}"
        return
    async with a_blank_database() as url:
        yield with_driver(url)


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path) as running:
        yield running
