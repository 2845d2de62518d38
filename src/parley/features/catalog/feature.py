"""The catalog: models and providers, in the model list, in the database, and those that can be discovered."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.catalog.connections import Connectors, outgoing_of
from parley.features.catalog.discovery.service import DiscoveryService
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.opening import secrets_of
from parley.features.catalog.pool import BattlePool
from parley.features.catalog.provider_states import ProviderStates
from parley.features.catalog.providers import ProvidersService
from parley.features.catalog.routes import models_routes, pool_routes, routes
from parley.features.catalog.service import CatalogService
from parley.features.catalog.sources import CatalogSources
from parley.features.catalog.stored_models import StoredModels
from parley.features.catalog.tables import ModelRow, PoolChoiceRow, ProviderRow
from parley.features.feature import Feature
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.settings_loading import environment
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    settings, sources, clock = parts[Settings], parts[CatalogSources], parts[WallClock]
    database, gateway, catalog = parts[Database].patient(), parts[Gateway], parts[CatalogService]
    models = StoredModels(database=database, sources=sources, clock=clock)
    providers = ProvidersService(
        database=database,
        sources=sources,
        models=models,
        secrets=secrets_of(settings),
        connectors=parts[Registry].connectors.keys(),
        health=gateway.health.read,
        clock=clock,
    )
    discovery = DiscoveryService(environment, clock, settings.discover_at, outgoing_of(settings))
    states = ProviderStates(catalog, gateway, parts[Connectors], discovery, clock)
    memory = ModelMemory(parts[Database], catalog, clock)
    pool = BattlePool(database, sources, gateway.health.read, clock)
    return memory, models, providers, discovery, states, pool


FEATURE = Feature(
    name="catalog",
    build=_build,
    tables=(ProviderRow, ModelRow, PoolChoiceRow),
    routes=(routes, models_routes, pool_routes),
    start=lambda parts: parts[ProvidersService].finish_rotation(),
    background=(lambda parts: parts[CatalogSources].watch(),),
)
