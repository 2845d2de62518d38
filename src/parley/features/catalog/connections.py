"""The connectors to providers, and how model servers are reached."""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager

from parley.api.descriptors import shares
from parley.api.logs import request_id_header
from parley.features.catalog.service import CatalogService
from parley.kernel.connector import Connector
from parley.kernel.errors import Rejected
from parley.kernel.models import Provider
from parley.plugins.hookspecs import ConnectorFactory
from parley.plugins.registry import Registry
from parley.settings import Settings, SettingsError
from parley.settings_loading import environment
from parley.wire.dialing import Outgoing, trusting
from parley.wire.http import HttpClient, WireOptions
from parley.wire.proxies import DIRECT, Proxies, Proxy
from parley.wire.ticker import Ticker


def outgoing_of(settings: Settings) -> Outgoing:
    """Return how model servers are reached. Raises SettingsError for a proxy or certificates that can't be used."""
    try:
        if settings.proxy == "environment":
            proxies = Proxies.of_environment(environment())
        elif settings.proxy == "off":
            proxies = DIRECT
        else:
            proxy = Proxy.at(settings.proxy)
            proxies = Proxies(proxy, proxy, settings.no_proxy)
    except ValueError as error:
        raise SettingsError(f"PARLEY_PROXY: {error}.") from None
    if settings.ca_file is not None:
        try:
            trusting(settings.ca_file)
        except OSError as error:
            raise SettingsError(
                f"Can't use the certificates in {settings.ca_file}: {error.strerror or error}.",
                "The setting ca_file must name a file of certificates in PEM format.",
            ) from None
    return Outgoing(proxies, settings.ca_file)


class Connectors:
    """The connectors to providers, opened when first needed and again when a provider has changed."""

    def __init__(self, factories: Mapping[str, ConnectorFactory], client: HttpClient) -> None:
        self._factories = factories
        self._client = client
        self._open: dict[tuple[str, str], tuple[Provider, Connector]] = {}
        self._replaced: list[Connector] = []

    def of(self, provider: Provider) -> Connector:
        """Return the connector to a provider. Raises Rejected if it is not installed."""
        place = provider.id, provider.key_of
        known = self._open.get(place)
        if known is not None and (known[0] is provider or known[0] == provider):
            return known[1]
        if provider.connector not in self._factories:
            raise Rejected(
                f"The connector “{provider.connector}” is not installed.",
                "Install its plugin, then restart Parley.",
                code="no_connector",
            )
        connector = self._factories[provider.connector](provider, self._client)
        if known is not None:
            self._replaced.append(known[1])  # answers that still arrive through it continue
        self._open[place] = (provider, connector)
        return connector

    def pass_along(self, source: Callable[[], Mapping[str, str]]) -> None:
        """Add headers to every request of connectors that use Parley's client."""
        self._client.pass_along(source)

    def forget_keys_of(self, holder_id: str) -> None:
        """Use no connector any more that has a person's or workspace's own key."""
        for place in [each for each in self._open if each[1] == holder_id]:
            self._replaced.append(self._open.pop(place)[1])

    def allow(self, providers: Iterable[Provider]) -> None:
        """Let requests reach the addresses of these providers, and no other private ones."""
        addresses = (provider.base_url or "" for provider in providers)
        self._client.allow(url for url in addresses if url.startswith(("http://", "https://")))

    async def close(self) -> None:
        """Close all."""
        for connector in (*self._replaced, *(connector for _, connector in self._open.values())):
            await connector.close()
        await self._client.close()


@asynccontextmanager
async def open_connectors(
    settings: Settings,
    catalog: CatalogService,
    registry: Registry,
    ticker: Ticker | None = None,
    later: Collection[str] = (),
) -> AsyncGenerator[Connectors]:
    """Open every provider's connector without sending a request. Raises ParleyError if one can't be opened.

    Those of the providers `later` are opened when first needed, so a bad row of the database does not prevent a start.
    """
    # The gateway has a timeout per call, so the client needs none per read.
    options = WireOptions(
        idle_s=None,
        allow_loopback=True,
        max_connections=shares(settings).models,
        outgoing=outgoing_of(settings),
    )
    client = HttpClient(options, ticker=ticker)
    if settings.log_format == "json":
        client.pass_along(request_id_header)
    opened = Connectors(registry.connectors, client)
    try:
        opened.allow(catalog.providers())
        for provider in catalog.providers():
            if provider.id not in later:
                opened.of(provider)
        yield opened
    finally:
        await opened.close()
