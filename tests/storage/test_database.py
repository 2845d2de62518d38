"""Tests of the database: one writer, readers that do not wait, and trouble in words."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError as ServerIntegrityError
from sqlalchemy.exc import OperationalError, ProgrammingError

from parley.kernel.errors import Unavailable
from parley.kernel.ids import random_id
from parley.storage import sqlite_store
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy
from parley.storage.folder_lock import LOCK_FILE, lock_folder
from parley.storage.server_lock import lock_database
from parley.storage.tables.conversations import UserRow
from tests.fakes.databases import ON_EVERY_KIND

pytestmark = ON_EVERY_KIND

CLASHES = (sqlite3.IntegrityError, ServerIntegrityError)
"""A row that clashes with another, by the driver that found it."""

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def a_user(user_id: str) -> UserRow:
    return UserRow(id=user_id, voter_id=f"voter-{user_id}", name="Somebody", created_at=NOW)


def adding(*user_ids: str) -> Callable[[Transaction], None]:
    return lambda session: session.insert(*(a_user(user_id) for user_id in user_ids))


def executing(statement: str) -> Callable[[Transaction], object]:
    return lambda session: session.execute(text(statement)).scalar()


async def users(database: Database) -> list[str]:
    return await database.read(lambda session: sorted(session.scalars(select(UserRow.c.id))))


async def test_a_transaction_is_all_or_nothing(database: Database) -> None:
    def add_and_fail(session: Transaction) -> None:
        session.insert(a_user("a"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.write(add_and_fail)
    assert await users(database) == []
    await database.write(adding("a"))
    assert await users(database) == ["a"]


async def test_mistakes_are_not_called_busy(database: Database) -> None:
    await database.write(adding("a"))
    with pytest.raises(CLASHES):
        await database.write(adding("a"))
    with pytest.raises((OperationalError, ProgrammingError)):
        await database.read(lambda session: session.execute(text("SELECT 1 FROM nowhere")))
    with pytest.raises((OperationalError, ProgrammingError)):
        await database.write(lambda session: session.execute(text("SELEKT 1")))
    await database.ping()


async def test_readers_do_not_wait_for_the_writer_and_see_only_what_is_committed(sqlite: Database) -> None:
    written, go_on = threading.Event(), threading.Event()

    def add_slowly(session: Transaction) -> None:
        session.insert(a_user("a"))
        written.set()
        assert go_on.wait(50)

    writing = asyncio.create_task(sqlite.write(add_slowly))
    await asyncio.to_thread(written.wait)
    async with asyncio.timeout(30):
        assert await users(sqlite) == []
        await asyncio.gather(*(sqlite.ping() for _ in range(20)))
    go_on.set()
    await writing
    assert await users(sqlite) == ["a"]


async def test_writers_take_turns(database: Database) -> None:
    def add(session: Transaction, number: int) -> None:
        before = len(session.scalars(select(UserRow.c.id)))
        session.insert(a_user(f"{before:02}-{number:02}"))

    await asyncio.gather(
        *(database.write(lambda session, number=number: add(session, number)) for number in range(12))
    )
    added = await users(database)
    assert len(added) == 12
    if database.is_sqlite:
        assert [user.split("-")[0] for user in added] == [f"{number:02}" for number in range(12)]


async def test_one_that_fails_takes_nothing_of_the_others_that_commit_with_it(database: Database) -> None:
    await database.write(adding("taken"))
    outcomes = await asyncio.gather(
        *(database.write(adding(f"{number}", *(["taken"] if number % 3 else []))) for number in range(9)),
        return_exceptions=True,
    )
    failed = [number for number, outcome in enumerate(outcomes) if isinstance(outcome, CLASHES)]
    assert failed == [1, 2, 4, 5, 7, 8]
    assert await users(database) == ["0", "3", "6", "taken"]


async def test_one_that_wants_to_be_alone_commits_and_fails_alone(database: Database) -> None:
    def add_and_fail(session: Transaction) -> None:
        session.insert(a_user("lost"))
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        database.write(adding("a")),
        database.write(adding("b"), alone=True),
        database.write(add_and_fail, alone=True),
        database.write(adding("c")),
        database.write(adding("a", "d"), alone=True),
        database.write(adding("e")),
        return_exceptions=True,
    )
    failed = {place for place, outcome in enumerate(outcomes) if outcome is not None}
    assert isinstance(outcomes[2], ZeroDivisionError)
    assert failed in ({2, 4}, {0, 2})
    assert all(isinstance(outcomes[place], CLASHES) for place in failed - {2})
    assert await users(database) == (["a", "b", "c", "e"] if 4 in failed else ["a", "b", "c", "d", "e"])


async def test_a_full_disk_undoes_one_that_is_alone(sqlite: Database) -> None:
    await sqlite.write(adding("a"))
    pages = await sqlite.write(executing("PRAGMA page_count"))
    await sqlite.write(executing(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(DatabaseBusy, match="The disk of the database is full") as caught:
        await sqlite.write(adding(*(f"{number}" for number in range(5000))), alone=True)
    assert caught.value.leaf_code == "disk_full"
    await sqlite.write(executing("PRAGMA max_page_count=1000000"))
    await sqlite.write(adding("b"), alone=True)
    assert await users(sqlite) == ["a", "b"]


async def test_what_waits_for_a_commit_shares_the_next_one(tmp_path: Path, sqlite: Database) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def hold(session: Transaction) -> None:
        begun.set()
        assert go_on.wait(50)

    first = asyncio.create_task(sqlite.write(hold))
    await asyncio.to_thread(begun.wait)
    taken_back = asyncio.create_task(sqlite.write(adding("nobody waits for this one")))
    others = [asyncio.create_task(sqlite.write(adding(f"{number}"))) for number in range(5)]
    await asyncio.sleep(0)
    taken_back.cancel()
    seen: set[int] = set()

    def look(session: Transaction) -> None:
        with closing(sqlite3.connect(tmp_path / "parley.db")) as other:
            seen.add(other.execute("SELECT count(*) FROM users").fetchone()[0])

    others += [asyncio.create_task(sqlite.write(look))]
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(first, *others)
    assert await users(sqlite) == ["0", "1", "2", "3", "4"]
    assert seen == {0}, "nobody saw some of them without the others"


async def test_whoever_waits_is_answered_although_others_have_stopped_waiting(sqlite: Database) -> None:
    for _ in range(30):
        tasks = [asyncio.create_task(sqlite.write(adding(random_id()))) for _ in range(6)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        async with asyncio.timeout(30):
            await asyncio.gather(*tasks, return_exceptions=True)
        assert not any(task.exception() for task in tasks[1::2])


async def test_times_come_back_in_utc(database: Database) -> None:
    await database.write(adding("a"))
    user = await database.read(lambda session: session.one(UserRow, UserRow.c.id == "a"))
    assert user.created_at == NOW
    assert user.created_at.tzinfo is not None
    zoneless = UserRow(id="b", voter_id="b", name="b", created_at=NOW.replace(tzinfo=None))
    with pytest.raises(Exception, match="zone"):
        await database.write(lambda session: session.insert(zoneless))


async def test_a_reader_of_sqlite_cannot_write(sqlite: Database) -> None:
    with pytest.raises(Unavailable):
        await sqlite.read(lambda session: session.execute(text("DELETE FROM users")))


@pytest.mark.durable
async def test_sqlite_is_durable_and_checks_references(sqlite: Database) -> None:
    for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
        assert await sqlite.write(executing(f"PRAGMA {pragma}")) == value


async def test_a_locked_database_is_busy_in_words_and_recovers(
    tmp_path: Path, sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "BUSY_MS", 100)
    impatient = Database(str(sqlite.url))
    with closing(sqlite3.connect(tmp_path / "parley.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy) as caught:
            await impatient.write(adding("a"))
        assert (caught.value.leaf_code, caught.value.retry_after_s) == ("database_busy", 3)
        assert await users(impatient) == [], "reading goes on"
        other.execute("ROLLBACK")
    await impatient.write(adding("a"))
    assert await users(impatient) == ["a"]
    await impatient.close()


async def test_a_full_disk_is_busy_in_words_and_recovers(sqlite: Database) -> None:
    pages = await sqlite.write(executing("PRAGMA page_count"))
    await sqlite.write(executing(f"PRAGMA max_page_count={pages}"))
    small, large = sqlite.write(adding("a")), sqlite.write(adding(*(f"{number}" for number in range(5000))))
    outcomes = await asyncio.gather(small, large, sqlite.write(adding("b")), return_exceptions=True)
    assert isinstance(outcomes[1], DatabaseBusy)
    kept = [name for name, outcome in zip("a-b", outcomes, strict=True) if outcome is None]
    assert await users(sqlite) == kept, "what was acknowledged is there, and nothing else"
    await sqlite.write(executing("PRAGMA max_page_count=1000000"))
    await sqlite.write(adding("c"))
    assert await users(sqlite) == sorted([*kept, "c"])


async def test_a_server_that_is_down_is_busy_in_words() -> None:
    nobody = Database("postgresql+asyncpg://postgres@127.0.0.1:1/none")
    for door in (nobody.read, nobody.write):
        with pytest.raises(DatabaseBusy):
            await door(executing("SELECT 1"))
    await nobody.close()


async def test_a_server_that_cuts_the_connection_is_busy_and_recovers(server_url: str) -> None:
    database = Database(server_url)
    with pytest.raises(DatabaseBusy):
        await database.write(executing("SELECT pg_terminate_backend(pg_backend_pid())"))
    await database.ping()
    await database.close()


def test_one_parley_per_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        with pytest.raises(Unavailable) as caught, lock_folder(tmp_path):
            pass
        assert caught.value.leaf_code == "folder_locked"
    with lock_folder(tmp_path):
        pass


def test_removing_the_lock_file_lets_no_second_parley_in(tmp_path: Path) -> None:
    with lock_folder(tmp_path):
        for _ in range(2):
            (tmp_path / LOCK_FILE).unlink(missing_ok=True)
            with pytest.raises(Unavailable) as caught, lock_folder(tmp_path):
                pass
            assert caught.value.leaf_code == "folder_locked"
    with lock_folder(tmp_path):
        pass


async def test_two_data_folders_cannot_share_one_database_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    async with lock_database(Database(url)):
        with pytest.raises(Unavailable) as caught:
            async with lock_database(Database(url)):
                pass
        assert caught.value.leaf_code == "database_in_use"
    async with lock_database(Database(url)):
        pass


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n"


async def test_reads_that_nobody_waits_for_leave_their_readers(database: Database) -> None:
    """Every reader, and every connection, is busy with a query that takes minutes."""
    reads = [
        asyncio.create_task(database.read(lambda session: session.execute(text(ENDLESS)))) for _ in range(12)
    ]
    await asyncio.sleep(0.5)
    for read in reads:
        read.cancel()
    await asyncio.gather(*reads, return_exceptions=True)
    async with asyncio.timeout(2.5):
        await database.ping()


async def test_searches_leave_readers_to_others(database: Database) -> None:
    searches = [
        asyncio.create_task(database.search(lambda session: session.execute(text(ENDLESS))))
        for _ in range(12)
    ]
    await asyncio.sleep(0.3)
    async with asyncio.timeout(2.0):
        await database.ping()
    for search in searches:
        search.cancel()
    await asyncio.gather(*searches, return_exceptions=True)
