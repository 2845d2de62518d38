"""A running Parley for every test of the HTTP door."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.fakes.house import RunningParley, a_running_parley


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path) as running:
        yield running
