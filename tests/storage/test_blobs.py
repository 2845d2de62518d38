"""Tests of blobs: files of one database, which another database may read and never deletes."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from parley.storage.blobs import FolderBlobs, digest

NOW = datetime.fromtimestamp(time.time(), UTC)


def blobs_of(folder: Path, name: str) -> FolderBlobs:
    blobs = FolderBlobs(folder / "attachments")
    blobs.use(name)
    return blobs


def stored(blobs: FolderBlobs, folder: Path) -> str:
    path = folder / "new"
    path.write_bytes(b"hello")
    sha256 = digest(path)
    blobs.store(path, sha256)
    return sha256


async def test_a_file_of_another_database_is_read_and_never_deleted(tmp_path: Path) -> None:
    first, second = blobs_of(tmp_path, "first"), blobs_of(tmp_path, "second")
    sha256 = stored(first, tmp_path)
    assert await second.read(sha256) == b"hello"
    assert not second.remove(sha256, NOW + timedelta(days=1))
    assert first.remove(sha256, NOW + timedelta(days=1))


async def test_a_file_of_before_databases_had_folders_is_read(tmp_path: Path) -> None:
    sha256 = stored(blobs_of(tmp_path, ""), tmp_path)
    blobs = blobs_of(tmp_path, "first")
    assert await blobs.read(sha256) == b"hello"
    assert not blobs.remove(sha256, NOW + timedelta(days=1))


def test_a_file_that_was_stored_anew_stays(tmp_path: Path) -> None:
    blobs = blobs_of(tmp_path, "first")
    sha256 = stored(blobs, tmp_path)
    assert not blobs.remove(sha256, NOW - timedelta(days=1))
    assert blobs.find(sha256) is not None
