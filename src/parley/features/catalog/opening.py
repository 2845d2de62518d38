"""Reads the registry of plugins and the catalog of models."""

from parley import connectors, modes
from parley.features.catalog.reader import Entries
from parley.features.catalog.secrets import Secrets
from parley.features.catalog.service import NOTHING, CatalogService, make_catalog
from parley.features.catalog.sources import CatalogFile, CatalogSources
from parley.features.catalog.stored_entries import StoredEntriesReader
from parley.plugins.registry import Registry, load_registry
from parley.settings import Settings
from parley.settings_loading import environment
from parley.storage import schema
from parley.storage.database import Database
from parley.storage.read_only import readable
from parley.trust import Trust


def build_registry() -> Registry:
    """Load the modes and connectors, built-in ones and those of installed plugins."""
    return load_registry([modes, connectors])


def build_sources(settings: Settings, registry: Registry | None = None) -> CatalogSources:
    """Read the model list and the demo; the database follows. Raises ParleyError with file and line."""
    registry = registry or build_registry()
    file = CatalogFile(
        settings.models_file,
        required=settings.models is not None,
        connectors=registry.connectors.keys(),
        variables=environment(),
        trust=Trust() if "models" in settings.found else None,
    )
    configured = file.read_usable()
    demo = NOTHING
    if settings.demo_models != "off":
        from parley.connectors.demo import demo_catalog

        demo = Entries(*demo_catalog())
    catalog = make_catalog(configured, demo, settings.demo_models)
    return CatalogSources(file, demo, settings.demo_models, catalog)


async def read_catalog(settings: Settings, registry: Registry | None = None) -> CatalogService:
    """Read the whole catalog for a command, without changing anything. Raises ParleyError."""
    registry = registry or build_registry()
    sources = build_sources(settings, registry)
    with readable(settings.database_url) as address:
        database = Database(address)
        try:
            if not database.is_missing() and await schema.current_revision(database) == schema.HEAD:
                await sources.open(database, stored_entries_reader(settings, registry))
        finally:
            await database.close()
    return sources.catalog


def secrets_of(settings: Settings) -> Secrets:
    """Return what encrypts the keys of providers. Raises KeyLost for an invalid `secret_key`."""
    secret = settings.secret_key
    return Secrets(settings.data_dir, secret.get_secret_value() if secret else None)


def stored_entries_reader(settings: Settings, registry: Registry) -> StoredEntriesReader:
    """Return what makes catalog entries from the database's rows."""
    restricted = "data" in settings.found
    return StoredEntriesReader(
        secrets_of(settings), environment(), registry.connectors.keys(), restricted=restricted
    )
