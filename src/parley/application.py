"""The composition root: the features, and how Parley is opened from its settings and closed again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module

from parley.api.contract import Routes
from parley.engine.answer_cache import MemoryAnswers
from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.features import FEATURES
from parley.features.catalog.connections import open_connectors
from parley.features.catalog.opening import build_registry, build_sources, kept_reader
from parley.features.catalog.sources import CatalogSources
from parley.features.feature import Feature, Features, StartOptions, run_hook
from parley.kernel.parts import Parts
from parley.kernel.structs import resolve_structs
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.blobs import FolderBlobs
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from parley.storage.redis_answers import open_redis_answers
from parley.storage.server_lock import lock_database
from parley.storage.turn_log import SqlTurnLog
from parley.wire.ticker import Ticker


class Application(Parts):
    """A running Parley: the engine, and what the features have built."""

    @property
    def routes(self) -> list[Routes]:
        """The routes of all features."""
        return [routes for feature in self[Features] for routes in feature.routes]

    async def interrupt(self) -> None:
        """Interrupt every turn, to be resumed at the next start, and end every stream."""
        for feature in reversed(self[Features]):
            await run_hook(feature.interrupt, self)
        await self[Runner].close()
        self[Hub].end_feeds()


@asynccontextmanager
async def open_application(settings: Settings, *, resume: bool = True) -> AsyncGenerator[Application]:
    """Open the database, start the engine and the features; close all on leaving. Raises ParleyError."""
    registry = build_registry()
    sources = build_sources(settings, registry)
    resolve_structs()
    async with AsyncExitStack() as stack:
        stack.enter_context(lock_folder(settings.data_dir))
        database = Database(settings.database_url)
        stack.push_async_callback(database.close)
        await stack.enter_async_context(lock_database(database))
        await first_start.prepare(settings.data_dir, database)
        await sources.open(database, kept_reader(settings, registry))
        app = Application(settings, registry, sources, sources.catalog, database, WallClock())
        features = Features((*built_in_features(), *registry.features))
        await schema.create_missing(database, [table for feature in features for table in feature.tables])
        app.add(features, StartOptions(resume))
        await _open_engine(app, stack)
        for feature in app[Features]:
            app.add(*feature.build(app))
            stack.push_async_callback(run_hook, feature.stop, app)
        for feature in app[Features]:
            await run_hook(feature.start, app)
        for loop in (loop for feature in app[Features] for loop in feature.background):
            stack.callback(asyncio.create_task(loop(app)).cancel)
        yield app


def built_in_features() -> list[Feature]:
    """Return the features of this package."""
    return [import_module(f"parley.features.{name}.feature").FEATURE for name in FEATURES]


def built_in_routes() -> list[Routes]:
    """Return the routes of the features of this package."""
    return [routes for feature in built_in_features() for routes in feature.routes]


async def _open_engine(app: Application, stack: AsyncExitStack) -> None:
    """Add the engine; it writes and streams from now on, until the stack closes."""
    settings, sources, ticker = app[Settings], app[CatalogSources], Ticker()
    catalog = sources.catalog
    later = {provider.id for provider in sources.kept.entries.providers}
    connectors = await stack.enter_async_context(
        open_connectors(settings, catalog, app[Registry], ticker, later)
    )
    turn_log = SqlTurnLog(app[Database], app[WallClock])
    hub = Hub(even_pacing=settings.battle_pacing == "even", ticker=ticker)
    recorder = Recorder(turn_log, hub.checkpoints)
    blobs = FolderBlobs(settings.data_dir / "attachments")
    answers = MemoryAnswers() if settings.cache_url == "memory" else open_redis_answers(settings.cache_url)
    options = GatewayOptions(region=settings.region)
    gateway = Gateway(catalog, connectors.of, options, recorder, blobs=blobs, answers=answers)
    runner = Runner(hub, recorder, gateway, catalog)
    app.add(connectors, turn_log, hub, recorder, blobs, gateway, runner)
    recorder.start()
    hub.start()
    for part in (answers, hub, recorder, runner):
        stack.push_async_callback(part.close)
