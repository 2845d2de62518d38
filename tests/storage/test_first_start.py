"""Tests of the first start: a lost database is told from one that has never been, and a kill leaves no trap."""

import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from parley.application import built_in_tables
from parley.kernel.errors import Unavailable
from parley.storage import first_start, schema
from parley.storage.database import Database
from parley.storage.first_start import BESIDE, MARKER_FILE, TRACES, check_not_lost, prepare

FILE = "parley.db"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def listed(data: Path) -> list[tuple[str, int]]:
    return sorted((it.name, it.lstat().st_size) for it in data.iterdir())


def stored_at(path: Path) -> Database:
    return Database(f"sqlite:///{path}")


async def start(data: Path, path: Path | None = None) -> None:
    database = stored_at(path or data / FILE)
    try:
        await prepare(data, database, built_in_tables())
        assert await schema.current_revision(database) == schema.HEAD
    finally:
        await database.close()


async def refused(data: Path, path: Path | None = None) -> Unavailable:
    """Return what is said of a lost database, by a start and by who only reads; nothing is changed."""
    before = listed(data)
    for door in (partial(prepare, rows=built_in_tables()), check_not_lost):
        database = stored_at(path or data / FILE)
        with pytest.raises(Unavailable) as caught:
            await door(data, database)
        await database.close()
        assert caught.value.leaf_code == "database_lost"
    assert listed(data) == before
    return caught.value


async def test_a_database_that_is_gone_is_not_replaced(data: Path) -> None:
    await start(data)
    (data / FILE).unlink()
    error = await refused(data)
    assert "is missing" in error.title
    assert MARKER_FILE in error.title
    assert "backup" in (error.detail or "")
    assert "--data-dir" in (error.detail or "")


async def test_a_database_without_a_byte_is_not_filled(data: Path) -> None:
    await start(data)
    (data / FILE).write_bytes(b"")
    assert "is empty" in (await refused(data)).title


async def test_a_database_without_tables_is_not_filled(data: Path) -> None:
    await start(data)
    (data / FILE).unlink()
    with closing(sqlite3.connect(data / FILE)) as other:
        other.execute("pragma journal_mode=wal").fetchall()
        other.execute("create table other (a)")
    assert "is empty" in (await refused(data)).title


@pytest.mark.parametrize("name", [*TRACES, *(FILE + end for end in BESIDE), f"{FILE}.bak"])
@pytest.mark.parametrize("empty", [False, True])
async def test_whatever_an_installation_leaves_speaks_of_it(data: Path, name: str, empty: bool) -> None:
    (data / name).write_text("something")
    if empty:
        (data / FILE).touch()
    assert name in (await refused(data)).title


async def test_a_link_to_a_disk_that_is_not_there_is_not_replaced(data: Path, tmp_path: Path) -> None:
    (data / FILE).symlink_to(tmp_path / "not mounted" / FILE)
    assert "link" in (await refused(data)).title


async def test_a_database_elsewhere_is_missed_too(data: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    await start(data, disk / FILE)
    shutil.rmtree(disk)
    disk.mkdir()
    await refused(data, disk / FILE)


async def test_what_a_person_lays_ready_is_no_trace(data: Path) -> None:
    for name in ("models.yaml", "parley.yaml", "parley.lock", ".env", "notes.txt"):
        (data / name).touch()
    (data / FILE).touch()
    await start(data)


async def test_an_installation_of_an_earlier_version_gets_its_marker(data: Path) -> None:
    database = stored_at(data / FILE)
    await schema.migrate(database, built_in_tables())
    await database.close()
    (data / "voters.salt").touch()
    await start(data)
    assert FILE in (data / MARKER_FILE).read_text("utf-8")


async def test_a_backup_put_in_place_is_taken(data: Path, tmp_path: Path) -> None:
    await start(data)
    shutil.move(data / FILE, tmp_path / "backup.db")
    await refused(data)
    shutil.move(tmp_path / "backup.db", data / FILE)
    await start(data)


async def test_what_a_killed_first_start_left_is_made_anew(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(Exception):
        pass

    def kill(*_: object) -> None:
        raise Killed

    for place in ("_sync", "_mark"):
        with monkeypatch.context() as patched:
            patched.setattr(first_start, place, kill)
            with pytest.raises(Killed):
                await start(data)
        await start(data)
        shutil.rmtree(data)
        data.mkdir()  # noqa: ASYNC240
    for end in ("", *BESIDE):
        (data / f"{FILE}.new{end}").write_bytes(b"torn")
    await start(data)
    assert not [name for name, _ in listed(data) if ".new" in name]
