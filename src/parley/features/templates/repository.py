"""The queries of prompt templates. Everything is looked up together with its owner."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.presets import Template


class TemplatesRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def all(self, owner_id: str) -> Sequence[Template]:
        """Return the owner's templates by name."""
        query = select(Template).where(Template.owner_id == owner_id)
        return self._db.scalars(query.order_by(func.lower(Template.name), Template.id)).all()

    def get(self, owner_id: str, template_id: str) -> Template:
        """Return a template of the owner. Raises NotFound."""
        query = select(Template).where(Template.id == template_id, Template.owner_id == owner_id)
        row = self._db.scalar(query)
        if row is None:
            raise NotFound("This template doesn't exist.", "It may have been deleted.")
        return row

    def count(self, owner_id: str) -> int:
        """Return how many templates the owner has."""
        query = select(func.count()).select_from(Template).where(Template.owner_id == owner_id)
        return self._db.scalar(query) or 0

    def is_named(self, owner_id: str, name: str) -> bool:
        """Return whether the owner has a template under a name."""
        query = select(Template.id).where(Template.owner_id == owner_id, Template.name == name)
        return self._db.scalar(query) is not None

    def add(self, row: Template) -> None:
        """Insert a template."""
        self._db.add(row)

    def remove(self, row: Template) -> None:
        """Delete a template."""
        self._db.delete(row)

    def remove_all(self, owner_id: str) -> int:
        """Delete every template of an owner; return how many."""
        removed = self.count(owner_id)
        self._db.execute(delete(Template).where(Template.owner_id == owner_id))
        return removed
