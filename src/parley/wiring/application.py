"""The application: its engine and its services, and what each of them is given."""

import random
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.connector import Connector
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Model
from parley.kernel.ports import LogEntry
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
from parley.workspace.votes.asking import CategoryModel
from parley.workspace.votes.correcting import VoteCategories
from parley.workspace.votes.exporting import VoteExports
from parley.workspace.votes.importing import VoteImports
from parley.workspace.votes.service import VotesService
from parley.workspace.voting.service import VotingService


class Application:
    """The engine, and the services that the API and the command line use, each built when first used."""

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        catalog: CatalogService,
        database: Database,
        connectors: Mapping[str, Connector],
        pulse: Pulse,
    ) -> None:
        self.settings = settings
        self.registry = registry
        self.catalog = catalog
        self.database = database
        self._clock = WallClock()
        self._memory = ModelMemory(database, catalog, self._clock)
        self._contestants = Contestants(
            database=database, catalog=catalog, memory=self._memory, modes=registry.modes
        )
        self._categories = Categories([category.own() for category in settings.categories])
        self._turn_log = SqlTurnLog(database, self._clock)
        self.hub = Hub(even_pacing=settings.battle_pacing == "even", pulse=pulse)
        self.recorder = Recorder(self._turn_log, self._checkpoints)
        self._gateway = Gateway(
            catalog, lambda provider: connectors[provider.id], GatewayOptions(), self.recorder
        )
        self.runner = Runner(self.hub, self.recorder, self._gateway, catalog)
        ensembles = PlayedEnsembles(
            find=self._contestants.find,
            modes=registry.modes,
            card=self._memory.card,
            hub=self.hub,
            gateway=self._gateway,
            recorder=self.recorder,
            computing=self.runner.computing,
        )
        self._gateway.admit(ensembles)
        self._asked_model = _category_model(settings, catalog)

    async def load(self) -> None:
        """Read what the services keep in memory: the owner's account, models and ensembles."""
        await self.accounts.open()
        await self._contestants.open()

    async def interrupt(self) -> None:
        """Interrupt every turn, to be resumed at the next start, and end every stream."""
        await self.runner.close()
        self.hub.end_feeds()
        self.standings.end_feeds()

    @property
    def folders(self) -> set[Path]:
        """The folders that are written to: the data folder, and the database's own if it is elsewhere."""
        file = self.database.url.database if self.database.is_sqlite else None
        return {self.settings.data_dir, *([Path(file).absolute().parent] if file else [])}

    @cached_property
    def accounts(self) -> AccountsService:
        """Knows who is asking."""
        return AccountsService(self.database.patient(), self._clock)

    @cached_property
    def arena(self) -> ArenaService:
        """Starts matches and turns, and reads them."""
        return ArenaService(
            database=self.database,
            turn_log=self._turn_log,
            runner=self.runner,
            hub=self.hub,
            venue=self._venue,
            reader=ArenaReader(self.database, self.hub, self._turn_log, self._memory.card),
            clock=self._clock,
        )

    @cached_property
    def sessions(self) -> SessionsService:
        """Lists, changes and deletes sessions."""
        return SessionsService(database=self.database, arena=self.arena, hub=self.hub, clock=self._clock)

    @cached_property
    def presets(self) -> PresetsService:
        """Keeps saved line-ups."""
        return PresetsService(
            database=self.database, venue=self._venue, clock=self._clock, changed=self._contestants.open
        )

    @cached_property
    def standings(self) -> StandingsRoom:
        """Counts votes and computes the tables."""
        informative = self.settings.battle_sampling == "informative"
        return StandingsRoom(
            database=self.database,
            clock=self._clock,
            card=self._memory.card,
            categories=self._categories,
            every_s=self.settings.standings_every,
            pool=self.catalog.battle_pool if informative else None,
        )

    @cached_property
    def voting(self) -> VotingService:
        """Takes votes."""
        return VotingService(
            database=self.database,
            hub=self.hub,
            card=self._memory.card,
            names=self._memory.names,
            categorise=self._categories.categorise,
            clock=self._clock,
            voted=self.standings.wake,
            consider=self.category_model.consider,
        )

    @cached_property
    def votes(self) -> VotesService:
        """Reads votes that were cast."""
        return VotesService(database=self.database, arena=self.arena, card=self._memory.card)

    @cached_property
    def vote_categories(self) -> VoteCategories:
        """Explains and corrects the categories of votes."""
        return VoteCategories(
            database=self.database,
            arena=self.arena,
            categories=self._categories,
            clock=self._clock,
            wake=self.standings.wake,
        )

    @cached_property
    def category_model(self) -> CategoryModel:
        """Asks a model for the categories of votes, if one is set."""
        return CategoryModel(
            model=self._asked_model,
            gateway=self._gateway,
            queue=self.runner.queue,
            categories=self.vote_categories,
        )

    @cached_property
    def imports(self) -> VoteImports:
        """Imports files of votes."""
        return VoteImports(
            database=self.database.patient(),
            memory=self._memory,
            folder=self.settings.data_dir,
            clock=self._clock,
            categories=self._categories,
            wake=self.standings.wake,
            limits=self.settings.file_limits,
        )

    @cached_property
    def exports(self) -> VoteExports:
        """Exports votes as files."""
        return VoteExports(database=self.database.patient(), card=self._memory.card)

    @cached_property
    def _venue(self) -> Venue:
        sampling = Sampling(
            self.settings.battle_sampling,
            is_down=self._gateway.is_down,
            pair_chances=self.standings.pair_chances,
        )
        find, chance = self._contestants.find, random.SystemRandom()
        return Venue(self.registry.modes, self.catalog, self._memory.card, chance, sampling, find)

    def _checkpoints(self) -> list[LogEntry]:
        """Return what running replies have said since the last checkpoint."""
        return [entry for live in self.hub.turns() for entry in live.checkpoint()]


def _category_model(settings: Settings, catalog: CatalogService) -> Model | None:
    """Return the model that is asked for categories. Raises ParleyError if the model list lacks it."""
    if settings.category_model is None:
        return None
    try:
        return catalog.model(settings.category_model)
    except NotFound as error:
        raise ParleyError(f"category_model: {error.title}", code="invalid_settings") from None
