"""The state of providers now: their health, whether they answer, and what they offer."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.health import ProviderHealth
from parley.features.catalog.addresses import BY_ADDRESS
from parley.features.catalog.connections import Connectors
from parley.features.catalog.discovery.asking import ask_connector
from parley.features.catalog.discovery.checks import ProviderCheck, check_providers
from parley.features.catalog.discovery.findings import Offer
from parley.features.catalog.discovery.service import DiscoveryService
from parley.features.catalog.service import CatalogService
from parley.kernel.models import Provider


class ProviderStates:
    """Asks providers, and the gateway about them."""

    def __init__(
        self,
        catalog: CatalogService,
        gateway: Gateway,
        connectors: Connectors,
        discovery: DiscoveryService,
        clock: WallClock,
    ) -> None:
        self._catalog = catalog
        self._gateway = gateway
        self._connectors = connectors
        self._discovery = discovery
        self._clock = clock

    def health(self) -> Sequence[ProviderHealth]:
        """Return the state of every provider that an enabled model uses."""
        routes = (route for model in self._catalog.models() if model.enabled for route in model.routes)
        return self._gateway.health.read(list(dict.fromkeys(route.provider for route in routes)))

    async def check(self) -> list[ProviderCheck]:
        """Ask every provider for its models."""
        return list(await check_providers(self._catalog, self._catalog.providers(), self._connectors.of))

    async def offer_of(self, provider: Provider) -> Offer:
        """Test a provider, and return the models that it offers. A saved key goes to its own address only."""
        if provider.connector in BY_ADDRESS:
            return await self._discovery.test(None, provider.base_url, provider.api_key)
        return await ask_connector(provider, self._connectors.of, self._clock.now())
