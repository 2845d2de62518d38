"""Builds the registry of plugins, the catalog of models, and the connectors to providers."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from parley import connectors, modes
from parley.kernel.connector import Connector
from parley.plugins.registry import Registry, load_registry
from parley.settings import Settings, environment
from parley.wire.http import HttpClient, WireOptions
from parley.wire.ticker import Ticker
from parley.wiring.descriptors import shares
from parley.workspace.catalog.reader import Entries
from parley.workspace.catalog.service import CatalogService, make_catalog, read_entries_file


def build_registry() -> Registry:
    """Load the modes and connectors, built-in ones and those of installed plugins."""
    return load_registry([modes, connectors])


def build_catalog(settings: Settings, registry: Registry | None = None) -> CatalogService:
    """Build the catalog from the model list and the demo. Raises ParleyError with file and line."""
    registry = registry or build_registry()
    configured = Entries((), ())
    if settings.models is not None or settings.models_file.exists():
        configured = read_entries_file(
            settings.models_file, connectors=registry.connectors.keys(), variables=environment()
        )
    demo = Entries((), ())
    if settings.demo_models != "off":
        from parley.connectors.demo import demo_catalog

        demo = Entries(*demo_catalog())
    return make_catalog(configured, demo, settings.demo_models)


@asynccontextmanager
async def open_connectors(
    settings: Settings,
    catalog: CatalogService | None = None,
    registry: Registry | None = None,
    ticker: Ticker | None = None,
) -> AsyncGenerator[Mapping[str, Connector]]:
    """Open every provider's connector, by provider id, without sending a request."""
    registry = registry or build_registry()
    catalog = catalog or build_catalog(settings, registry)
    addresses = (provider.base_url or "" for provider in catalog.providers())
    origins = frozenset(url for url in addresses if url.startswith(("http://", "https://")))
    # The gateway has a timeout per call, so the client needs none per read.
    options = WireOptions(
        idle_s=None, allow_loopback=True, allowed_origins=origins, max_connections=shares(settings).models
    )
    client = HttpClient(options, ticker=ticker)
    opened = {
        provider.id: registry.connectors[provider.connector](provider, client)
        for provider in catalog.providers()
    }
    try:
        yield opened
    finally:
        for connector in opened.values():
            await connector.close()
        await client.close()
