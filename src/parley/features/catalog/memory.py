"""Cards of all models: those of the catalog, and those that votes and sessions still refer to."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from parley.features.catalog.repository import CatalogRepository
from parley.features.catalog.service import CatalogService
from parley.kernel.errors import NotFound
from parley.kernel.models import Fact
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction


async def stored_cards(database: Database) -> dict[str, ModelCard]:
    """Return the last known card of every model that ever existed, by id. Raises DatabaseBusy."""
    return await database.read(lambda transaction: CatalogRepository(transaction).cards())


class ModelMemory:
    """Knows a model's card even after the model has left the catalog."""

    def __init__(self, database: Database, catalog: CatalogService, clock: Clock) -> None:
        self._database = database
        self._catalog = catalog
        self._clock = clock
        self._retired: dict[str, ModelCard] = {}

    async def open(self) -> None:
        """Store the current catalog; call it again after each change.

        Raises Invalid if an id now means another model.
        """
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        cards = self._catalog.cards()

        def remember(transaction: Transaction) -> dict[str, ModelCard]:
            repository = CatalogRepository(transaction)
            repository.remember(cards, now)
            return repository.cards()

        self._keep(await self._database.write(remember))

    async def look(self) -> None:
        """Load what is stored without storing anything, for readers only."""
        self._keep(await stored_cards(self._database))

    def card(self, model_id: str) -> ModelCard:
        """Return a model's card; for a removed model, the last known one. Raises NotFound."""
        if model_id in self._retired:
            return self._retired[model_id]
        try:
            return self._catalog.card(self._catalog.model(model_id))
        except NotFound:
            raise NotFound(f"There is no model “{model_id}”.") from None

    def names(self) -> Sequence[str]:
        """Return every name of current and past models, and those of their makers that a person or server named.

        For ensembles, only the name: their owner and kind are ordinary words, as many families are.
        """
        cards = (*self._catalog.cards(), *self._retired.values())
        names = {
            name
            for card in cards
            for name in (
                card.id,
                card.name,
                *(() if card.kind == "ensemble" else _makers_of(card)),
            )
        }
        at_providers = {
            route.model
            for model in self._catalog.models()
            if model.kind == "single"
            for route in model.routes
        }
        return sorted((names | at_providers) - {""})

    def _keep(self, known: Mapping[str, ModelCard]) -> None:
        present = {model.id for model in self._catalog.models()}
        self._retired = {
            model_id: msgspec.structs.replace(card, enabled=False)
            for model_id, card in known.items()
            if model_id not in present
        }

    def known(self) -> dict[str, Sequence[str]]:
        """Return all current and past models: each id with its name and its names at providers, the catalog's first."""
        present = {model.id: model for model in self._catalog.models()}
        names = {
            model_id: (model.name, *(route.model for route in model.routes))
            for model_id, model in present.items()
        }
        return {**names, **{model_id: (card.name,) for model_id, card in self._retired.items()}}

    @staticmethod
    def adopt(transaction: Transaction, cards: Iterable[ModelCard], now: datetime) -> None:
        """Store unknown models as retired ones; call `learn` once the transaction is committed."""
        CatalogRepository(transaction).add_retired(cards, now)

    def learn(self, cards: Iterable[ModelCard]) -> None:
        """Remember models that were stored as retired, such as those of imported votes."""
        present = {model.id for model in self._catalog.models()}
        self._retired |= {card.id: card for card in cards if card.id not in present}


def _makers_of(card: ModelCard) -> tuple[str, ...]:
    """Return a model's organisation and family, unless its name told them: those names are well known."""
    facts: dict[Fact, str] = {"organization": card.organization, "family": card.family}
    return tuple(text for fact, text in facts.items() if card.known_from.get(fact) != "name")
