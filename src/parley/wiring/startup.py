"""Opens the application: database, engine and services in order, and closes them in reverse."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from parley.kernel.errors import ParleyError
from parley.kernel.structs import resolve_structs
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from parley.storage.server_lock import lock_database
from parley.wire.ticker import Ticker
from parley.wiring.application import Application
from parley.wiring.catalog import build_registry, build_sources, kept_reader, open_connectors

PURGE_EVERY_S = 600.0

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_application(settings: Settings, *, resume: bool = True) -> AsyncGenerator[Application]:
    """Open the database, start the engine and resume interrupted turns; close all on leaving.

    Without `resume` interrupted turns wait for the next start.
    """
    registry = build_registry()
    sources = build_sources(settings, registry)
    resolve_structs()
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(lock_folder(settings.data_dir))
        database = Database(settings.database_url)
        stack.push_async_callback(database.close)
        await stack.enter_async_context(lock_database(database))
        await first_start.prepare(settings.data_dir, database)
        ticker = Ticker()
        await sources.open(database, kept_reader(settings, registry))
        later = {provider.id for provider in sources.kept.entries.providers}
        connectors = await stack.enter_async_context(
            open_connectors(settings, sources.catalog, registry, ticker, later)
        )
        app = Application(settings, registry, sources, database, connectors, ticker)
        await app.load()
        app.recorder.start()
        app.hub.start()
        for service in (app.answers, app.hub, app.recorder, app.runner):
            stack.push_async_callback(service.close)
        resumed = await app.arena.resume() if resume else 0
        if resumed:
            log.info("Resuming %d interrupted turns", resumed)
        app.standings.start()
        app.search.start()
        app.titling.start()
        app.imports.open()
        app.attachments.open()
        for service in (app.standings, app.search, app.imports, app.category_model, app.titling):
            stack.push_async_callback(service.close)
        for name, work in (
            ("warm-voting", app.voting.warm()),
            ("purge", _purge(app)),
            ("model-list", sources.watch()),
        ):
            task = asyncio.create_task(work, name=f"parley-{name}")
            stack.callback(task.cancel)
        yield app


async def database_revisions(settings: Settings) -> tuple[str | None, str]:
    """Return the database's revision (None if there is none yet) and the newest. Raises ParleyError."""
    database = Database(settings.database_url)
    try:
        await first_start.check_not_lost(settings.data_dir, database)
        current = None if database.is_missing() else await schema.current_revision(database)
        return current, schema.HEAD
    finally:
        await database.close()


async def _purge(app: Application) -> None:
    while True:
        try:
            await app.sessions.purge()
            await app.attachments.sweep()
        except (ParleyError, OSError) as error:
            log.warning("Could not purge deleted sessions and attachments yet: %s", error)
        await asyncio.sleep(PURGE_EVERY_S)
