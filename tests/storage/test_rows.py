"""Tests of rows: a struct's annotations are its table's columns, and its values come back as they were stored."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import pytest
from sqlalchemy import Index, Integer, String, UniqueConstraint, false, text

from parley.storage.tables import rows
from parley.storage.tables.rows import (
    Counter,
    Document,
    Key,
    OptionalJson,
    Row,
    Time,
    column,
    select_rows,
    stored_in,
)
from tests.fakes.databases import KINDS, Kind, a_migrated_database

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


@stored_in("pots", UniqueConstraint("name"), Index("ix_pots_size", "size"))
class PotRow(Row):
    """A row with every kind of column."""

    id: Key
    name: Annotated[str, String(80)]
    size: Annotated[int | None, Integer]
    facts: Document
    extra: Annotated[dict[str, int] | None, OptionalJson]
    made_at: Time
    broken: Annotated[bool, column(server_default=false())] = False
    number: Annotated[int, Counter, column(assigned=True, server_default=text("7"))] = 0


rows.METADATA.remove(PotRow.table)


def test_a_field_is_a_column_with_its_type_and_options() -> None:
    columns = PotRow.c
    assert [each.name for each in PotRow.table.columns][:3] == ["number", "id", "name"], (
        "the database's own first"
    )
    assert columns.id.primary_key
    assert (columns.name.nullable, columns.size.nullable, columns.extra.nullable) == (False, True, True)
    assert columns.broken.server_default is not None
    assert {each.name for each in PotRow.table.indexes} == {"ix_pots_size"}


def test_a_plain_text_needs_a_type() -> None:
    with pytest.raises(KeyError):

        @stored_in("untyped")
        class UntypedRow(Row):
            """A text of any length: databases want to know."""

            name: str


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=pytest.mark.databases(kind)) for kind in KINDS])
async def test_a_row_is_stored_changed_and_deleted(kind: Kind, tmp_path: Path) -> None:
    row = PotRow("1", "Blue", None, {"a": [1]}, None, NOW)
    async with a_migrated_database(kind, tmp_path) as database:
        await database.administer(PotRow.table.create)
        try:
            await database.write(lambda transaction: transaction.insert(row))
            row.number = 7  # as the database assigned it
            assert (
                await database.read(lambda transaction: transaction.find(PotRow, PotRow.c.name == "Blue"))
                == row
            )
            row.name, row.extra = "Red", {"b": 2}
            await database.write(lambda transaction: transaction.update(row))
            everything = select_rows(PotRow)
            assert await database.read(lambda transaction: transaction.select(PotRow, everything)) == [row]
            await database.write(lambda transaction: transaction.delete(row))
            assert await database.read(lambda transaction: transaction.find(PotRow)) is None
        finally:
            await database.administer(PotRow.table.drop)


async def test_an_update_of_some_columns_leaves_the_others(tmp_path: Path) -> None:
    row = PotRow("1", "Blue", None, {}, None, NOW, number=7)
    async with a_migrated_database("sqlite", tmp_path) as database:
        await database.administer(PotRow.table.create)
        await database.write(lambda transaction: transaction.insert(row))
        stale = PotRow("1", "Old", 3, {}, None, NOW, number=7)
        await database.write(lambda transaction: transaction.update(stale, columns=("size",)))
        stored = await database.read(lambda transaction: transaction.one(PotRow))
    assert (stored.name, stored.size) == ("Blue", 3)
