"""Copies a SQLite database to an empty PostgreSQL one, in one transaction: all of it arrives, or nothing."""

import asyncio
from collections.abc import Callable, Collection
from typing import Any

from sqlalchemy import Connection, Table, create_engine, func, select

from parley.kernel.errors import Unavailable
from parley.kernel.ids import random_id
from parley.storage import schema
from parley.storage.blobs import BlobStore
from parley.storage.database import Database
from parley.storage.tables.attachments import BlobFolderRow
from parley.storage.tables.rows import Row

AT_ONCE = 1_000
"""Rows of one statement."""

Report = Callable[[str, float], None]
"""Takes what is done, in words, and as a share of the whole."""


async def copy_database(
    source: Database, target: Database, rows: Collection[type[Row]], report: Report
) -> dict[str, int]:
    """Copy every table, and return the rows of each. The caller holds the locks of both.

    Raises Unavailable if the source is not SQLite, or the target has tables already or can't be reached; then it is as
    before.
    """
    if not source.is_sqlite:
        raise Unavailable(
            "The database is on PostgreSQL already.",
            "Nothing was changed. Copy it with pg_dump and pg_restore.",
            code="not_sqlite",
        )
    await schema.require_current(source)
    if await schema.current_revision(target) is not None:
        raise Unavailable(
            "The database to copy to has tables of Parley already.",
            "Nothing was changed. Name an empty one: createdb parley.",
            code="database_not_empty",
        )
    tables = schema.all_tables(rows)

    def fill(connection: Connection) -> dict[str, int]:
        schema.upgrade(connection, tables)
        engine = create_engine(source.url)
        try:
            with engine.connect() as original:
                return _copy(original, connection, tables, report)
        finally:
            engine.dispose()

    return await target.administer(fill)


def _copy(
    source: Connection, target: Connection, tables: Collection[Table], report: Report
) -> dict[str, int]:
    ordered = [table for table in schema.metadata().sorted_tables if table in tables]
    counts = {it.name: source.scalar(select(func.count()).select_from(it)) or 0 for it in ordered}
    whole, done = max(1, sum(counts.values())), 0
    for table in reversed(ordered):  # the migration writes some rows, such as the head of the audit log
        target.execute(table.delete())
    for table in ordered:
        result = source.execution_options(stream_results=True).execute(select(*_stored(table)))
        for partition in result.mappings().partitions(AT_ONCE):
            target.execute(table.insert(), [dict(row) for row in partition])
            done += len(partition)
            report(table.name, done / whole)
        _continue_counting(target, table)
    return counts


def _stored(table: Table) -> list[Any]:
    """Return the columns that are stored, not computed."""
    return [column for column in table.columns if column.computed is None]


def _continue_counting(target: Connection, table: Table) -> None:
    """Let the numbers that PostgreSQL gives go on after the copied ones."""
    for column in table.primary_key:
        sequence = target.scalar(select(func.pg_get_serial_sequence(table.name, column.name)))
        if sequence is not None:
            last = target.scalar(select(func.max(column)))
            target.execute(select(func.setval(sequence, max(1, last or 0), last is not None)))


async def copy_attachments(target: Database, blobs: BlobStore) -> int:
    """Give the copied database a folder of attachments of its own, with the same files; return how many.

    Each database deletes only its own. Raises Unavailable.
    """
    new = random_id()
    old = await target.write(lambda transaction: rename_folder(transaction.connection(), new))
    return 0 if old is None else await asyncio.to_thread(blobs.copy_folder, old, new)


def rename_folder(connection: Connection, new: str) -> str | None:
    """Name the folder of a database's files; return the earlier name, None if it had none and has none."""
    table = BlobFolderRow.table
    old = connection.scalar(select(table.c.name))
    if old is not None:
        connection.execute(table.update().values(name=new))
    return old
