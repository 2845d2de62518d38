"""The composition root: the features, and how Parley is opened from its settings and closed again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module

from parley.api.contract import Routes
from parley.engine.clock import WallClock
from parley.engine.hub import Hub
from parley.engine.jobs import Jobs
from parley.engine.recorder import Recorder
from parley.engine.relay import Relay
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features import FEATURES
from parley.features.catalog.opening import build_registry, build_sources, stored_entries_reader
from parley.features.feature import Feature, Features, StartOptions, run_hook
from parley.kernel.errors import Unavailable
from parley.kernel.ids import random_id
from parley.kernel.parts import Parts
from parley.kernel.structs import resolve_structs
from parley.opened_engine import open_engine
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.addresses import allows_replicas
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from parley.storage.private import owner_only, tighten
from parley.storage.server_lock import lock_database
from parley.storage.tables.rows import Row


class Application(Parts):
    """A running Parley: the engine, and what the features have built."""

    @property
    def routes(self) -> list[Routes]:
        """The routes of all features."""
        return [routes for feature in self[Features] for routes in feature.routes]

    async def interrupt(self) -> None:
        """Interrupt every turn and job, to be resumed at the next start, and end every stream."""
        for feature in reversed(self[Features]):
            await run_hook(feature.interrupt, self)
        self[Replicas].rest()
        await self[Jobs].close()
        await self[Runner].close()
        self[Hub].end_feeds()
        self[Relay].end_feeds()
        with suppress(Unavailable):
            await self[Recorder].commit()
        await self[Replicas].close()


@asynccontextmanager
async def open_application(settings: Settings, *, resume: bool = True) -> AsyncGenerator[Application]:
    """Open the database, start the engine and the features; close all on leaving. Raises ParleyError."""
    registry = build_registry()
    sources = build_sources(settings, registry)
    resolve_structs()
    async with AsyncExitStack() as stack:
        stack.enter_context(owner_only())
        stack.enter_context(lock_folder(settings.data_dir))
        database = Database(settings.database_url)
        tighten(settings.data_dir, database.file)
        stack.push_async_callback(database.close)
        replica_id = random_id() if allows_replicas(settings.database_url, settings.redis_url) else None
        lock = await stack.enter_async_context(lock_database(database, replica_id))
        lock.wants_lead = resume
        features = Features((*built_in_features(), *registry.features))
        plugins = [table for feature in registry.features for table in feature.tables]
        async with lock.starting():
            await first_start.prepare(settings.data_dir, database, built_in_tables())
            await schema.create_missing(database, plugins)
        await sources.open(database, stored_entries_reader(settings, registry))
        app = Application(settings, registry, sources, sources.catalog, database, lock, WallClock())
        app.add(features, StartOptions(resume))
        await open_engine(app, stack)
        for feature in app[Features]:
            app.add(*feature.build(app))
            stack.push_async_callback(run_hook, feature.stop, app)
        for feature in app[Features]:
            await run_hook(feature.start, app)
        if resume:
            stack.push_async_callback(app[Jobs].close)
            await app[Jobs].start()
        for loop in (loop for feature in app[Features] for loop in feature.background):
            stack.callback(asyncio.create_task(loop(app)).cancel)
        yield app


def built_in_features() -> list[Feature]:
    """Return the features of this package."""
    return [import_module(f"parley.features.{name}.feature").FEATURE for name in FEATURES]


def built_in_tables() -> list[type[Row]]:
    """Return the tables of the features of this package, which the migration creates."""
    return [row for feature in built_in_features() for row in feature.tables]


def built_in_routes() -> list[Routes]:
    """Return the routes of the features of this package."""
    return [routes for feature in built_in_features() for routes in feature.routes]
