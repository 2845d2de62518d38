"""The composition root: settings become a house whose floors know each other only through ports."""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from parley import connectors, modes
from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.connector import Connector
from parley.kernel.errors import ParleyError
from parley.kernel.ports import LogEntry
from parley.plugins.registry import Registry, load_registry
from parley.settings import Settings, environment
from parley.storage import schema
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from parley.storage.server_lock import lock_database
from parley.storage.turn_log import SqlTurnLog
from parley.wire.http import HttpClient, WireOptions
from parley.wire.pulse import Pulse
from parley.workspace.accounts.service import AccountsService
from parley.workspace.arena.ballots import BallotService
from parley.workspace.arena.openings import Venue
from parley.workspace.arena.reading import ArenaReader
from parley.workspace.arena.service import ArenaService
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.catalog.reader import Entries
from parley.workspace.catalog.service import CatalogService, make_catalog, read_entries_file
from parley.workspace.sessions.service import SessionsService

PURGE_EVERY_S = 600.0

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class House:
    """Everything that a door needs."""

    settings: Settings
    registry: Registry
    catalog: CatalogService
    database: Database
    hub: Hub
    runner: Runner
    accounts: AccountsService
    arena: ArenaService
    ballots: BallotService
    sessions: SessionsService

    async def quiesce(self) -> None:
        """Interrupt every turn, which keeps it for the next start, and end every stream."""
        await self.runner.close()
        self.hub.end_feeds()


def build_registry() -> Registry:
    """Return the built-in modes and connectors, and those of installed plugins."""
    return load_registry([modes, connectors])


def build_catalog(settings: Settings, registry: Registry | None = None) -> CatalogService:
    """Return the catalog of the model list and the demo. Raises ParleyError with file and line."""
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
    pulse: Pulse | None = None,
) -> AsyncGenerator[Mapping[str, Connector]]:
    """Open every provider's connector, by provider id. No request is made yet."""
    registry = registry or build_registry()
    catalog = catalog or build_catalog(settings, registry)
    addresses = (provider.base_url or "" for provider in catalog.providers())
    origins = frozenset(url for url in addresses if url.startswith(("http://", "https://")))
    # The gateway keeps time, with one timer per call instead of one per read.
    options = WireOptions(idle_s=None, allow_loopback=True, allowed_origins=origins)
    client = HttpClient(options, pulse=pulse)
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


async def database_revisions(settings: Settings) -> tuple[str | None, str]:
    """Return the database's revision (None: not there yet) and the newest. Raises ParleyError."""
    database = Database(settings.database_url)
    if database.is_missing():
        await database.close()
        return None, schema.HEAD
    try:
        return await schema.current_revision(database), schema.HEAD
    finally:
        await database.close()


@asynccontextmanager
async def open_house(settings: Settings) -> AsyncGenerator[House]:
    """Open the database, start the engine, play interrupted turns again; on leaving, close all in order."""
    registry = build_registry()
    catalog = build_catalog(settings, registry)
    async with contextlib.AsyncExitStack() as open_things:
        open_things.enter_context(lock_folder(settings.data_dir))
        database = Database(settings.database_url)
        open_things.push_async_callback(database.close)
        await open_things.enter_async_context(lock_database(database))
        await schema.migrate(database)
        pulse = Pulse()
        opened = await open_things.enter_async_context(open_connectors(settings, catalog, registry, pulse))
        house, recorder = await _assemble(settings, registry, catalog, database, opened, pulse)
        recorder.start()
        house.hub.start()
        open_things.push_async_callback(house.hub.close)
        open_things.push_async_callback(recorder.close)
        open_things.push_async_callback(house.runner.close)
        resumed = await house.arena.resume()
        if resumed:
            log.info("%d interrupted turns are being played again", resumed)
        purging = asyncio.create_task(_purge(house.sessions), name="parley-purge")
        open_things.callback(purging.cancel)
        yield house


async def _assemble(
    settings: Settings,
    registry: Registry,
    catalog: CatalogService,
    database: Database,
    opened: Mapping[str, Connector],
    pulse: Pulse,
) -> tuple[House, Recorder]:
    clock = WallClock()
    accounts = AccountsService(database, clock)
    await accounts.open()
    memory = ModelMemory(database, catalog, clock)
    await memory.open()
    hub = Hub(even_pacing=settings.battle_pacing == "even", pulse=pulse)
    turn_log = SqlTurnLog(database, clock)
    recorder = Recorder(turn_log, lambda: _checkpoints(hub))
    gateway = Gateway(catalog, lambda provider: opened[provider.id], GatewayOptions())
    runner = Runner(hub, recorder, gateway, catalog)
    reader = ArenaReader(database, hub, turn_log, memory.card)
    arena = ArenaService(
        database=database,
        turn_log=turn_log,
        runner=runner,
        hub=hub,
        venue=Venue(registry.modes, catalog, memory.card, random.SystemRandom()),
        reader=reader,
        clock=clock,
    )
    ballots = BallotService(database=database, hub=hub, card=memory.card, names=memory.names, clock=clock)
    sessions = SessionsService(database=database, arena=arena, hub=hub, clock=clock)
    house = House(settings, registry, catalog, database, hub, runner, accounts, arena, ballots, sessions)
    return house, recorder


def _checkpoints(hub: Hub) -> list[LogEntry]:
    """Return what running replies have said since the last checkpoint."""
    return [entry for live in hub.turns() for entry in live.checkpoint()]


async def _purge(sessions: SessionsService) -> None:
    while True:
        try:
            await sessions.purge()
        except ParleyError as error:
            log.warning("deleted sessions could not be purged yet: %s", error)
        await asyncio.sleep(PURGE_EVERY_S)
