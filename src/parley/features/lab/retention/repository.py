"""The queries that forget old runs and searches of everybody, with their answers."""

from datetime import datetime

from sqlalchemy import delete, exists, func, select

from parley.features.lab.tables import (
    CandidateRow,
    ImprovementRow,
    OutputRow,
    ReflectionRow,
    RunRow,
    ScoreRow,
    TrialRow,
)
from parley.storage.database import Transaction

_EXPERIMENTS = (RunRow, ImprovementRow)


class LabRetention:
    """Queries on one open transaction. What runs or waits to be continued is never old."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    def count(self, before: datetime | None) -> int:
        """Return how many runs and searches ended before a time, or at all."""
        total = 0
        for kind in _EXPERIMENTS:
            query = select(func.count()).select_from(kind.table).where(kind.c.ended_at.is_not(None))
            total += self._db.scalar(query if before is None else query.where(kind.c.ended_at < before)) or 0
        return total

    def forget(self, before: datetime) -> int:
        """Delete those that ended before a time, and all answers that came before it; return how many."""
        forgotten = 0
        searches = select(ImprovementRow.c.id).where(ImprovementRow.c.ended_at < before)
        for kind in (CandidateRow, ReflectionRow):
            self._db.execute(delete(kind.table).where(kind.c.improvement_id.in_(searches)))
        for kind in _EXPERIMENTS:
            forgotten += self._db.execute(delete(kind.table).where(kind.c.ended_at < before)).rowcount
        old = select(TrialRow.c.key).where(TrialRow.c.created_at < before)
        self._db.execute(delete(ScoreRow.table).where(ScoreRow.c.trial_key.in_(old)))
        self._db.execute(delete(TrialRow.table).where(TrialRow.c.created_at < before))
        used = (TrialRow.c.owner_id == OutputRow.c.owner_id, TrialRow.c.output_sha256 == OutputRow.c.sha256)
        self._db.execute(delete(OutputRow.table).where(~exists().where(*used)))
        return forgotten
