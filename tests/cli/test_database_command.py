"""`parley database copy` as a person runs it: from SQLite to PostgreSQL."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import func, select

from parley.application import built_in_tables
from parley.cli.databases import Copied, copy_to
from parley.kernel.errors import Unavailable
from parley.settings import DATABASE_FILE, Settings
from parley.storage import schema
from parley.storage.database import Database
from parley.storage.tables.attachments import BlobFolderRow
from tests.cli.test_audit_command import _fill
from tests.fakes.commands import carry_out
from tests.fakes.databases import Kind, a_blank_database

pytestmark = pytest.mark.databases("postgresql")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with three votes and an attachment."""
    folder = tmp_path / "data"
    folder.mkdir()
    asyncio.run(_fill(folder / DATABASE_FILE))
    database = Database(f"sqlite:///{folder / DATABASE_FILE}")

    async def name() -> None:
        await database.write(lambda transaction: transaction.insert(BlobFolderRow("old")))
        await database.close()

    asyncio.run(name())
    (folder / "attachments" / "old" / "ab").mkdir(parents=True)
    (folder / "attachments" / "old" / "ab" / "abcd").write_bytes(b"a picture")
    return folder


async def copy(data: Path, to: str) -> Copied:
    return await copy_to(Settings(data_dir=data), to, lambda _words, _share: None)


async def rows_of(url: str) -> dict[str, int]:
    database = Database(Settings(database_url=url).database_url)
    tables = schema.all_tables(built_in_tables())
    counts = await database.read(
        lambda transaction: {
            each.name: transaction.execute(select(func.count()).select_from(each)).scalar() or 0
            for each in tables
        }
    )
    await database.close()
    return counts


async def test_a_copy_has_every_row_and_a_folder_of_its_own(stored_in: Kind, data: Path) -> None:
    async with a_blank_database() as url:
        copied = await copy(data, url)
        assert (copied.audit_holds, copied.files) == (True, 1)
        assert await rows_of(url) == await rows_of(f"sqlite:///{data / DATABASE_FILE}")
        folders = sorted(path.name for path in (data / "attachments").iterdir())
        assert len(folders) == 2
        assert "old" in folders
        assert len(list((data / "attachments").rglob("abcd"))) == 2
        with pytest.raises(Unavailable, match="has tables of Parley already"):
            await copy(data, url)


async def test_a_copy_that_fails_leaves_the_new_database_empty(
    stored_in: Kind, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError("the disk is full")

    async with a_blank_database() as url:
        monkeypatch.setattr("parley.storage.copying._continue_counting", broken)
        with pytest.raises(OSError, match="the disk is full"):
            await copy(data, url)
        database = Database(Settings(database_url=url).database_url)
        assert await schema.current_revision(database) is None
        await database.close()


def test_only_postgresql_is_copied_to(data: Path) -> None:
    done = carry_out("database", "copy", "--data-dir", str(data), "--to", "mysql://x")
    assert done.status != 0
    assert "must begin with postgresql://" in done.stderr
