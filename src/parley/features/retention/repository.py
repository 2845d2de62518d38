"""The queries of retention."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete

from parley.features.retention.tables import RetentionRow
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows


class RetentionRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def rules(self) -> Mapping[str, int]:
        """Return the days of each kind that has a rule."""
        return {row.kind: row.days for row in self._db.select(RetentionRow, select_rows(RetentionRow))}

    def put(self, kind: str, days: int | None, now: datetime) -> None:
        """Set the rule of a kind, or remove it."""
        self._db.execute(delete(RetentionRow.table).where(RetentionRow.c.kind == kind))
        if days is not None:
            self._db.insert(RetentionRow(kind, days, now))
