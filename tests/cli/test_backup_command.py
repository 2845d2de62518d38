"""`parley backup` and `parley restore` as a person runs them."""

import asyncio
import random
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from parley.settings import DATABASE_FILE
from tests.cli.test_audit_command import _fill
from tests.fakes.commands import Done, carry_out


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with three votes, an attachment and a secret, and files that are not Parley's."""
    folder = tmp_path / "data"
    attachment = folder / "attachments" / "own" / "ab" / "abcd"
    attachment.parent.mkdir(parents=True)
    attachment.write_bytes(bytes(range(256)) * 40)
    (folder / "secret.key").write_text("a secret")
    (folder / "parley.lock").touch()
    (folder / "holiday.jpg").write_text("not Parley's")
    asyncio.run(_fill(folder / DATABASE_FILE))
    return folder


@pytest.fixture
def file(data: Path, tmp_path: Path) -> Path:
    assert carry_out("backup", str(tmp_path / "backup.zip"), "--data-dir", str(data)).status == 0
    return tmp_path / "backup.zip"


def restore(file: Path, to: Path) -> Done:
    return carry_out("restore", str(file), "--data-dir", str(to))


def votes_of(database: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT * FROM votes ORDER BY seq").fetchall()


def test_a_backup_is_restored_whole_elsewhere(data: Path, file: Path, tmp_path: Path) -> None:
    done = restore(file, tmp_path / "new" / "data")
    assert (done.status, "The audit log is valid" in done.stdout) == (0, True), done.stderr
    new = tmp_path / "new" / "data"
    assert sorted(path.name for path in new.iterdir()) == ["attachments", "parley.db", "secret.key"]
    assert votes_of(new / DATABASE_FILE) == votes_of(data / DATABASE_FILE)
    for name in ("attachments/own/ab/abcd", "secret.key"):
        assert (new / name).read_bytes() == (data / name).read_bytes()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (file, *new.rglob("*"), new)]
    assert all(mode & 0o077 == 0 for mode in modes)


def test_what_is_written_meanwhile_is_in_it_whole_or_not_at_all(data: Path, tmp_path: Path) -> None:
    shutil.copy(data / DATABASE_FILE, tmp_path / "before.db")
    written, stopped = threading.Event(), threading.Event()

    def write() -> None:
        with closing(sqlite3.connect(data / DATABASE_FILE, isolation_level=None, timeout=20)) as connection:
            connection.execute("CREATE TABLE pairs (one INTEGER, two INTEGER)")
            number = 0
            while not stopped.is_set():
                number += 1
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("INSERT INTO pairs VALUES (?, 0)", (number,))
                connection.execute("UPDATE pairs SET two = one WHERE one = ?", (number,))
                connection.execute("COMMIT")
                written.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert written.wait(20)
        for number in range(3):
            done = carry_out("backup", str(tmp_path / f"{number}.zip"), "--data-dir", str(data))
            assert done.status == 0, done.stderr
    finally:
        stopped.set()
        writer.join()
    for number in range(3):
        new = tmp_path / f"restored-{number}"
        assert restore(tmp_path / f"{number}.zip", new).status == 0
        with closing(sqlite3.connect(new / DATABASE_FILE)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            count, torn = connection.execute("SELECT count(*), sum(one <> two) FROM pairs").fetchone()
            assert count > 0
            assert torn == 0


def test_a_backup_with_one_flipped_bit_is_refused(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(7)
    places = [
        *chance.sample(range(len(whole)), 30),
        0,
        *range(len(whole) - 90, len(whole), 8),
        len(whole) - 1,
    ]
    for place in places:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        file.write_bytes(damaged)
        done = restore(file, tmp_path / "new")
        assert done.status != 0, place
        assert "can't be used" in done.stderr
        assert not (tmp_path / "new").exists()
    file.write_bytes(whole)
    assert restore(file, tmp_path / "new").status == 0


@pytest.mark.parametrize("content", [b"", b"PK", b"x" * 500])
def test_another_file_is_refused(content: bytes, file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    for bad in (content, whole[: len(whole) // 2], whole + content[:1] + b"x"):
        file.write_bytes(bad)
        assert "can't be used" in restore(file, tmp_path / "new").stderr


def test_a_folder_with_anything_in_it_is_left_alone(file: Path, data: Path) -> None:
    before = sorted(data.rglob("*"))
    done = restore(file, data)
    assert done.status != 0
    assert "is not empty" in done.stderr
    assert sorted(data.rglob("*")) == before


def test_a_backup_that_fails_leaves_the_earlier_one(
    file: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("parley.storage.backup._add_files", full)
    done = carry_out("backup", str(file), "--data-dir", str(data))
    assert (done.status != 0, "No space left on device" in done.stderr) == (True, True)
    assert file.read_bytes() == whole
    assert [path.name for path in file.parent.iterdir() if path.name.startswith("backup")] == ["backup.zip"]


def test_without_sqlite_the_way_is_named(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = carry_out("backup", str(tmp_path / "b.zip"), "--data-dir", str(tmp_path / "none"))
    assert "There is no database at" in empty.stderr
    monkeypatch.setenv("PARLEY_DATABASE_URL", "postgresql://nobody@127.0.0.1/none")
    done = carry_out("backup", str(tmp_path / "b.zip"), "--data-dir", str(data))
    assert "pg_dump" in done.stderr
