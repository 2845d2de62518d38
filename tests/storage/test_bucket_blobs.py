"""Tests of blobs in a bucket of S3: of one database each, with copies at hand, and none lost while it is away."""

import time
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from parley.kernel.errors import NotFound, Unavailable
from parley.storage import bucket_blobs
from parley.storage.blobs import digest
from parley.storage.bucket_blobs import BucketBlobs, open_blobs
from tests.fakes.buckets import Buckets, an_s3_server

LATER = datetime.fromtimestamp(time.time(), UTC) + timedelta(days=1)


@pytest.fixture(scope="module", autouse=True)
def s3() -> Generator[Buckets]:
    with an_s3_server() as buckets:
        yield buckets


def blobs_at(url: str, data: Path, name: str) -> BucketBlobs:
    """Return the blobs of a database on a computer with this data folder."""
    blobs = open_blobs(data, url)
    assert isinstance(blobs, BucketBlobs)
    blobs.use(name)
    return blobs


def stored(blobs: BucketBlobs, folder: Path, content: bytes) -> str:
    path = folder / "new"
    path.write_bytes(content)
    sha256 = digest(path)
    blobs.store(path, sha256)
    return sha256


@pytest.mark.parametrize("where", ["s3://pictures/kept", "file://{folder}/far"])
async def test_another_database_reads_a_file_and_never_deletes_it(where: str, tmp_path: Path) -> None:
    url = where.format(folder=tmp_path)
    first = blobs_at(url, tmp_path / "one", "first")
    second = blobs_at(url, tmp_path / "two", "second")
    first.check()
    sha256 = stored(first, tmp_path, f"hello {where}".encode())
    assert await second.read(sha256) == f"hello {where}".encode()
    assert not second.remove(sha256, LATER)
    assert first.sizes([sha256, "ab" * 32]) == {sha256: 6 + len(where)}
    assert first.remove(sha256, LATER)
    assert first.sizes([sha256]) == {}
    assert first.find(sha256) is None


def test_a_file_is_stored_under_its_name_once(s3: Buckets, tmp_path: Path) -> None:
    blobs = blobs_at("s3://pictures/once", tmp_path, "own")
    sha256 = stored(blobs, tmp_path, b"once")
    place = f"once/own/{sha256[:2]}/{sha256}"
    assert s3.read("pictures", place) == b"once"
    s3.put("pictures", place, b"seen")
    assert stored(blobs, tmp_path, b"once") == sha256
    assert s3.read("pictures", place) == b"seen", "what was stored a moment ago is not sent again"


def test_a_file_that_was_stored_anew_stays(s3: Buckets, tmp_path: Path) -> None:
    blobs = blobs_at("s3://pictures/anew", tmp_path, "own")
    sha256 = stored(blobs, tmp_path, b"anew")
    assert not blobs.remove(sha256, datetime.fromtimestamp(time.time(), UTC) - timedelta(hours=1))
    assert s3.read("pictures", f"anew/own/{sha256[:2]}/{sha256}") == b"anew"


def test_a_damaged_file_is_not_served(s3: Buckets, tmp_path: Path) -> None:
    blobs = blobs_at("s3://pictures/damaged", tmp_path / "one", "own")
    sha256 = stored(blobs, tmp_path, b"whole")
    s3.put("pictures", f"damaged/own/{sha256[:2]}/{sha256}", b"other")
    with pytest.raises(NotFound, match="damaged"):
        blobs_at("s3://pictures/damaged", tmp_path / "two", "own").find(sha256)
    assert [path for path in (tmp_path / "two").rglob("*") if path.is_file()] == []


async def test_what_the_bucket_does_not_take_is_kept_here_until_it_does(s3: Buckets, tmp_path: Path) -> None:
    blobs = blobs_at("s3://later", tmp_path, "own")
    with pytest.raises(Unavailable, match=r"s3://later can't be reached: .*NoSuchBucket"):
        blobs.check()
    sha256 = stored(blobs, tmp_path, b"paid for")
    assert await blobs.read(sha256) == b"paid for"
    assert blobs.waiting() == [sha256]
    s3.make("later")
    blobs.settle(sha256)
    blobs.settle(sha256)
    assert blobs.waiting() == []
    assert s3.read("later", f"own/{sha256[:2]}/{sha256}") == b"paid for"


def test_copies_at_hand_take_limited_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket_blobs, "CACHE_BYTES", 25)
    monkeypatch.setattr(bucket_blobs, "FRESH_S", -1.0)
    blobs = blobs_at("s3://pictures/copies", tmp_path / "data", "own")
    files = [stored(blobs, tmp_path, f"content {number:2}".encode()) for number in range(5)]
    copies = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert len(copies) == 2
    found = [blobs.find(sha256) for sha256 in files]
    assert all(found), "the others are fetched again"


def test_a_copied_database_gets_the_same_files_in_its_own_folder(s3: Buckets, tmp_path: Path) -> None:
    blobs = blobs_at("s3://pictures/copied", tmp_path, "old")
    sha256 = stored(blobs, tmp_path, b"both")
    assert blobs.copy_folder("old", "new") == 1
    assert blobs.remove(sha256, LATER)
    assert s3.read("pictures", f"copied/new/{sha256[:2]}/{sha256}") == b"both"
    assert s3.read("pictures", f"copied/old/{sha256[:2]}/{sha256}") is None
