"""Commands carried out in this process, with models whose server is scripted."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.commands import Run, runner
from tests.fakes.running import write_models
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    server = ScriptedUpstream.start_in_thread()
    yield server
    server.stop_thread()


@pytest.fixture
def command(tmp_path: Path, upstream: ScriptedUpstream, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carry out a command of a person with three models; return what it printed."""
    call = runner(tmp_path, monkeypatch)
    models = write_models(tmp_path / "models.yaml", upstream.url, ["ada", "bob", "cleo"])
    monkeypatch.setenv("PARLEY_MODELS", str(models))
    monkeypatch.setenv("PARLEY_DEMO_MODELS", "off")
    monkeypatch.setenv("PARLEY_BATTLE_PACING", "natural")
    return call


@pytest.fixture
def run(command: Run) -> Callable[..., Any]:
    """Carry out a command; return its whole output, or the document that it printed."""

    def call(*arguments: str, status: int = 0) -> Any:
        done = command(*arguments, status=status)
        return msgspec.json.decode(done.stdout) if "--json" in arguments else done.stdout + done.stderr

    return call
