"""Tests of files in a bucket over HTTP: asked about, served in parts, moved there, deleted, backed up and restored."""

import asyncio
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from parley.features.attachments.repository import AttachmentsRepository
from parley.features.attachments.service import AttachmentsService
from parley.features.library.repository import LibraryRepository
from parley.storage.database import Database
from tests.api.test_attachments import MODELS, a_picture, named, upload
from tests.fakes.buckets import Buckets, an_s3_server
from tests.fakes.commands import carry_out
from tests.fakes.running import RunningParley, a_running_parley

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture(scope="module")
def s3() -> Generator[Buckets]:
    with an_s3_server() as buckets:
        yield buckets


def stored_at(tmp_path: Path, **more: Any) -> dict[str, Any]:
    """Return settings with a database of the test's own in its data folder."""
    return {"models": MODELS, "database_url": f"sqlite:///{tmp_path}/data/parley.db", **more}


def here(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "data" / "attachments").rglob("*") if path.is_file()]


async def settled(parley: RunningParley) -> None:
    for _ in range(2):
        await parley.application[AttachmentsService].settle()


async def whole(parley: RunningParley, file: dict[str, Any]) -> bytes:
    return (await parley.client.get(f"/api/attachments/{file['sha256']}")).content


async def test_a_file_in_a_bucket_is_asked_about_served_in_parts_and_deleted(
    s3: Buckets, tmp_path: Path
) -> None:
    async with a_running_parley(tmp_path, **stored_at(tmp_path, files_url="s3://pictures/asked")) as parley:
        file = await upload(parley, b"0123456789", "digits.txt")
        shutil.rmtree(tmp_path / "data" / "attachments" / "cache")
        turn = await parley.chat("What is this?", attachments=[named(file)])
        assert turn["status"] == "completed"
        assert "0123456789" in str(parley.upstream.requests[0].json)
        part = await parley.client.get(f"/api/attachments/{file['sha256']}", headers={"Range": "bytes=2-4"})
        assert (part.status_code, part.content) == (206, b"234")
        assert len(s3.keys("pictures", "asked")) == 1
        await parley.client.delete("/api/data?confirm=delete")
        assert s3.keys("pictures", "asked") == []
    assert here(tmp_path) == []


async def test_a_picture_of_the_library_is_in_the_bucket_until_its_space_is_freed(
    s3: Buckets, tmp_path: Path
) -> None:
    async with a_running_parley(tmp_path, **stored_at(tmp_path, files_url="s3://pictures/library")) as parley:
        answer = await parley.client.post(
            "/api/library",
            params={"name": "cat.png"},
            content=a_picture(),
            headers={"Content-Type": "application/octet-stream"},
        )
        asset = answer.json()
        assert len(s3.keys("pictures", "library")) == 2, "the picture and its thumbnail"
        shutil.rmtree(tmp_path / "data" / "attachments" / "cache")
        thumbnail = await parley.client.get(f"/api/attachments/{asset['sha256']}/thumbnail")
        assert (thumbnail.status_code, thumbnail.headers["content-type"]) == (200, "image/webp")
        assert (await parley.client.get(f"/api/library/{asset['id']}/content")).content.startswith(b"\x89PNG")

        await parley.client.delete(f"/api/library/{asset['id']}")
        now = parley.application[AttachmentsService]._now()
        later = now + timedelta(days=8)
        await parley.application[Database].write(lambda it: LibraryRepository(it).purge(later))
        await parley.application[Database].write(lambda it: AttachmentsRepository(it).drop(later, now))
        unused = await parley.get("/api/files/unused")
        assert (unused["files"], len(s3.keys("pictures", "library"))) == (2, 2), "a preview removes nothing"
        assert (await parley.client.delete("/api/files/unused?days=0")).json() == unused
        assert s3.keys("pictures", "library") == []


async def test_files_of_the_data_folder_move_to_the_bucket(s3: Buckets, tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, **stored_at(tmp_path)) as parley:
        picture = await upload(parley, a_picture(), "cat.png")
        before = await whole(parley, picture)
    async with a_running_parley(tmp_path, **stored_at(tmp_path, files_url="s3://pictures/moved")) as parley:
        await settled(parley)
        assert len(s3.keys("pictures", "moved")) == 2, "the picture and its thumbnail"
        assert {path.relative_to(tmp_path / "data" / "attachments").parts[0] for path in here(tmp_path)} == {
            "cache"
        }
        assert await whole(parley, picture) == before


async def test_a_backup_has_the_files_of_the_bucket_and_its_copy_deletes_none_of_them(
    s3: Buckets, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLEY_FILES_URL", "s3://pictures/backed")
    url = "s3://pictures/backed"
    async with a_running_parley(tmp_path, **stored_at(tmp_path, files_url=url)) as parley:
        picture = await upload(parley, a_picture(), "cat.png")
        before = await whole(parley, picture)
    files = s3.keys("pictures", "backed")
    data, file = tmp_path / "data", tmp_path / "backup.zip"
    shutil.rmtree(data / "attachments")
    assert (await asyncio.to_thread(carry_out, "backup", str(file), "--data-dir", str(data))).status == 0
    shutil.rmtree(data)
    done = await asyncio.to_thread(carry_out, "restore", str(file), "--data-dir", str(data))
    assert done.status == 0, done.stderr
    with closing(sqlite3.connect(data / "parley.db")) as connection:
        (folder,) = connection.execute("SELECT name FROM blob_folders").fetchone()
    assert folder not in files[0]
    async with a_running_parley(tmp_path, **stored_at(tmp_path, files_url=url)) as parley:
        assert await whole(parley, picture) == before
        await settled(parley)
        assert len(s3.keys("pictures", "backed")) == 4
        await parley.client.delete("/api/data?confirm=delete")
    assert s3.keys("pictures", "backed") == files


def test_a_bucket_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, s3: Buckets
) -> None:
    monkeypatch.setenv("PARLEY_FILES_URL", "s3://none/of-it")
    done = carry_out("doctor", "--data-dir", str(tmp_path))
    assert "The files at s3://none/of-it can't be reached" in done.stdout
    assert "NoSuchBucket" in done.stdout
    s3.make("none")
    assert "s3://none/of-it, can be written" in carry_out("doctor", "--data-dir", str(tmp_path)).stdout
