"""The queries of judges' passports. Everything is looked up together with its owner."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from parley.features.lab.tables import JudgeRow
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows


class JudgesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self, owner_id: str) -> Sequence[JudgeRow]:
        """Return the passports of an owner by model."""
        query = select_rows(JudgeRow).where(JudgeRow.c.owner_id == owner_id)
        return self._db.select(JudgeRow, query.order_by(JudgeRow.c.model_id))

    def put(self, row: JudgeRow) -> None:
        """Store a passport in place of an earlier one."""
        same = (JudgeRow.c.owner_id == row.owner_id, JudgeRow.c.model_id == row.model_id)
        self._db.execute(delete(JudgeRow.table).where(*same))
        self._db.insert(row)

    def count(self, owner_id: str) -> int:
        """Return how many passports an owner has."""
        query = select(func.count()).select_from(JudgeRow.table).where(JudgeRow.c.owner_id == owner_id)
        return self._db.scalar(query) or 0

    def remove_all(self, owner_id: str) -> int:
        """Delete an owner's passports; return how many."""
        removed = self.count(owner_id)
        self._db.execute(delete(JudgeRow.table).where(JudgeRow.c.owner_id == owner_id))
        return removed
