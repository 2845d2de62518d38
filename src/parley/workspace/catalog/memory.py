"""Cards of all models: those of the catalog, and those that votes and sessions still speak of."""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from parley.kernel.errors import NotFound
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.workspace.catalog.repository import CatalogRepository
from parley.workspace.catalog.service import CatalogService


class ModelMemory:
    """Knows a model's card even after the model has left the catalog."""

    def __init__(self, database: Database, catalog: CatalogService, clock: Clock) -> None:
        self._database = database
        self._catalog = catalog
        self._clock = clock
        self._retired: dict[str, ModelCard] = {}

    async def open(self) -> None:
        """Store the catalog as it is now. Raises Invalid where an id stands for another model than before."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        cards = self._catalog.cards()

        def remember(transaction: Transaction) -> dict[str, ModelCard]:
            repository = CatalogRepository(transaction)
            repository.remember(cards, now)
            return repository.cards()

        known = await self._database.write(remember)
        present = {model.id for model in self._catalog.models()}
        self._retired = {
            model_id: msgspec.structs.replace(card, enabled=False)
            for model_id, card in known.items()
            if model_id not in present
        }

    def card(self, model_id: str) -> ModelCard:
        """Return a model's card, the last known one where the model has left. Raises NotFound."""
        if model_id in self._retired:
            return self._retired[model_id]
        try:
            return self._catalog.card(self._catalog.model(model_id))
        except NotFound:
            raise NotFound(f"There has never been a model “{model_id}” here.") from None

    def names(self, model_id: str) -> Sequence[str]:
        """Return every name a model may call itself by: its card's, and those it has at its providers."""
        card = self.card(model_id)
        routes = () if model_id in self._retired else self._catalog.model(model_id).routes
        at_providers = (route.model for route in routes)
        return (card.id, card.name, card.organization, card.family, *at_providers)
