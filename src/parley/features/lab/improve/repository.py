"""The queries of searches: their candidates, and what the reflecting model wrote."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, func, select

from parley.features.lab.experiments.repository import ExperimentsRepository
from parley.features.lab.improve.searching import Candidate
from parley.features.lab.tables import CandidateRow, ImprovementRow, PromptVersionRow, ReflectionRow, TrialRow
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.rows import select_rows


class ImprovementsRepository(ExperimentsRepository[ImprovementRow]):
    """Queries of searches on one open transaction."""

    kind = ImprovementRow
    noun = "improvement"

    def candidates(self, improvement_id: str) -> Sequence[CandidateRow]:
        """Return the candidates in their order."""
        query = select_rows(CandidateRow).where(CandidateRow.c.improvement_id == improvement_id)
        return self._db.select(CandidateRow, query.order_by(CandidateRow.c.number))

    def best_scores(self, improvement_ids: Sequence[str]) -> dict[str, tuple[int, float]]:
        """Return how many candidates each search has, and the best score."""
        query = (
            select(CandidateRow.c.improvement_id, func.count(), func.max(CandidateRow.c.score))
            .where(CandidateRow.c.improvement_id.in_(improvement_ids))
            .group_by(CandidateRow.c.improvement_id)
        )
        return {row[0]: (row[1], row[2]) for row in self._db.execute(query)}

    def store_progress(
        self, row: ImprovementRow, answers: int, reflections: int, candidates: Sequence[CandidateRow]
    ) -> None:
        """Store how far a search has come, and its candidates: a search that resumes finds them again."""
        if self.status(row.id) is None:
            return
        row.answers, row.reflections = answers, reflections
        self.update(row, "answers", "reflections")
        # A failed answer that is asked again may lead to another candidate.
        numbers = [candidate.number for candidate in candidates]
        self._db.execute(
            delete(CandidateRow.table).where(
                CandidateRow.c.improvement_id == row.id, CandidateRow.c.number.in_(numbers)
            )
        )
        for candidate in candidates:
            self._db.insert(candidate)

    def drop_candidates(self, improvement_id: str, from_number: int) -> None:
        """Delete the candidates from a number on."""
        later = (
            CandidateRow.c.improvement_id == improvement_id,
            CandidateRow.c.number >= from_number,
        )
        self._db.execute(delete(CandidateRow.table).where(*later))

    def store_result(self, row: ImprovementRow, result: dict[str, Any]) -> None:
        """Store the result."""
        row.result = result
        self.update(row, "result")

    def reflection(self, key: str) -> ReflectionRow | None:
        """Return what the reflecting model wrote."""
        return self._db.find(ReflectionRow, ReflectionRow.c.key == key)

    def costs(self, row: ImprovementRow) -> dict[str, int]:
        """Return what a search has paid for the answers with each body, in micro-dollars, by the body's hash."""
        query = (
            select(TrialRow.c.version_sha256, func.sum(TrialRow.c.cost_micros))
            .where(TrialRow.c.run_id == row.id, TrialRow.c.owner_id == row.owner_id)
            .group_by(TrialRow.c.version_sha256)
        )
        return {sha256: int(cost or 0) for sha256, cost in self._db.execute(query)}

    def answered(self, row: ImprovementRow) -> int:
        """Return how many complete answers a search has paid for."""
        query = (
            select(func.count())
            .select_from(TrialRow.table)
            .where(
                TrialRow.c.run_id == row.id,
                TrialRow.c.owner_id == row.owner_id,
                TrialRow.c.status == "completed",
            )
        )
        return self._db.scalar(query) or 0

    def versions_by_hash(self, prompt_id: str) -> dict[str, int]:
        """Return the newest version of a prompt with each body, by its hash."""
        columns = PromptVersionRow.c
        query = select(columns.sha256, columns.number).where(columns.prompt_id == prompt_id)
        return {row.sha256: row.number for row in self._db.execute(query.order_by(columns.number))}

    def remove(self, row: ImprovementRow) -> None:
        """Delete a search with its candidates and reflections; its answers stay for others."""
        self._db.execute(delete(ReflectionRow.table).where(ReflectionRow.c.improvement_id == row.id))
        super().remove(row)

    def remove_all(self, owner_id: str) -> int:
        """Delete every search of an owner; return how many."""
        count = select(func.count()).select_from(ImprovementRow.table)
        removed = self._db.scalar(count.where(ImprovementRow.c.owner_id == owner_id)) or 0
        for kind in (ReflectionRow, ImprovementRow):
            self._db.execute(delete(kind.table).where(kind.c.owner_id == owner_id))
        return removed


def store_reflection(transaction: Transaction, row: ReflectionRow) -> None:
    """Store what the reflecting model wrote."""
    values = {name: getattr(row, name) for name in ReflectionRow.__struct_fields__}
    transaction.run(insert_or_ignore(transaction, ReflectionRow), [values])


def candidate_row(improvement_id: str, candidate: Candidate, sha256: str) -> CandidateRow:
    """Return the row of a candidate."""
    return CandidateRow(
        improvement_id=improvement_id,
        number=candidate.number,
        parents=list(candidate.parents),
        texts=dict(candidate.texts),
        sha256=sha256,
        score=candidate.score,
        answers=candidate.answers,
    )
