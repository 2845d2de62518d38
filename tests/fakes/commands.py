"""Commands as a person runs them, in this process."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from parley.cli.app import app
from parley.kernel.errors import ParleyError

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'parley'; from parley.cli import main; main()"]
"""Starts `parley` in a process of its own, as the installed command does."""


class Done(NamedTuple):
    """What a command said."""

    stdout: str
    stderr: str


Run = Callable[..., Done]


def runner(folder: Path, monkeypatch: pytest.MonkeyPatch, *group: str) -> Run:
    """Return what carries out a group's commands, in a folder and with its own data, and checks the exit code."""
    for name in [name for name in os.environ if name.startswith("PARLEY_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(folder / "data"))
    monkeypatch.chdir(folder)

    def call(*arguments: str, status: int = 0) -> Done:
        done = CliRunner().invoke(app, [*group, *arguments])
        error, code = done.stderr, done.exit_code
        if isinstance(done.exception, ParleyError):
            error, code = f"{done.exception} {done.exception.detail}", 2
        assert code == status, (error, done.exception)
        return Done(done.stdout, error)

    return call
