"""Opening a house: the database, the engine, the rooms, in order; and closing it in the reverse one."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from parley.kernel.errors import ParleyError
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from parley.storage.server_lock import lock_database
from parley.wire.ticker import Ticker
from parley.wiring.catalog import build_catalog, build_registry, open_connectors
from parley.wiring.rooms import House, assemble
from parley.workspace.sessions.service import SessionsService

PURGE_EVERY_S = 600.0

log = logging.getLogger(__name__)


@asynccontextmanager
async def open_house(settings: Settings, *, resume: bool = True) -> AsyncGenerator[House]:
    """Open the database, start the engine, play interrupted turns again; on leaving, close all in order.

    Without `resume` interrupted turns wait for the next start.
    """
    registry = build_registry()
    catalog = build_catalog(settings, registry)
    async with contextlib.AsyncExitStack() as open_things:
        open_things.enter_context(lock_folder(settings.data_dir))
        database = Database(settings.database_url)
        open_things.push_async_callback(database.close)
        await open_things.enter_async_context(lock_database(database))
        await first_start.prepare(settings.data_dir, database)
        ticker = Ticker()
        opened = await open_things.enter_async_context(open_connectors(settings, catalog, registry, ticker))
        house, recorder = await assemble(settings, registry, catalog, database, opened, ticker)
        recorder.start()
        house.hub.start()
        open_things.push_async_callback(house.hub.close)
        open_things.push_async_callback(recorder.close)
        open_things.push_async_callback(house.runner.close)
        resumed = await house.arena.resume() if resume else 0
        if resumed:
            log.info("%d interrupted turns are being played again", resumed)
        house.standings.start()
        open_things.push_async_callback(house.standings.close)
        house.imports.open()
        open_things.push_async_callback(house.imports.close)
        open_things.push_async_callback(house.category_model.close)
        warming = asyncio.create_task(house.voting.warm(), name="parley-warm-voting")
        open_things.callback(warming.cancel)
        purging = asyncio.create_task(_purge(house.sessions), name="parley-purge")
        open_things.callback(purging.cancel)
        yield house


async def database_revisions(settings: Settings) -> tuple[str | None, str]:
    """Return the database's revision (None: not there yet) and the newest. Raises ParleyError."""
    database = Database(settings.database_url)
    try:
        await first_start.check_not_lost(settings.data_dir, database)
        if database.is_missing():
            return None, schema.HEAD
        return await schema.current_revision(database), schema.HEAD
    finally:
        await database.close()


async def _purge(sessions: SessionsService) -> None:
    while True:
        try:
            await sessions.purge()
        except ParleyError as error:
            log.warning("deleted sessions could not be purged yet: %s", error)
        await asyncio.sleep(PURGE_EVERY_S)
