"""The queries of tools: choices, permissions and calls that have begun."""

from sqlalchemy import delete, func, select

from parley.features.tools.tables import ToolChoiceRow, ToolGrantRow, ToolRunRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.conversations import SessionRow
from parley.storage.tables.rows import select_rows


class ToolsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def check_session(self, owner_id: str, session_id: str) -> None:
        """Raise NotFound if the owner has no such session."""
        row = self._db.find(SessionRow, SessionRow.c.id == session_id, SessionRow.c.owner_id == owner_id)
        if row is None:
            raise NotFound("This session doesn't exist.", "It may have been deleted.")

    def choices(self, owner_id: str) -> dict[str, ToolChoiceRow]:
        """Return what an owner chose, by the tool's name."""
        rows = self._db.select(
            ToolChoiceRow, select_rows(ToolChoiceRow).where(ToolChoiceRow.c.owner_id == owner_id)
        )
        return {row.name: row for row in rows}

    def choose(self, row: ToolChoiceRow) -> None:
        """Store a choice in place of an earlier one."""
        there = ToolChoiceRow.table
        self._db.execute(delete(there).where(there.c.owner_id == row.owner_id, there.c.name == row.name))
        self._db.insert(row)

    def grants(self, session_id: str) -> dict[str, bool]:
        """Return what a session allows, by the tool's name."""
        rows = self._db.select(
            ToolGrantRow, select_rows(ToolGrantRow).where(ToolGrantRow.c.session_id == session_id)
        )
        return {row.name: row.allowed for row in rows}

    def grant(self, row: ToolGrantRow) -> None:
        """Store a permission in place of an earlier one."""
        there = ToolGrantRow.table
        self._db.execute(delete(there).where(there.c.session_id == row.session_id, there.c.name == row.name))
        self._db.insert(row)

    def begin(self, row: ToolRunRow) -> bool:
        """Record that a call begins; return False if it has begun before."""
        there = ToolRunRow.c
        earlier = self._db.find(
            ToolRunRow,
            there.turn_id == row.turn_id,
            there.reply_id == row.reply_id,
            there.attempt == row.attempt,
            there.call_id == row.call_id,
        )
        if earlier is None:
            self._db.insert(row)
        return earlier is None

    def count(self, owner_id: str) -> int:
        """Return how many choices and permissions an owner has."""
        tables = (ToolChoiceRow.table, ToolGrantRow.table)
        return sum(
            self._db.scalar(select(func.count()).select_from(table).where(table.c.owner_id == owner_id)) or 0
            for table in tables
        )

    def remove_all(self, owner_id: str) -> int:
        """Delete an owner's choices and permissions; return how many."""
        removed = self.count(owner_id)
        for table in (ToolChoiceRow.table, ToolGrantRow.table):
            self._db.execute(delete(table).where(table.c.owner_id == owner_id))
        return removed
