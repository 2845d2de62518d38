"""The queries of Auto."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, select

from parley.features.auto.tables import AutoDecisionRow, AutoPolicyRow
from parley.storage.database import Transaction
from parley.storage.tables.attachments import AttachmentRow
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import MatchRow, TurnRow
from parley.storage.tables.rows import select_rows


class PastCall(NamedTuple):
    """A call that answered a past question, with what it took."""

    turn_id: str
    model_id: str
    input_tokens: int
    output_tokens: int
    cost_micros: int


class AutoRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def policy(self, owner_id: str) -> AutoPolicyRow | None:
        """Return what a person wants of Auto; None if they have said nothing."""
        return self._db.find(AutoPolicyRow, AutoPolicyRow.c.owner_id == owner_id)

    def set_policy(self, row: AutoPolicyRow) -> None:
        """Store what a person wants of Auto."""
        there = AutoPolicyRow.table
        self._db.execute(delete(there).where(there.c.owner_id == row.owner_id))
        self._db.insert(row)

    def add(self, row: AutoDecisionRow) -> None:
        """Store a decision, unless its turn has one."""
        if self._db.find(AutoDecisionRow, AutoDecisionRow.c.turn_id == row.turn_id) is None:
            self._db.insert(row)

    def decisions(self, owner_id: str, session_id: str) -> Sequence[AutoDecisionRow]:
        """Return the decisions of a session, oldest first."""
        query = select_rows(AutoDecisionRow).where(
            AutoDecisionRow.c.owner_id == owner_id, AutoDecisionRow.c.session_id == session_id
        )
        return self._db.select(AutoDecisionRow, query.order_by(AutoDecisionRow.c.created_at))

    def files(self, owner_id: str, sha256: Sequence[str]) -> Sequence[AttachmentRow]:
        """Return uploaded files of an owner."""
        if not sha256:
            return ()
        query = select_rows(AttachmentRow).where(
            AttachmentRow.c.owner_id == owner_id, AttachmentRow.c.sha256.in_(sha256)
        )
        return self._db.select(AttachmentRow, query)

    def questions(self, owner_id: str, since: datetime, most: int) -> Sequence[TurnRow]:
        """Return an owner's completed turns of chats, newest first."""
        query = (
            select_rows(TurnRow)
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .where(
                TurnRow.c.owner_id == owner_id,
                TurnRow.c.created_at >= since,
                TurnRow.c.status == "completed",
                MatchRow.c.mode == "chat",
            )
            .order_by(TurnRow.c.created_at.desc())
            .limit(most)
        )
        return self._db.select(TurnRow, query)

    def calls(self, turn_ids: Sequence[str]) -> list[PastCall]:
        """Return the priced calls of turns, each with what was billed."""
        columns = CallRow.c
        query = select(
            columns.turn_id,
            columns.model_id,
            columns.input_tokens,
            columns.output_tokens,
            columns.cost_micros,
        ).where(columns.turn_id.in_(turn_ids), columns.cost_micros.is_not(None))
        return [PastCall(*row) for row in self._db.execute(query)]

    def count(self, owner_id: str) -> int:
        """Return how many decisions an owner has."""
        query = select(func.count()).select_from(AutoDecisionRow.table)
        return self._db.scalar(query.where(AutoDecisionRow.c.owner_id == owner_id)) or 0

    def remove_all(self, owner_id: str) -> int:
        """Delete an owner's decisions and policy; return how many decisions."""
        removed = self.count(owner_id)
        for table in (AutoDecisionRow.table, AutoPolicyRow.table):
            self._db.execute(delete(table).where(table.c.owner_id == owner_id))
        return removed
