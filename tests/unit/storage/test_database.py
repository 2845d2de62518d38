"""Tests of the database: one writer, readers that do not wait, and trouble in words."""

import asyncio
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from parley.kernel.errors import Unavailable
from parley.storage import database as databases
from parley.storage.database import Database, DatabaseBusy
from parley.storage.folder_lock import lock_folder
from parley.storage.tables.conversations import User

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_user(user_id: str) -> User:
    return User(id=user_id, voter_id=f"voter-{user_id}", name="Somebody", created_at=NOW)


async def count(database: Database) -> int:
    async with database.read() as session:
        return len((await session.scalars(select(User.id))).all())


async def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    async def add_and_fail() -> None:
        async with database.write() as session:
            session.add(a_user("a"))
            await session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await add_and_fail()
    assert await count(database) == 0
    async with database.write() as session:
        session.add(a_user("a"))
    assert await count(database) == 1


async def test_mistakes_are_not_called_busy(database: Database) -> None:
    async with database.write() as session:
        session.add(a_user("a"))
    with pytest.raises(IntegrityError):
        async with database.write() as session:
            session.add(a_user("a"))
    with pytest.raises((OperationalError, ProgrammingError)):
        async with database.read() as session:
            await session.execute(text("SELECT 1 FROM nowhere"))
    with pytest.raises((OperationalError, ProgrammingError)):
        async with database.write() as session:
            await session.execute(text("SELEKT 1"))
    await database.ping()


async def test_readers_do_not_wait_for_the_writer_and_see_only_what_is_committed(database: Database) -> None:
    async with database.write() as session:
        session.add(a_user("a"))
        await session.flush()
        async with asyncio.timeout(2):
            assert await count(database) == 0
            await asyncio.gather(*(database.ping() for _ in range(20)))
    assert await count(database) == 1


async def test_writers_take_turns(database: Database) -> None:
    async def add(number: int) -> None:
        async with database.write() as session:
            before = len((await session.scalars(select(User.id))).all())
            await asyncio.sleep(0.001)
            session.add(a_user(f"{before:02}-{number:02}"))

    await asyncio.gather(*(add(number) for number in range(12)))
    async with database.read() as session:
        users = sorted((await session.scalars(select(User.id))).all())
    assert len(users) == 12
    if database.is_sqlite:
        assert [user.split("-")[0] for user in users] == [f"{number:02}" for number in range(12)]


async def test_times_come_back_in_utc(database: Database) -> None:
    async with database.write() as session:
        session.add(a_user("a"))
    async with database.read() as session:
        user = await session.get_one(User, "a")
    assert user.created_at == NOW
    assert user.created_at.tzinfo is not None
    with pytest.raises(Exception, match="zone"):
        async with database.write() as session:
            session.add(User(id="b", voter_id="b", name="b", created_at=NOW.replace(tzinfo=None)))


async def test_a_reader_of_sqlite_cannot_write(sqlite: Database) -> None:
    with pytest.raises(Unavailable):
        async with sqlite.read() as session:
            await session.execute(text("DELETE FROM users"))


async def test_sqlite_is_durable_and_checks_references(sqlite: Database) -> None:
    async with sqlite.write() as session:
        for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert (await session.execute(text(f"PRAGMA {pragma}"))).scalar() == value


async def test_a_locked_database_is_busy_in_words_and_recovers(
    tmp_path: Path, sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "BUSY_MS", 100)
    impatient = Database(str(sqlite.url))
    other = sqlite3.connect(tmp_path / "parley.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseBusy) as caught:
        async with impatient.write() as session:
            session.add(a_user("a"))
    assert (caught.value.leaf_code, caught.value.retry_after_s) == ("database_busy", 3)
    assert await count(impatient) == 0, "reading goes on"
    other.execute("ROLLBACK")
    other.close()
    async with impatient.write() as session:
        session.add(a_user("a"))
    assert await count(impatient) == 1
    await impatient.close()


async def test_a_full_disk_is_busy_in_words_and_recovers(sqlite: Database) -> None:
    async with sqlite.write() as session:
        pages = (await session.execute(text("PRAGMA page_count"))).scalar()
        await session.execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(DatabaseBusy):
        async with sqlite.write() as session:
            session.add_all([a_user(f"{number}") for number in range(5000)])
    assert await count(sqlite) == 0
    async with sqlite.write() as session:
        await session.execute(text("PRAGMA max_page_count=1000000"))
        session.add(a_user("a"))
    assert await count(sqlite) == 1


async def test_a_server_that_is_down_is_busy_in_words() -> None:
    nobody = Database("postgresql+asyncpg://postgres@127.0.0.1:1/none")
    for door in (nobody.read, nobody.write):
        with pytest.raises(DatabaseBusy):
            async with door() as session:
                await session.execute(text("SELECT 1"))
    await nobody.close()


async def test_a_server_that_cuts_the_connection_is_busy_and_recovers(server_url: str) -> None:
    database = Database(server_url)
    with pytest.raises(DatabaseBusy):
        async with database.write() as session:
            await session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    await database.ping()
    await database.close()


def test_one_parley_per_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        with pytest.raises(Unavailable) as caught, lock_folder(tmp_path):
            pass
        assert caught.value.leaf_code == "folder_locked"
    with lock_folder(tmp_path):
        pass
