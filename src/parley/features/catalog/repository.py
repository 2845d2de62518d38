"""Queries of every model that ever existed, and of the providers and models in the database."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from parley.features.catalog.service import IMPORTED
from parley.features.catalog.tables import ModelRow, PoolChoiceRow, ProviderRow
from parley.kernel.errors import Invalid
from parley.kernel.models import Fact
from parley.kernel.views import ModelCard
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore
from parley.storage.tables.presets import PresetRow
from parley.storage.tables.rows import select_rows
from parley.storage.tables.votes import KnownModelRow

log = logging.getLogger(__name__)

RowT = TypeVar("RowT", ProviderRow, ModelRow)


class CatalogRepository:
    """Queries on one open transaction."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def remember(self, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store the current catalog, and mark models that left it as retired.

        Raises Invalid if a retired id comes back as another model. Ensembles can change their name, since their ids are
        never reused.
        """
        known = {row.id: row for row in self._db.select(KnownModelRow, select_rows(KnownModelRow))}
        present: set[str] = set()
        for card in cards:
            present.add(card.id)
            row = known.get(card.id)
            if row is None:
                self._db.insert(
                    KnownModelRow(
                        id=card.id, card=msgspec.to_builtins(card), first_seen_at=now, retired_at=None
                    )
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
            self._db.update(row)
        for row in known.values():
            if row.id not in present and row.retired_at is None:
                row.retired_at = now
                if row.card.get("kind") == "ensemble":
                    row.card = {**row.card, "description": None}  # a person's own words go with the preset
                self._db.update(row)

    def add_retired(self, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store models that were never in the catalog; one whose id is known stays as it is."""
        rows = [
            {"id": card.id, "card": msgspec.to_builtins(card), "first_seen_at": now, "retired_at": now}
            for card in cards
        ]
        if rows:
            self._db.execute(insert_or_ignore(self._db, KnownModelRow), rows)

    def cards(self) -> dict[str, ModelCard]:
        """Return the last known card of every model that ever existed, by id."""
        cards: dict[str, ModelCard] = {}
        for row in self._db.select(KnownModelRow, select_rows(KnownModelRow)):
            try:
                cards[row.id] = msgspec.convert(row.card, ModelCard)
            except msgspec.ValidationError as error:
                log.warning("skipping the card of the model “%s”: %s", row.id, error)
        return cards


class StoredEntriesRepository:
    """Queries on one open transaction.

    Rows that are read `to_change` are locked until the transaction ends, so two changes at once come one after the
    other and neither undoes the other's.
    """

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def providers(self, *, to_change: bool = False) -> Sequence[ProviderRow]:
        """Return the providers that are not retired, the oldest first."""
        return self._present(ProviderRow, to_change=to_change)

    def models(self, *, to_change: bool = False) -> Sequence[ModelRow]:
        """Return the models that are not retired, the oldest first."""
        return self._present(ModelRow, to_change=to_change)

    def present(self, kind: type[RowT], row_id: str) -> RowT | None:
        """Return a row to change; None if there is none or it is retired."""
        query = select_rows(kind).where(kind.c.id == row_id, kind.c.retired_at.is_(None))
        return next(iter(self._db.select(kind, query.with_for_update())), None)

    def provider(self, provider_id: str) -> ProviderRow | None:
        """Return a provider, even a retired one."""
        return self._db.find(ProviderRow, ProviderRow.c.id == provider_id)

    def model(self, model_id: str) -> ModelRow | None:
        """Return a model, even a retired one."""
        return self._db.find(ModelRow, ModelRow.c.id == model_id)

    def remembered(self, model_id: str) -> ModelCard | None:
        """Return the card of a model that is or was in the catalog under an id."""
        row = self._db.find(KnownModelRow, KnownModelRow.c.id == model_id)
        return None if row is None else msgspec.convert(row.card, ModelCard)

    def is_of_contestant(self, model_id: str) -> bool:
        """Return whether a preset that is used as a model has, had or will get this id."""
        slug, separator, revision = model_id.rpartition("-r")
        if not (separator and revision.isascii() and revision.isdigit()):
            return False
        return self._db.find(PresetRow, PresetRow.c.slug == slug) is not None

    def choices(self) -> Sequence[PoolChoiceRow]:
        """Return all choices about the battle pool."""
        return self._db.select(PoolChoiceRow, select_rows(PoolChoiceRow))

    def choose(self, model_id: str, chosen: bool | None, weight: float | None, now: datetime) -> None:
        """Store a choice about a model; None keeps what was chosen before."""
        row = self._db.find(PoolChoiceRow, PoolChoiceRow.c.model_id == model_id)
        if row is None:
            self._db.insert(PoolChoiceRow(model_id=model_id, chosen=chosen, weight=weight, updated_at=now))
            return
        row.chosen = row.chosen if chosen is None else chosen
        row.weight = row.weight if weight is None else weight
        row.updated_at = now
        self._db.update(row)

    def add(self, row: ProviderRow | ModelRow) -> None:
        """Insert a row."""
        self._db.insert(row)

    def update(self, row: ProviderRow | ModelRow) -> None:
        """Store a changed row."""
        self._db.update(row)

    def _present(self, kind: type[RowT], *, to_change: bool) -> Sequence[RowT]:
        query = select_rows(kind).where(kind.c.retired_at.is_(None)).order_by(kind.c.created_at, kind.c.id)
        return self._db.select(kind, query.with_for_update() if to_change else query)


def _is_another(known: dict[str, Any], card: ModelCard) -> bool:
    """Return whether a card describes another model than the one known under its id."""
    if IMPORTED in known.get("tags", ()) or known.get("kind") == card.kind == "ensemble":
        return False
    before = msgspec.convert(known, ModelCard)
    facts: tuple[tuple[Fact, str, str], ...] = (
        ("name", before.name, card.name),
        ("organization", before.organization, card.organization),
    )
    # A name or maker that an id tells is no statement about what the id stood for.
    return any(
        one and other and one != other and not (fact in before.known_from and fact in card.known_from)
        for fact, one, other in facts
    )
