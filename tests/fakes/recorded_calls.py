"""The table of calls of a running server."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from parley.engine.recorder import Recorder
from parley.storage.database import Database
from parley.storage.tables.bookkeeping import CallRow
from tests.fakes.running import RunningParley


async def recorded_calls(parley: RunningParley) -> Sequence[Row[Any]]:
    """Return every row, oldest first; what has ended is stored before."""
    await parley.application[Recorder].commit()
    table = CallRow.table
    query = select(table).order_by(table.c.started_at, table.c.id)
    return await parley.application[Database].read(lambda transaction: transaction.execute(query).all())
