"""The queries of prompts, their versions and labels. Everything is looked up together with its owner."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from parley.features.lab.tables import (
    ImprovementRow,
    PromptLabelRow,
    PromptRow,
    PromptVersionRow,
    ReflectionRow,
)
from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.rows import select_rows

NO_PROMPT = NotFound("This prompt doesn't exist.", "It may have been deleted.")


class PromptsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self, owner_id: str) -> Sequence[PromptRow]:
        """Return the owner's prompts by name."""
        query = select_rows(PromptRow).where(PromptRow.c.owner_id == owner_id)
        return self._db.select(PromptRow, query.order_by(func.lower(PromptRow.c.name), PromptRow.c.id))

    def get(self, owner_id: str, prompt_id: str) -> PromptRow:
        """Return a prompt of the owner. Raises NotFound."""
        row = self._db.find(PromptRow, PromptRow.c.id == prompt_id, PromptRow.c.owner_id == owner_id)
        if row is None:
            raise NO_PROMPT
        return row

    def named(self, owner_id: str, name: str) -> PromptRow | None:
        """Return the owner's prompt under a name, or None."""
        return self._db.find(PromptRow, PromptRow.c.owner_id == owner_id, PromptRow.c.name == name)

    def count(self, owner_id: str) -> int:
        """Return how many prompts the owner has."""
        query = select(func.count()).select_from(PromptRow.table).where(PromptRow.c.owner_id == owner_id)
        return self._db.scalar(query) or 0

    def versions(self, prompt_id: str) -> Sequence[PromptVersionRow]:
        """Return a prompt's versions, the newest first."""
        query = select_rows(PromptVersionRow).where(PromptVersionRow.c.prompt_id == prompt_id)
        return self._db.select(PromptVersionRow, query.order_by(PromptVersionRow.c.number.desc()))

    def version(self, prompt_id: str, number: int) -> PromptVersionRow:
        """Return a version. Raises NotFound."""
        same = (PromptVersionRow.c.prompt_id == prompt_id, PromptVersionRow.c.number == number)
        row = self._db.find(PromptVersionRow, *same)
        if row is None:
            raise NotFound(f"This prompt has no version {number}.", "Reload to see its versions.")
        return row

    def labels(self, prompt_ids: Sequence[str]) -> dict[str, dict[str, int]]:
        """Return the labels of prompts, by prompt."""
        query = select_rows(PromptLabelRow).where(PromptLabelRow.c.prompt_id.in_(prompt_ids))
        labels: dict[str, dict[str, int]] = {prompt_id: {} for prompt_id in prompt_ids}
        for row in self._db.select(PromptLabelRow, query.order_by(PromptLabelRow.c.label)):
            labels[row.prompt_id][row.label] = row.number
        return labels

    def shown(
        self, prompts: Sequence[PromptRow], labels: dict[str, dict[str, int]], label: str
    ) -> list[PromptVersionRow]:
        """Return of each prompt the version that a label points to, else the newest."""
        return [self.version(it.id, labels[it.id].get(label, it.newest)) for it in prompts]

    def add(self, row: PromptRow | PromptVersionRow) -> None:
        """Insert a prompt or a version."""
        self._db.insert(row)

    def update(self, row: PromptRow) -> None:
        """Store a changed prompt."""
        self._db.update(row)

    def move_label(self, row: PromptLabelRow) -> None:
        """Point a label to a version."""
        self.drop_label(row.prompt_id, row.label)
        self._db.insert(row)

    def drop_label(self, prompt_id: str, label: str) -> None:
        """Remove a label."""
        same = (PromptLabelRow.c.prompt_id == prompt_id, PromptLabelRow.c.label == label)
        self._db.execute(delete(PromptLabelRow.table).where(*same))

    def remove(self, row: PromptRow) -> None:
        """Delete a prompt with its versions, labels, runs and searches; recorded answers stay."""
        searches = select(ImprovementRow.c.id).where(ImprovementRow.c.prompt_id == row.id)
        self._db.execute(delete(ReflectionRow.table).where(ReflectionRow.c.improvement_id.in_(searches)))
        self._db.delete(row)

    def remove_all(self, owner_id: str) -> int:
        """Delete every prompt of an owner; return how many."""
        removed = self.count(owner_id)
        self._db.execute(delete(PromptRow.table).where(PromptRow.c.owner_id == owner_id))
        return removed
