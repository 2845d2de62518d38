"""Dependents: the presets that can't run without a model."""

from collections.abc import Collection, Sequence

from parley.features.catalog.requests import Dependent
from parley.features.contestants.contestants import model_id_of
from parley.features.presets.repository import PresetsRepository
from parley.storage.database import Transaction


def dependents(transaction: Transaction, owner_id: str, model_ids: Collection[str]) -> Sequence[Dependent]:
    """Return the owner's presets that seat one of the models, or an ensemble that does, by mode and name."""
    gone, rows = set(model_ids), PresetsRepository(transaction).all(owner_id)
    names: set[str] = set()
    while reached := [row for row in rows if row.id not in names and gone.intersection(row.seats.values())]:
        names.update(row.id for row in reached)
        gone.update(model_id for row in reached if (model_id := model_id_of(row)))
    return [Dependent(id=row.id, mode=row.mode, name=row.name) for row in rows if row.id in names]
