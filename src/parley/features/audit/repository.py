"""Queries on the audit log's entries that are not about one vote's content."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Row, select

from parley.kernel.acts import Act
from parley.storage.audit_log import ACT, append_act, lock_head
from parley.storage.database import Transaction
from parley.storage.tables.audit import AuditEntryRow
from parley.storage.tables.conversations import UserRow

_ENTRY = AuditEntryRow.c


class AuditRepository:
    """Queries on one open transaction."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def append(self, act: Act, now: datetime) -> None:
        """Add an act to the end of the chain."""
        append_act(self._db, lock_head(self._db), act, now)

    def page(
        self, kinds: Sequence[str], person_id: str | None, before: int | None, limit: int
    ) -> Sequence[Row[tuple[int, str, str, str]]]:
        """Return entries of these kinds before one, the newest first: number, kind, content and hash."""
        query = select(_ENTRY.seq, _ENTRY.kind, _ENTRY.content, _ENTRY.sha256).where(_ENTRY.kind.in_(kinds))
        if before is not None:
            query = query.where(_ENTRY.seq < before)
        if person_id is not None:
            # The JSON is canonical: after who did it comes the route, and what it was about came before.
            stated = f'"person_id":"{person_id}","route":'
            query = query.where(_ENTRY.kind == ACT, _ENTRY.content.contains(stated, autoescape=True))
        return self._db.execute(query.order_by(_ENTRY.seq.desc()).limit(limit)).all()

    def names(self, person_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the names of people by id; those without an account any more are missing."""
        users = UserRow.c
        rows = self._db.execute(select(users.id, users.name).where(users.id.in_(person_ids)))
        return {row.id: row.name for row in rows}
