"""Tests of PostgreSQL's limits: locked or silent, it is told within five seconds, and the rest goes on."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text

from parley.kernel.errors import Unavailable
from parley.storage import schema, server_lock
from parley.storage.database import Database, Transaction
from parley.storage.errors import DatabaseBusy
from parley.storage.server_lock import lock_database
from tests.fakes.databases import an_empty_database, connect, with_driver
from tests.fakes.silent_server import Silence, a_way_that_can_fall_silent

pytestmark = pytest.mark.databases("postgresql")

ANSWER_S = 5.0


@pytest.fixture
def unhurried() -> None:
    """Leave the limits as they are."""


@pytest.fixture
async def url() -> AsyncGenerator[str]:
    async with an_empty_database("postgresql") as url:
        assert url is not None
        yield url


@pytest.fixture
async def way() -> AsyncGenerator[Silence]:
    async with a_way_that_can_fall_silent() as way:
        yield way


@asynccontextmanager
async def opened(url: str) -> AsyncGenerator[Database]:
    database = Database(with_driver(url))
    await schema.require_current(database)
    try:
        yield database
    finally:
        async with asyncio.timeout(ANSWER_S):
            await database.close()


@asynccontextmanager
async def locked(url: str, table: str = "votes") -> AsyncGenerator[asyncpg.Connection]:
    """Hold a lock that lets nobody else read or write a table."""
    outside = await connect(url.rpartition("/")[2])
    async with outside.transaction():
        await outside.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield outside
    await outside.close()


def changing(transaction: Transaction) -> None:
    transaction.execute(text("DELETE FROM votes"))


def looking(transaction: Transaction) -> object:
    return transaction.execute(text("SELECT count(*) FROM sessions")).scalar()


async def seconds_until_busy(asked: Awaitable[object]) -> float:
    clock = asyncio.get_running_loop().time
    began = clock()
    with pytest.raises(DatabaseBusy) as caught:
        async with asyncio.timeout(30):
            await asked
    assert (caught.value.leaf_code, caught.value.retry_after_s) == ("database_busy", 3)
    return clock() - began


async def test_a_locked_table_is_reported_in_time_and_hinders_nobody_else(url: str) -> None:
    async with opened(url) as database:
        async with locked(url):
            waiting = [asyncio.create_task(seconds_until_busy(database.write(changing))) for _ in range(25)]
            await asyncio.sleep(0.3)
            async with asyncio.timeout(2):
                assert await database.read(looking) == 0
            assert await seconds_until_busy(database.check_ready()) < ANSWER_S
            assert max(await asyncio.gather(*waiting)) < ANSWER_S
        await database.write(changing)
        await database.check_ready()


async def test_a_server_that_falls_silent_is_reported_in_time_and_used_again_once_it_speaks(
    url: str, way: Silence
) -> None:
    async with opened(way.url(url)) as database:
        await asyncio.gather(*(database.read(looking) for _ in range(5)))
        way.silent = True
        doors = [database.write(changing), database.read(looking), database.check_ready()]
        waited = await asyncio.gather(*(seconds_until_busy(door) for door in doors))
        assert max(waited) < ANSWER_S
        assert await seconds_until_busy(database.write(changing)) < ANSWER_S, "also on a new connection"
        way.silent = False
        await database.write(changing)
        assert await database.read(looking) == 0


async def test_a_commit_that_nobody_answers_is_not_called_undone(url: str, way: Silence) -> None:
    def change_and_silence(transaction: Transaction) -> None:
        changing(transaction)
        way.silent = True

    async with opened(way.url(url)) as database:
        with pytest.raises(DatabaseBusy, match="while this was being saved"):
            await database.write(change_and_silence)


async def test_a_connection_that_is_given_up_between_two_steps_of_the_driver_is_busy_and_no_fault(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = asyncpg.Connection._get_statement

    async def give_up_once_prepared(self: asyncpg.Connection, *about: Any, **more: Any) -> object:
        statement = await prepare(self, *about, **more)
        self.terminate()
        return statement

    def changing_some(transaction: Transaction) -> None:
        transaction.execute(text("DELETE FROM votes WHERE id = :id"), [{"id": "a"}, {"id": "b"}])

    async with opened(url) as database:
        with monkeypatch.context() as patched:
            patched.setattr(asyncpg.Connection, "_get_statement", give_up_once_prepared)
            await seconds_until_busy(database.write(changing_some))
        await database.write(changing_some)


async def test_work_that_no_request_waits_for_may_take_longer(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.storage.server_store.WITHIN_S", 0.5)

    def slowly(transaction: Transaction) -> object:
        return transaction.execute(text("SELECT 'done' FROM pg_sleep(0.8)")).scalar()

    async with opened(url) as database:
        assert await seconds_until_busy(database.read(slowly)) < ANSWER_S
        assert await database.patient().read(slowly) == "done"
        assert await database.write(slowly, alone=True) == "done"
        assert await seconds_until_busy(database.write(slowly)) < ANSWER_S, (
            "patience ends with its transaction"
        )


async def test_a_server_that_is_silent_from_the_start_is_explained(url: str, way: Silence) -> None:
    way.silent = True
    database = Database(with_driver(way.url(url)))
    async with asyncio.timeout(2 * ANSWER_S):
        with pytest.raises(Unavailable) as caught:
            await schema.require_current(database)
        assert caught.value.leaf_code == "database_unreachable"
        with pytest.raises(Unavailable) as caught:
            async with lock_database(database):
                pass
        assert caught.value.leaf_code == "database_unreachable"
        assert "does not answer" in caught.value.title
        await database.close()


async def test_what_waits_for_the_server_ends_with_parley(url: str, way: Silence) -> None:
    clock = asyncio.get_running_loop().time
    async with opened(way.url(url)) as database:
        await database.read(looking)
        way.silent = True
        waiting = [asyncio.create_task(database.patient().write(changing)) for _ in range(12)]
        await asyncio.sleep(0.1)
        began = clock()
        database.end_within(0.3)
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(outcome, Unavailable) for outcome in outcomes)
        with pytest.raises(Unavailable) as caught:
            await database.write(changing)
        assert caught.value.leaf_code == "shutting_down"
    assert clock() - began < 2


async def test_a_lock_whose_connection_falls_silent_is_taken_again(
    url: str, way: Silence, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("CHECK_S", "ANSWER_S", "AGAIN_S"):
        monkeypatch.setattr(server_lock, name, 0.2)
    caplog.set_level("INFO")
    async with lock_database(Database(with_driver(way.url(url)))):
        way.silent = True
        async with asyncio.timeout(20):
            while "lost the connection that holds the database's lock" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            way.silent = False
            while "is held again" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
