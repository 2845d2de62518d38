"""A Parley with models to compare."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.browser.compare.comparing import MODELS
from tests.browser.servers import Served, serve
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture
def bench(upstream: ScriptedUpstream, tmp_path: Path) -> Generator[Served]:
    """A server with four models; the first three are compared at once."""
    for name in MODELS:
        upstream.reply(f"First word of {name}. ", "Tea is older.", model=name)
    with serve(tmp_path / "data", write_models(tmp_path / "models.yaml", upstream.url, MODELS)) as served:
        yield served
