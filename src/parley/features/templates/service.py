"""Use cases of prompt templates: save, list, change, remove."""

from collections.abc import Sequence
from datetime import UTC, datetime

from parley.features.templates.repository import TemplatesRepository
from parley.features.templates.schemas import MOST_TEMPLATES, SaveTemplate, TemplateView
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict
from parley.kernel.ids import random_id
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction
from parley.storage.tables.presets import Template


class TemplatesService:
    """Saves, changes and removes prompt templates for their owner."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list(self, caller: Caller) -> Sequence[TemplateView]:
        """Return the caller's templates by name."""
        rows = await self._database.read(
            lambda transaction: TemplatesRepository(transaction).all(caller.person_id)
        )
        return [_view(row) for row in rows]

    async def save(self, caller: Caller, asked: SaveTemplate) -> TemplateView:
        """Store a template. Raises Conflict if its name is taken, or there are too many."""
        now = self._now()

        def store(transaction: Transaction) -> TemplateView:
            repository = TemplatesRepository(transaction)
            if repository.is_named(caller.person_id, asked.name):
                raise _taken(asked.name)
            if repository.count(caller.person_id) >= MOST_TEMPLATES:
                raise Conflict(
                    f"You have {MOST_TEMPLATES} templates, which is the limit.",
                    "Nothing was saved. Delete one that you no longer use.",
                    code="too_many_templates",
                )
            row = Template(
                id=random_id(),
                owner_id=caller.person_id,
                name=asked.name,
                text=asked.text,
                created_at=now,
                updated_at=now,
            )
            repository.add(row)
            return _view(row)

        return await self._database.write(store)

    async def change(self, caller: Caller, template_id: str, asked: SaveTemplate) -> TemplateView:
        """Replace a template's name and text. Raises NotFound, Conflict if the name is taken."""
        now = self._now()

        def store(transaction: Transaction) -> TemplateView:
            repository = TemplatesRepository(transaction)
            row = repository.get(caller.person_id, template_id)
            if asked.name != row.name and repository.is_named(caller.person_id, asked.name):
                raise _taken(asked.name)
            row.name, row.text, row.updated_at = asked.name, asked.text, now
            return _view(row)

        return await self._database.write(store)

    async def remove(self, caller: Caller, template_id: str) -> None:
        """Remove a template. Raises NotFound."""

        def store(transaction: Transaction) -> None:
            repository = TemplatesRepository(transaction)
            repository.remove(repository.get(caller.person_id, template_id))

        await self._database.write(store)

    async def erase(self, caller: Caller) -> int:
        """Remove all the caller's templates; return how many."""
        return await self._database.write(
            lambda transaction: TemplatesRepository(transaction).remove_all(caller.person_id)
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def _taken(name: str) -> Conflict:
    return Conflict(
        f"A template named “{name}” already exists.",
        "Nothing was changed. Choose another name, or edit the existing template.",
        code="template_exists",
    )


def _view(row: Template) -> TemplateView:
    return TemplateView(
        id=row.id,
        name=row.name,
        text=row.text,
        created_at=row.created_at.isoformat(),
        updated_at=row.updated_at.isoformat(),
    )
