"""Tests of the permissions of everything in a data folder."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from parley.application import open_application
from parley.settings import Settings
from parley.storage.private import tighten

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")


@pytest.fixture(autouse=True)
def wide_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    paths = (folder, *folder.rglob("*"))
    return {str(path.relative_to(folder)): f"{path.stat().st_mode & 0o777:o}" for path in paths}


def wide(folder: Path) -> dict[str, str]:
    return {name: mode for name, mode in modes(folder).items() if mode not in ("700", "600")}


async def test_all_that_a_start_creates_is_for_its_owner_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "data"
    async with open_application(Settings(data_dir=folder)):
        (folder / "attachments" / "child").mkdir(parents=True)
        (folder / "export.csv").touch()
        assert {"parley.db", "parley.db-wal", "parley.db-shm", "parley.lock"} <= modes(folder).keys()
        assert wide(folder) == {}
    assert wide(folder) == {}
    assert os.umask(0) == 0


async def test_a_wider_folder_of_an_earlier_version_is_tightened_at_the_start(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    async with open_application(Settings(data_dir=folder)):
        pass
    (folder / "attachments" / "ab").mkdir(parents=True)
    (folder / "attachments" / "ab" / "file").touch()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o644)
    async with open_application(Settings(data_dir=folder)):
        assert wide(folder) == {}


def test_a_home_keeps_its_permissions_and_files_that_are_not_parleys_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "parley.db").touch(0o644)
    (tmp_path / "notes.txt").touch(0o644)
    tmp_path.chmod(0o755)
    with caplog.at_level(logging.WARNING):
        tighten(tmp_path, tmp_path / "parley.db")
    assert wide(tmp_path) == {".": "755", "notes.txt": "644"}
    assert "Others can see the names" in caplog.text


def test_a_database_elsewhere_is_tightened_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(0o700)
    (tmp_path / "elsewhere").mkdir(0o755)
    file = tmp_path / "elsewhere" / "own.db"
    file.touch(0o644)
    tighten(tmp_path / "data", file)
    assert modes(tmp_path / "elsewhere") == {".": "755", "own.db": "600"}
