"""A running Parley for every test of the HTTP door, on every kind of database."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.fakes.databases import Kind
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture(autouse=True)
def on_every_database(stored_in: Kind) -> Kind:
    return stored_in


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path) as running:
        yield running
