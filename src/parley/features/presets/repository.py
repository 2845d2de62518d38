"""The queries of presets. Everything is looked up together with its owner."""

from collections.abc import Sequence

from sqlalchemy import func, select

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.presets import PresetRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import KnownModelRow


class PresetsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self.transaction = self._db = session

    def all(self, owner_id: str, mode: str | None = None) -> Sequence[PresetRow]:
        """Return the owner's presets, of one mode or of all, by mode and name."""
        query = select_rows(PresetRow).where(PresetRow.c.owner_id == owner_id)
        if mode is not None:
            query = query.where(PresetRow.c.mode == mode)
        order = (PresetRow.c.mode, func.lower(PresetRow.c.name), PresetRow.c.id)
        return self._db.select(PresetRow, query.order_by(*order))

    def get(self, owner_id: str, preset_id: str) -> PresetRow:
        """Return a preset of the owner. Raises NotFound."""
        row = self._db.find(PresetRow, PresetRow.c.id == preset_id, PresetRow.c.owner_id == owner_id)
        if row is None:
            raise no_preset()
        return row

    def named(self, owner_id: str, mode: str, name: str) -> PresetRow | None:
        """Return the owner's preset of a mode under a name."""
        of_owner = (PresetRow.c.owner_id == owner_id, PresetRow.c.mode == mode, PresetRow.c.name == name)
        return self._db.find(PresetRow, *of_owner)

    def defaults(self, owner_id: str) -> Sequence[PresetRow]:
        """Return the owner's default presets, at most one per mode."""
        query = select_rows(PresetRow).where(PresetRow.c.owner_id == owner_id, PresetRow.c.is_default)
        return self._db.select(PresetRow, query)

    def is_slug_taken(self, slug: str) -> bool:
        """Return whether a slug is taken.

        A preset has it, or a current or past model has an id that could be derived from it.
        """
        model = (
            select(KnownModelRow.c.id)
            .where(KnownModelRow.c.id.startswith(f"{slug}-r", autoescape=True))
            .limit(1)
        )
        preset = select(PresetRow.c.id).where(PresetRow.c.slug == slug)
        return self._db.scalar(preset) is not None or self._db.scalar(model) is not None

    def is_model(self, model_id: str) -> bool:
        """Return whether a current or past model has this id."""
        return self._db.find(KnownModelRow, KnownModelRow.c.id == model_id) is not None

    def add(self, row: PresetRow) -> None:
        """Insert a preset."""
        self._db.insert(row)

    def update(self, row: PresetRow) -> None:
        """Store a changed preset."""
        self._db.update(row)

    def remove(self, row: PresetRow) -> None:
        """Delete a preset."""
        self._db.delete(row)


def no_preset() -> NotFound:
    """Return the error for a preset that does not exist or belongs to someone else."""
    return NotFound("This preset doesn't exist.", "It may have been removed.")
