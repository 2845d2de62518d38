"""The queries of Auto."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select

from parley.features.auto.tables import AutoDecisionRow, AutoLessonRow, AutoPolicyRow
from parley.storage.database import Transaction
from parley.storage.tables.attachments import AttachmentRow
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import MatchRow, SessionRow, TurnRow
from parley.storage.tables.rows import select_rows


class PastCall(NamedTuple):
    """A call that answered a past question, with what it took."""

    turn_id: str
    model_id: str
    input_tokens: int
    output_tokens: int
    cost_micros: int


class PastChoice(NamedTuple):
    """A routed question: the turn's input, the decision, and the model that was used instead, if any."""

    input: dict[str, Any]
    kind: str
    decision: dict[str, Any]
    used: str | None


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
        """Return an owner's completed turns of chats, newest first; those of sealed sessions can't be read."""
        query = (
            select_rows(TurnRow)
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .join(SessionRow.table, SessionRow.c.id == TurnRow.c.session_id)
            .where(
                TurnRow.c.owner_id == owner_id,
                TurnRow.c.created_at >= since,
                TurnRow.c.status == "completed",
                SessionRow.c.sealed.is_(False),
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

    def decision(self, owner_id: str, session_id: str, turn_id: str) -> AutoDecisionRow | None:
        """Return the decision of a turn; None unless Auto has routed it."""
        return self._db.find(
            AutoDecisionRow,
            AutoDecisionRow.c.owner_id == owner_id,
            AutoDecisionRow.c.session_id == session_id,
            AutoDecisionRow.c.turn_id == turn_id,
        )

    def teach(self, row: AutoLessonRow) -> None:
        """Store which model was used instead, in place of an earlier one."""
        there = AutoLessonRow.table
        self._db.execute(delete(there).where(there.c.turn_id == row.turn_id))
        self._db.insert(row)

    def used(self, owner_id: str, session_id: str) -> dict[str, str]:
        """Return the models that were used instead in a session, by turn."""
        query = (
            select(AutoLessonRow.c.turn_id, AutoLessonRow.c.used)
            .join(AutoDecisionRow.table, AutoDecisionRow.c.turn_id == AutoLessonRow.c.turn_id)
            .where(AutoLessonRow.c.owner_id == owner_id, AutoDecisionRow.c.session_id == session_id)
        )
        return {row.turn_id: row.used for row in self._db.execute(query)}

    def choices(self, owner_id: str, *, confirmed: bool, most: int) -> list[PastChoice]:
        """Return the newest decisions that the owner confirmed, or those instead of which another model was used."""
        query = (
            select(TurnRow.c.input, AutoDecisionRow.c.kind, AutoDecisionRow.c.decision, AutoLessonRow.c.used)
            .join_from(AutoDecisionRow.table, TurnRow.table, TurnRow.c.id == AutoDecisionRow.c.turn_id)
            .join(
                AutoLessonRow.table, AutoLessonRow.c.turn_id == AutoDecisionRow.c.turn_id, isouter=confirmed
            )
            .where(
                AutoDecisionRow.c.owner_id == owner_id,
                AutoDecisionRow.c.target.is_not(None),
                AutoLessonRow.c.used.is_(None) if confirmed else AutoLessonRow.c.used.is_not(None),
            )
            .order_by(AutoDecisionRow.c.created_at.desc())
            .limit(most)
        )
        return [PastChoice(*row) for row in self._db.execute(query)]

    def forget(self, owner_id: str) -> int:
        """Delete what was learned from an owner; return how many choices."""
        there = AutoLessonRow.table
        query = select(func.count()).select_from(there).where(there.c.owner_id == owner_id)
        forgotten = self._db.scalar(query) or 0
        self._db.execute(delete(there).where(there.c.owner_id == owner_id))
        return forgotten

    def routed(self, owner_id: str, since: datetime) -> list[tuple[str, bool, int]]:
        """Return how many questions were routed: the kind, whether to a battle, and their number."""
        columns = AutoDecisionRow.c
        query = (
            select(columns.kind, columns.target.is_(None), func.count())
            .where(columns.owner_id == owner_id, columns.created_at >= since)
            .group_by(columns.kind, columns.target.is_(None))
        )
        return [(kind, bool(battle), number) for kind, battle, number in self._db.execute(query)]

    def count(self, owner_id: str) -> int:
        """Return how many decisions an owner has."""
        query = select(func.count()).select_from(AutoDecisionRow.table)
        return self._db.scalar(query.where(AutoDecisionRow.c.owner_id == owner_id)) or 0

    def remove_all(self, owner_id: str) -> int:
        """Delete an owner's decisions, what was learned, and their policy; return how many decisions."""
        removed = self.count(owner_id)
        for table in (AutoLessonRow.table, AutoDecisionRow.table, AutoPolicyRow.table):
            self._db.execute(delete(table).where(table.c.owner_id == owner_id))
        return removed
