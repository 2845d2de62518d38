"""Commands carried out in this process, with models whose server is scripted."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from parley.cli.app import app
from parley.kernel.errors import ParleyError
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    server = ScriptedUpstream.start_in_thread()
    yield server
    server.stop_thread()


@pytest.fixture
def run(tmp_path: Path, upstream: ScriptedUpstream, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Carry out a command in this process; return its output, or what the error says."""
    for name in [name for name in os.environ if name.startswith("PARLEY_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    models = write_models(tmp_path / "models.yaml", upstream.url, ["ada", "bob", "cleo"])
    for name, value in {"DATA_DIR": tmp_path / "data", "MODELS": models, "DEMO_MODELS": "off"}.items():
        monkeypatch.setenv(f"PARLEY_{name}", str(value))
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, status: int = 0) -> Any:
        done = CliRunner().invoke(app, [*arguments])
        error, code = done.stderr, done.exit_code
        if isinstance(done.exception, ParleyError):
            error, code = f"{done.stderr}{done.exception} {done.exception.detail}", 2
        assert code == status, (done.stdout, error, done.exception)
        return done.stdout + error if "--json" not in arguments else msgspec.json.decode(done.stdout)

    return call
