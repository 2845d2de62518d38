"""Queries of every model that ever existed, and of the providers and models in the database."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import select

from parley.features.catalog.service import IMPORTED
from parley.kernel.errors import Invalid
from parley.kernel.views import ModelCard
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.catalog import KeptModel, KeptProvider
from parley.storage.tables.votes import Model


class CatalogRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def remember(self, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store the current catalog, and mark models that left it as retired.

        Raises Invalid if a retired id comes back as another model. Ensembles can change their name, since their ids are
        never reused.
        """
        known = {row.id: row for row in self._db.scalars(select(Model))}
        present: set[str] = set()
        for card in cards:
            present.add(card.id)
            row = known.get(card.id)
            if row is None:
                self._db.add(
                    Model(id=card.id, card=msgspec.to_builtins(card), first_seen_at=now, retired_at=None)
                )
                continue
            if row.retired_at is not None and _is_another(row.card, card):
                raise Invalid(
                    "models",
                    f"The model id “{card.id}” is retired: "
                    f"it stood for {row.card['name']} of {row.card['organization']}.",
                    "Its votes stay under that id, so give the new model another one.",
                    code="model_id_retired",
                )
            row.card, row.retired_at = msgspec.to_builtins(card), None
        for row in known.values():
            if row.id not in present and row.retired_at is None:
                row.retired_at = now

    def add_retired(self, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store models that were never in the catalog; one whose id is known stays as it is."""
        rows = [
            {"id": card.id, "card": msgspec.to_builtins(card), "first_seen_at": now, "retired_at": now}
            for card in cards
        ]
        if rows:
            self._db.execute(insert_or_ignore(self._db, Model), rows)

    def cards(self) -> dict[str, ModelCard]:
        """Return the last known card of every model that ever existed, by id."""
        return {row.id: msgspec.convert(row.card, ModelCard) for row in self._db.scalars(select(Model))}


class KeptRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def providers(self) -> Sequence[KeptProvider]:
        """Return the providers that are not retired, the oldest first."""
        query = select(KeptProvider).where(KeptProvider.retired_at.is_(None))
        return self._db.scalars(query.order_by(KeptProvider.created_at, KeptProvider.id)).all()

    def models(self) -> Sequence[KeptModel]:
        """Return the models that are not retired, the oldest first."""
        query = select(KeptModel).where(KeptModel.retired_at.is_(None))
        return self._db.scalars(query.order_by(KeptModel.created_at, KeptModel.id)).all()

    def provider(self, provider_id: str) -> KeptProvider | None:
        """Return a provider, even a retired one."""
        return self._db.get(KeptProvider, provider_id)

    def model(self, model_id: str) -> KeptModel | None:
        """Return a model, even a retired one."""
        return self._db.get(KeptModel, model_id)

    def remembered(self, model_id: str) -> ModelCard | None:
        """Return the card of a model that is or was in the catalog under an id."""
        row = self._db.get(Model, model_id)
        return None if row is None else msgspec.convert(row.card, ModelCard)

    def add(self, row: KeptProvider | KeptModel) -> None:
        """Insert a row."""
        self._db.add(row)
        self._db.flush()


def _is_another(known: dict[str, Any], card: ModelCard) -> bool:
    """Return whether a card describes another model than the one known under its id."""
    if IMPORTED in known.get("tags", ()) or known.get("kind") == card.kind == "ensemble":
        return False
    return (known["name"], known["organization"]) != (card.name, card.organization)
