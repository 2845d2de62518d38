"""The queries of presets. Everything is looked up together with its owner."""

from collections.abc import Sequence

from sqlalchemy import func, select

from parley.kernel.errors import NotFound
from parley.storage.database import Transaction
from parley.storage.tables.presets import Preset
from parley.storage.tables.votes import Model


class PresetsRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self.transaction = self._db = session

    def all(self, owner_id: str, mode: str | None = None) -> Sequence[Preset]:
        """Return the owner's presets, of one mode or of all, by mode and name."""
        query = select(Preset).where(Preset.owner_id == owner_id)
        if mode is not None:
            query = query.where(Preset.mode == mode)
        return self._db.scalars(query.order_by(Preset.mode, func.lower(Preset.name), Preset.id)).all()

    def get(self, owner_id: str, preset_id: str) -> Preset:
        """Return a preset of the owner. Raises NotFound."""
        row = self._db.scalar(select(Preset).where(Preset.id == preset_id, Preset.owner_id == owner_id))
        if row is None:
            raise no_preset()
        return row

    def named(self, owner_id: str, mode: str, name: str) -> Preset | None:
        """Return the owner's preset of a mode under a name."""
        query = select(Preset).where(Preset.owner_id == owner_id, Preset.mode == mode, Preset.name == name)
        return self._db.scalar(query)

    def defaults(self, owner_id: str) -> Sequence[Preset]:
        """Return the owner's default presets, at most one per mode."""
        return self._db.scalars(select(Preset).where(Preset.owner_id == owner_id, Preset.is_default)).all()

    def is_slug_taken(self, slug: str) -> bool:
        """Return whether a slug is taken.

        A preset has it, or a current or past model has an id that could be derived from it.
        """
        model = select(Model.id).where(Model.id.startswith(f"{slug}-r", autoescape=True)).limit(1)
        preset = select(Preset.id).where(Preset.slug == slug)
        return self._db.scalar(preset) is not None or self._db.scalar(model) is not None

    def add(self, row: Preset) -> None:
        """Insert a preset."""
        self._db.add(row)

    def remove(self, row: Preset) -> None:
        """Delete a preset."""
        self._db.delete(row)


def no_preset() -> NotFound:
    """Return the error for a preset that does not exist or belongs to someone else."""
    return NotFound("This preset doesn't exist.", "It may have been removed.")
