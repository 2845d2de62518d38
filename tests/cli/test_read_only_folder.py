"""Tests of a data folder in which nothing can be written: it can be exported and verified."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from parley.application import open_application
from parley.settings import DATABASE_FILE, Settings
from parley.storage.read_only import is_read_only
from tests.fakes.commands import runner
from tests.fakes.databases import in_own_loop

NOBODY_ID = 65_534


@contextmanager
def as_nobody() -> Generator[None]:
    """Let root, which may write everywhere, be somebody who may not."""
    root = os.name != "nt" and os.geteuid() == 0
    if root:
        os.seteuid(NOBODY_ID)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def data() -> Generator[Path]:
    """A data folder of an installation, which nobody may write."""
    folder = Path(mkdtemp(prefix="parley-test-"))

    async def start() -> None:
        async with open_application(Settings(data_dir=folder / "data")):
            pass

    in_own_loop(start())
    yield folder / "data"
    for path in folder.rglob("*"):
        path.chmod(0o777)
    shutil.rmtree(folder)


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_folder_that_can_only_be_read_is_verified_and_exported(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = Path(mkdtemp(prefix="parley-test-"))
    outside.chmod(0o777)
    run = runner(outside, monkeypatch, blank=True)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(data))

    def results() -> list[str]:
        export = ("votes", "export", "votes.csv", "--overwrite")
        commands = (("audit", "verify"), export, ("sessions", "list", "--json"))
        return [run(*command).stdout for command in commands]

    whole = results()  # also loads the libraries, which nobody may be unable to read
    (outside / "votes.csv").unlink()
    for path in (data, data.parent, *data.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(path.name for path in data.iterdir())
    with as_nobody():
        assert is_read_only(data / DATABASE_FILE)
        assert results() == whole
        assert "reachable" in run("doctor", status=None).stdout
    assert sorted(path.name for path in data.iterdir()) == before
    shutil.rmtree(outside)
