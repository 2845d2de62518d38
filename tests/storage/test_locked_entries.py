"""Tests of the providers and models of the catalog: two changes at once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import asyncpg
import pytest

from parley.features.catalog.repository import StoredEntriesRepository
from parley.features.catalog.tables import ModelRow, ProviderRow
from parley.storage.database import Database, Transaction
from tests.fakes.databases import connect

pytestmark = pytest.mark.databases("postgresql")

NOW = datetime(2026, 1, 1, tzinfo=UTC)

Read = Callable[[StoredEntriesRepository], object]


async def change_elsewhere(name: str, table: str) -> None:
    """Read a row to change it, in another connection, without waiting for its lock."""
    outside = await connect(name)
    try:
        await outside.execute(f"SELECT id FROM {table} FOR UPDATE NOWAIT")
    finally:
        await outside.close()


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("providers", lambda rows: rows.present(ProviderRow, "here")),
        ("providers", lambda rows: rows.providers(to_change=True)),
        ("kept_models", lambda rows: rows.present(ModelRow, "here")),
        ("kept_models", lambda rows: rows.models(to_change=True)),
    ],
)
async def test_what_is_read_to_be_changed_is_changed_by_nobody_else_meanwhile(
    database: Database, table: str, read: Read
) -> None:
    def add(transaction: Transaction) -> None:
        rows = StoredEntriesRepository(transaction)
        rows.add(ProviderRow("here", "Here", {}, True, None, None, NOW, NOW, None))
        rows.add(ModelRow("here", {}, {}, NOW, NOW, None))

    def change(transaction: Transaction) -> None:
        assert read(StoredEntriesRepository(transaction))
        with ThreadPoolExecutor() as pool, pytest.raises(asyncpg.LockNotAvailableError):
            pool.submit(asyncio.run, change_elsewhere(str(database.url.database), table)).result()

    await database.write(add)
    await database.write(change)
