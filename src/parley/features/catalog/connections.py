"""The connectors to providers, and how model servers are reached."""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from parley.api.descriptors import shares
from parley.api.logs import request_id_header
from parley.connectors.kubernetes.carried import CarriedCall, Way
from parley.connectors.kubernetes.cluster import Cluster
from parley.connectors.kubernetes.connector import as_jobs
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

PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


def outgoing_of(settings: Settings) -> Outgoing:
    """Return how model servers are reached. Raises SettingsError for a proxy or certificates that can't be used."""
    try:
        proxies = _proxies(settings.proxy, settings.no_proxy, environment())
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


def _proxies(proxy: str, no_proxy: tuple[str, ...], variables: Mapping[str, str]) -> Proxies:
    if proxy == "environment":
        return Proxies.of_environment(variables)
    if proxy == "off":
        return DIRECT
    one = Proxy.at(proxy)
    return Proxies(one, one, no_proxy)


def way_of(settings: Settings) -> Way:
    """Return how Jobs reach model servers: as this process does. Raises SettingsError."""
    outgoing_of(settings)
    variables = environment() if settings.proxy == "environment" else dict[str, str]()
    return Way(
        proxy=settings.proxy,
        no_proxy=settings.no_proxy,
        variables={name: value for name, value in variables.items() if name.upper() in PROXY_VARIABLES},
        certificates=settings.ca_file.read_text() if settings.ca_file else None,
    )


class Connectors:
    """The connectors to providers, opened when first needed and again when a provider has changed."""

    def __init__(
        self, factories: Mapping[str, ConnectorFactory], client: HttpClient, cluster: Cluster | None = None
    ) -> None:
        """`cluster`: where the calls of providers run that are set to `run: job`."""
        self._factories = factories
        self._cluster = cluster
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
        if provider.run == "job":
            connector = as_jobs(provider, connector, self._cluster)
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
        if self._cluster is not None:
            await self._cluster.close()
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
    cluster: Cluster | None = None,
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
    opened = Connectors(registry.connectors, client, cluster)
    try:
        opened.allow(catalog.providers())
        for provider in catalog.providers():
            if provider.id not in later:
                opened.of(provider)
        yield opened
    finally:
        await opened.close()


@asynccontextmanager
async def open_connector(call: CarriedCall, registry: Registry) -> AsyncGenerator[Connector]:
    """Open the connector of a carried call in its Job. Raises ParleyError."""
    way, file = call.way, None
    with TemporaryDirectory() as folder:
        if way.certificates is not None:
            file = Path(folder) / "ca.pem"
            file.write_text(way.certificates)
        outgoing = Outgoing(_proxies(way.proxy, way.no_proxy, way.variables), file)
        client = HttpClient(WireOptions(idle_s=None, allow_loopback=True, outgoing=outgoing))
        opened = Connectors(registry.connectors, client)
        provider = msgspec.structs.replace(call.provider, run="process")
        opened.allow([provider])
        try:
            yield opened.of(provider)
        finally:
            await opened.close()
