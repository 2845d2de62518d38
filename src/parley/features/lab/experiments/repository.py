"""The queries that runs and searches share: both belong to a prompt, have a number, and are carried out by a job."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import func, select, update

from parley.features.lab.datasets.repository import DatasetsRepository
from parley.features.lab.prompts.repository import PromptsRepository
from parley.features.lab.tables import ImprovementRow, PromptRow, RunRow
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows

ExperimentT = TypeVar("ExperimentT", RunRow, ImprovementRow)


class ExperimentsRepository(Generic[ExperimentT]):
    """Queries of one kind of experiment on one open transaction. Everything is looked up together with its owner."""

    kind: ClassVar[Any]
    noun: ClassVar[str]

    def __init__(self, session: Transaction) -> None:
        self._db = session
        self.prompts = PromptsRepository(session)
        self.datasets = DatasetsRepository(session)

    def of_prompt(self, owner_id: str, prompt_id: str | None, limit: int) -> Sequence[ExperimentT]:
        """Return the newest ones of a prompt, or of all."""
        columns = self.kind.c
        query = select_rows(self.kind).where(columns.owner_id == owner_id)
        if prompt_id is not None:
            query = query.where(columns.prompt_id == prompt_id)
        return self._db.select(self.kind, query.order_by(columns.created_at.desc(), columns.id).limit(limit))

    def get(self, owner_id: str, experiment_id: str) -> ExperimentT:
        """Return one of the owner's. Raises NotFound."""
        row = self._db.find(self.kind, self.kind.c.id == experiment_id, self.kind.c.owner_id == owner_id)
        if row is None:
            raise NotFound(f"This {self.noun} doesn't exist.", "It may have been deleted with its prompt.")
        return row

    def of_job(self, experiment_id: str) -> ExperimentT | None:
        """Return one for its job, whoever owns it."""
        return self._db.find(self.kind, self.kind.c.id == experiment_id)

    def running(self) -> Sequence[ExperimentT]:
        """Return every running one."""
        return self._db.select(self.kind, select_rows(self.kind).where(self.kind.c.status == "running"))

    def next_number(self, prompt_id: str) -> int:
        """Return the number of a prompt's next one."""
        query = select(func.max(self.kind.c.number)).where(self.kind.c.prompt_id == prompt_id)
        return (self._db.scalar(query) or 0) + 1

    def prompt_name(self, prompt_id: str) -> str:
        """Return the name of its prompt."""
        return self._db.scalar(select(PromptRow.c.name).where(PromptRow.c.id == prompt_id)) or ""

    def add(self, row: ExperimentT) -> None:
        """Insert one."""
        self._db.insert(row)

    def update(self, row: ExperimentT, *columns: str) -> None:
        """Store columns; what was spent is changed by trials alone."""
        self._db.update(row, columns=columns)

    def remove(self, row: ExperimentT) -> None:
        """Delete one; its trials stay."""
        self._db.delete(row)

    def remove_all(self, owner_id: str) -> int:
        """Delete every one of an owner with what belongs to it; return how many."""
        raise NotImplementedError

    def end(
        self, experiment_id: str, job_id: str, status: str, at: datetime, problem: dict[str, Any] | None
    ) -> None:
        """Store the end, if this job still carries it out."""
        columns = self.kind.c
        same = (columns.id == experiment_id, columns.job_id == job_id, columns.status == "running")
        self._db.execute(
            update(self.kind.table).where(*same).values(status=status, ended_at=at, problem=problem)
        )

    def status(self, experiment_id: str) -> tuple[str, str] | None:
        """Return status and job; None if it was removed."""
        columns = self.kind.c
        query = select(columns.status, columns.job_id).where(columns.id == experiment_id)
        row = self._db.execute(query).one_or_none()
        return None if row is None else tuple(row)
