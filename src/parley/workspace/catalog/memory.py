"""Cards of all models: those of the catalog, and those that votes and sessions still speak of."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from parley.kernel.errors import NotFound
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.workspace.catalog.repository import CatalogRepository
from parley.workspace.catalog.service import CatalogService


async def stored_cards(database: Database) -> dict[str, ModelCard]:
    """Return the last known card of every model that ever was, by id. Raises DatabaseBusy."""
    return await database.read(lambda transaction: CatalogRepository(transaction).cards())


class ModelMemory:
    """Knows a model's card even after the model has left the catalog."""

    def __init__(self, database: Database, catalog: CatalogService, clock: Clock) -> None:
        self._database = database
        self._catalog = catalog
        self._clock = clock
        self._retired: dict[str, ModelCard] = {}

    async def open(self) -> None:
        """Store the catalog as it is now, again after each change.

        Raises Invalid where an id stands for another model than before.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        cards = self._catalog.cards()

        def remember(transaction: Transaction) -> dict[str, ModelCard]:
            repository = CatalogRepository(transaction)
            repository.remember(cards, now)
            return repository.cards()

        self._keep(await self._database.write(remember))

    async def look(self) -> None:
        """Know what is stored, and store nothing: for those who only read."""
        self._keep(await stored_cards(self._database))

    def card(self, model_id: str) -> ModelCard:
        """Return a model's card, the last known one where the model has left. Raises NotFound."""
        if model_id in self._retired:
            return self._retired[model_id]
        try:
            return self._catalog.card(self._catalog.model(model_id))
        except NotFound:
            raise NotFound(f"There is no model “{model_id}”.") from None

    def names(self) -> Sequence[str]:
        """Return every name by which a model that is or was here may be called, and those of their makers.

        Of an ensemble it is the name alone: who owns it and what kind of thing it is are words like any other.
        """
        cards = (*self._catalog.cards(), *self._retired.values())
        names = {
            name
            for card in cards
            for name in (
                card.id,
                card.name,
                *(() if card.kind == "ensemble" else (card.organization, card.family)),
            )
        }
        at_providers = {
            route.model
            for model in self._catalog.models()
            if model.kind == "single"
            for route in model.routes
        }
        return sorted(names | at_providers)

    def _keep(self, known: Mapping[str, ModelCard]) -> None:
        present = {model.id for model in self._catalog.models()}
        self._retired = {
            model_id: msgspec.structs.replace(card, enabled=False)
            for model_id, card in known.items()
            if model_id not in present
        }

    def known(self) -> dict[str, Sequence[str]]:
        """Return every model that is or was: its id with its name and those at its providers, the catalog's first."""
        present = {model.id: model for model in self._catalog.models()}
        names = {
            model_id: (model.name, *(route.model for route in model.routes))
            for model_id, model in present.items()
        }
        return {**names, **{model_id: (card.name,) for model_id, card in self._retired.items()}}

    @staticmethod
    def adopt(transaction: Transaction, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store models that nobody knew as retired ones; `learn` follows once the transaction is committed."""
        CatalogRepository(transaction).add_retired(cards, now)

    def learn(self, cards: Iterable[ModelCard]) -> None:
        """Know models that were stored as retired, as those of imported votes."""
        present = {model.id for model in self._catalog.models()}
        self._retired |= {card.id: card for card in cards if card.id not in present}
