"""The rooms of a house, put together: who gets what."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.engine.turn_queue import TurnQueue
from parley.kernel.connector import Connector
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Model
from parley.kernel.ports import Clock, LogEntry
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database
from parley.storage.turn_log import SqlTurnLog
from parley.text.categories.categorise import Categories
from parley.wire.pulse import Pulse
from parley.workspace.accounts.service import AccountsService
from parley.workspace.arena.openings import Venue
from parley.workspace.arena.reading import ArenaReader
from parley.workspace.arena.sampling import Sampling
from parley.workspace.arena.service import ArenaService
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.catalog.service import CatalogService
from parley.workspace.presets.contestants import Contestants
from parley.workspace.presets.service import PresetsService
from parley.workspace.sessions.service import SessionsService
from parley.workspace.standings.room import StandingsRoom
from parley.workspace.vote_files.exports import VoteExports
from parley.workspace.vote_files.imports import VoteImports
from parley.workspace.votes.categories import VoteCategories
from parley.workspace.votes.category_model import CategoryModel
from parley.workspace.votes.service import VotesService
from parley.workspace.voting.service import VotingService


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
    sessions: SessionsService
    presets: PresetsService
    standings: StandingsRoom
    voting: VotingService
    votes: VotesService
    vote_categories: VoteCategories
    category_model: CategoryModel
    imports: VoteImports
    exports: VoteExports

    @property
    def folders(self) -> set[Path]:
        """The folders that are written: the data folder, and the database's own where it is elsewhere."""
        file = self.database.url.database if self.database.is_sqlite else None
        return {self.settings.data_dir, *([Path(file).absolute().parent] if file else [])}

    async def quiesce(self) -> None:
        """Interrupt every turn, which keeps it for the next start, and end every stream."""
        await self.runner.close()
        self.hub.end_feeds()
        self.standings.end_feeds()


class _Ground(NamedTuple):
    """What the rooms stand on."""

    settings: Settings
    catalog: CatalogService
    database: Database
    clock: Clock
    memory: ModelMemory
    hub: Hub
    recorder: Recorder
    gateway: Gateway
    queue: TurnQueue
    categories: Categories


async def assemble(
    settings: Settings,
    registry: Registry,
    catalog: CatalogService,
    database: Database,
    opened: Mapping[str, Connector],
    pulse: Pulse,
) -> tuple[House, Recorder]:
    """Return a house with its rooms, and the recorder that it stands on. Nothing runs yet."""
    clock = WallClock()
    accounts = AccountsService(database.patient(), clock)
    await accounts.open()
    memory = ModelMemory(database, catalog, clock)
    contestants = Contestants(database=database, catalog=catalog, memory=memory, modes=registry.modes)
    await contestants.open()
    hub = Hub(even_pacing=settings.battle_pacing == "even", pulse=pulse)
    turn_log = SqlTurnLog(database, clock)
    recorder = Recorder(turn_log, lambda: _checkpoints(hub))
    gateway = Gateway(catalog, lambda provider: opened[provider.id], GatewayOptions(), recorder)
    runner = Runner(hub, recorder, gateway, catalog)
    categories = Categories([category.own() for category in settings.categories])
    ground = _Ground(
        settings, catalog, database, clock, memory, hub, recorder, gateway, runner.queue, categories
    )
    gateway.admit(_ensembles(ground, registry, contestants, runner))
    standings = _standings(ground)
    sampling = Sampling(
        settings.battle_sampling, is_down=gateway.is_down, pair_chances=standings.pair_chances
    )
    chance = random.SystemRandom()
    venue = Venue(registry.modes, catalog, memory.card, chance, sampling, contestants.find)
    arena = ArenaService(
        database=database,
        turn_log=turn_log,
        runner=runner,
        hub=hub,
        venue=venue,
        reader=ArenaReader(database, hub, turn_log, memory.card),
        clock=clock,
    )
    sessions = SessionsService(database=database, arena=arena, hub=hub, clock=clock)
    presets = PresetsService(database=database, venue=venue, clock=clock, changed=contestants.open)
    rooms = (accounts, arena, sessions, presets, standings, *_vote_rooms(ground, arena, standings))
    return House(settings, registry, catalog, database, hub, runner, *rooms), recorder


def _ensembles(
    ground: _Ground, registry: Registry, contestants: Contestants, runner: Runner
) -> PlayedEnsembles:
    return PlayedEnsembles(
        find=contestants.find,
        modes=registry.modes,
        card=ground.memory.card,
        hub=ground.hub,
        gateway=ground.gateway,
        recorder=ground.recorder,
        computing=runner.computing,
    )


def _standings(ground: _Ground) -> StandingsRoom:
    informative = ground.settings.battle_sampling == "informative"
    return StandingsRoom(
        database=ground.database,
        clock=ground.clock,
        card=ground.memory.card,
        categories=ground.categories,
        every_s=ground.settings.standings_every,
        pool=ground.catalog.battle_pool if informative else None,
    )


_VoteRooms: TypeAlias = tuple[
    VotingService, VotesService, VoteCategories, CategoryModel, VoteImports, VoteExports
]


def _vote_rooms(ground: _Ground, arena: ArenaService, standings: StandingsRoom) -> _VoteRooms:
    database, clock, memory, categories = ground.database, ground.clock, ground.memory, ground.categories
    corrections = VoteCategories(
        database=database, arena=arena, categories=categories, clock=clock, wake=standings.wake
    )
    asked = CategoryModel(
        model=_category_model(ground.settings, ground.catalog),
        gateway=ground.gateway,
        queue=ground.queue,
        categories=corrections,
    )
    voting = VotingService(
        database=database,
        hub=ground.hub,
        card=memory.card,
        names=memory.names,
        categorise=categories.categorise,
        clock=clock,
        voted=standings.wake,
        consider=asked.consider,
    )
    imports = VoteImports(
        database=database.patient(),
        memory=memory,
        folder=ground.settings.data_dir,
        clock=clock,
        categories=categories,
        wake=standings.wake,
        limits=ground.settings.file_limits,
    )
    votes = VotesService(database=database, arena=arena, card=memory.card)
    exports = VoteExports(database=database.patient(), card=memory.card)
    return voting, votes, corrections, asked, imports, exports


def _category_model(settings: Settings, catalog: CatalogService) -> Model | None:
    """Return the model that is asked for categories. Raises ParleyError where the list does not have it."""
    wanted = settings.category_model
    if wanted is None:
        return None
    try:
        return catalog.model(wanted)
    except NotFound as error:
        raise ParleyError(f"category_model: {error.title}", code="invalid_settings") from None


def _checkpoints(hub: Hub) -> list[LogEntry]:
    """Return what running replies have said since the last checkpoint."""
    return [entry for live in hub.turns() for entry in live.checkpoint()]
