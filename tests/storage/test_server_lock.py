"""Tests of the database's lock: one holder, freed with its connection, taken again where that breaks."""

import asyncio
import logging
from collections.abc import AsyncGenerator

import pytest

from parley.kernel.errors import Unavailable
from parley.storage import server_lock
from parley.storage.database import Database
from parley.storage.server_lock import lock_database
from tests.fakes.databases import a_blank_database, connect, with_driver

pytestmark = pytest.mark.databases("postgresql")

HOLDERS = """SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


@pytest.fixture
async def url() -> AsyncGenerator[str]:
    async with a_blank_database() as url:
        yield url


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_lock, "PATIENCE_S", 0.3)
    monkeypatch.setattr(server_lock, "AGAIN_S", 0.05)


async def end_holder(url: str) -> None:
    """End the connection that holds the lock, as a restart of the server does."""
    outside = await connect(url.rpartition("/")[2])
    await outside.execute(f"SELECT pg_terminate_backend(pid) FROM ({HOLDERS}) AS holder")
    await outside.close()


async def holders(url: str) -> int:
    outside = await connect(url.rpartition("/")[2])
    found = await outside.fetch(HOLDERS)
    await outside.close()
    return len(found)


async def refused(url: str) -> str:
    with pytest.raises(Unavailable) as caught:
        async with lock_database(Database(url)):
            pass
    return caught.value.leaf_code


async def logged(caplog: pytest.LogCaptureFixture, words: str) -> None:
    async with asyncio.timeout(40):
        while words not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_only_one_holds_the_lock_and_leaving_frees_it(url: str) -> None:
    address = with_driver(url)
    async with lock_database(Database(address)):
        assert await refused(address) == "database_in_use"
        assert await holders(url) == 1
    async with lock_database(Database(address)):
        assert await holders(url) == 1


async def test_another_schema_is_another_parley(url: str) -> None:
    outside = await connect(url.rpartition("/")[2])
    await outside.execute("CREATE SCHEMA second")
    await outside.close()
    address = with_driver(url)
    async with lock_database(Database(address)), lock_database(Database(f"{address}?search_path=second")):
        assert await holders(url) == 2


async def test_a_lock_whose_connection_broke_is_taken_again_and_both_are_logged(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    address = with_driver(url)
    async with lock_database(Database(address)):
        for _ in range(2):
            caplog.clear()
            await end_holder(url)
            await logged(caplog, "is held again")
            assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
            assert await refused(address) == "database_in_use"


async def test_a_lock_that_another_took_meanwhile_is_reported_and_not_forced(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    address = with_driver(url)
    async with lock_database(Database(address)):
        outside = await connect(url.rpartition("/")[2])
        (holder,) = await outside.fetch(HOLDERS)
        # Whoever waits gets the lock in the moment in which it is freed.
        take = f"SELECT pg_advisory_lock({server_lock.KEY}, hashtext('public'))"
        waiting = asyncio.create_task(outside.execute(take))
        ender = await connect(url.rpartition("/")[2])
        await asyncio.sleep(0.2)
        await ender.execute(f"SELECT pg_terminate_backend({holder['pid']})")
        await waiting
        await logged(caplog, "another Parley has taken")
        assert await holders(url) == 1
        await outside.close()
        await ender.close()


async def test_a_server_that_is_away_is_explained() -> None:
    assert await refused("postgresql+asyncpg://me@127.0.0.1:1/none") == "database_unreachable"
