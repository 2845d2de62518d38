"""The application: its engine and its services, and how they are connected."""

import random
from pathlib import Path

from parley.engine.answer_cache import MemoryAnswers
from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.health import ProviderHealth
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.runner import Runner
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Model, Provider
from parley.kernel.ports import Answers, LogEntry
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.settings_loading import environment
from parley.storage.blobs import FolderBlobs
from parley.storage.database import Database
from parley.storage.redis_answers import open_redis_answers
from parley.storage.turn_log import SqlTurnLog
from parley.text.categories.categorise import Categories
from parley.wire.ticker import Ticker
from parley.wiring.catalog import Connectors, outgoing_of, secrets_of
from parley.workspace.accounts.service import AccountsService
from parley.workspace.arena.matchmaker import Matchmaker
from parley.workspace.arena.reading import ArenaReader
from parley.workspace.arena.sampling import Sampling
from parley.workspace.arena.service import ArenaService
from parley.workspace.attachments.limits import AttachmentLimits
from parley.workspace.attachments.service import AttachmentsService
from parley.workspace.catalog.kept_models import KeptModels
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.catalog.providers import ProvidersService
from parley.workspace.catalog.service import CatalogService
from parley.workspace.catalog.sources import CatalogSources
from parley.workspace.data.service import DataService
from parley.workspace.discovery.asking import BY_ADDRESS, ask_connector
from parley.workspace.discovery.checks import ProviderCheck, check_providers
from parley.workspace.discovery.findings import Offer
from parley.workspace.discovery.service import DiscoveryService
from parley.workspace.presets.contestants import Contestants
from parley.workspace.presets.dependents import dependents
from parley.workspace.presets.service import PresetsService
from parley.workspace.session_files.service import SessionFiles
from parley.workspace.sessions.indexing import SearchIndexing
from parley.workspace.sessions.service import SessionsService
from parley.workspace.sessions.titling import Titling
from parley.workspace.standings.runtime import StandingsRuntime
from parley.workspace.templates.service import TemplatesService
from parley.workspace.vote_files.exports import VoteExports
from parley.workspace.vote_files.imports import VoteImports
from parley.workspace.vote_history.categories import VoteCategories
from parley.workspace.vote_history.category_model import CategoryModel
from parley.workspace.vote_history.service import VotesService
from parley.workspace.voting.service import VotingService
from parley.workspace.voting.withdrawals import Withdrawals


class Application:
    """The engine, and the services that the API and the command line use. Nothing runs yet."""

    def __init__(
        self,
        settings: Settings,
        registry: Registry,
        sources: CatalogSources,
        database: Database,
        connectors: Connectors,
        ticker: Ticker,
    ) -> None:
        self.settings = settings
        self.registry = registry
        self.sources = sources
        self.catalog = catalog = sources.catalog
        self.database = database
        self._connectors = connectors
        self._clock = WallClock()
        self._memory = ModelMemory(database, catalog, self._clock)
        self._contestants = Contestants(
            database=database, catalog=catalog, memory=self._memory, modes=registry.modes
        )
        self._categories = Categories([category.own() for category in settings.categories])
        self._turn_log = SqlTurnLog(database, self._clock)
        self.hub = Hub(even_pacing=settings.battle_pacing == "even", ticker=ticker)
        self.recorder = Recorder(self._turn_log, self._checkpoints)
        self.answers = _answers(settings)
        options = GatewayOptions(region=settings.region)
        self._blobs = FolderBlobs(settings.data_dir / "attachments")
        self._gateway = Gateway(
            catalog, connectors.of, options, self.recorder, blobs=self._blobs, answers=self.answers
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
        self._build_catalog()
        matchmaker = self._build_arena()
        self._build_sessions(matchmaker)
        self._build_votes()
        self._build_files()

    async def load(self) -> None:
        """Read what the services keep in memory: the owner's account, models and ensembles."""
        await self.accounts.open()
        await self._contestants.open()
        self.sources.follow(self._follow_catalog)

    async def _follow_catalog(self, providers: set[str]) -> None:
        """Apply a changed catalog; `providers` are the ids of the changed providers."""
        self._connectors.allow(self.catalog.providers())
        for provider_id in providers:
            self._gateway.forget(provider_id)
        await self._contestants.open()

    async def interrupt(self) -> None:
        """Interrupt every turn, to be resumed at the next start, and end every stream."""
        await self.titling.close()
        await self.runner.close()
        self.hub.end_feeds()
        self.standings.end_feeds()

    @property
    def folders(self) -> set[Path]:
        """The folders that are written to: the data folder, and the database's own if it is elsewhere."""
        file = self.database.url.database if self.database.is_sqlite else None
        return {self.settings.data_dir, *([Path(file).absolute().parent] if file else [])}

    def _build_catalog(self) -> None:
        database = self.database.patient()
        self.kept_models = KeptModels(
            database=database, sources=self.sources, clock=self._clock, dependents=dependents
        )
        self.providers = ProvidersService(
            database=database,
            sources=self.sources,
            models=self.kept_models,
            secrets=secrets_of(self.settings),
            connectors=self.registry.connectors.keys(),
            health=self._gateway.health.read,
            clock=self._clock,
        )
        self.discovery = DiscoveryService(
            environment, self._clock, self.settings.discover_at, outgoing_of(self.settings)
        )

    def _build_arena(self) -> Matchmaker:
        settings, database, clock = self.settings, self.database, self._clock
        informative = settings.battle_sampling == "informative"
        self.standings = StandingsRuntime(
            database=database,
            clock=clock,
            card=self._memory.card,
            categories=self._categories,
            every_s=settings.standings_every,
            pool=self.catalog.battle_pool if informative else None,
            members=self._contestants.members,
            known=self._memory.known,
        )
        sampling = Sampling(
            settings.battle_sampling,
            is_down=self._gateway.is_down,
            pair_chances=self.standings.pair_chances,
        )
        find, chance = self._contestants.find, random.SystemRandom()
        matchmaker = Matchmaker(self.registry.modes, self.catalog, self._memory.card, chance, sampling, find)
        self.accounts = AccountsService(database.patient(), clock)
        self.titling = Titling(
            model_id=settings.title_model,
            catalog=self.catalog,
            gateway=self._gateway,
            queue=self.runner.queue,
            database=database,
            hub=self.hub,
        )
        self.arena = ArenaService(
            database=database,
            turn_log=self._turn_log,
            runner=self.runner,
            hub=self.hub,
            matchmaker=matchmaker,
            reader=ArenaReader(database, self.hub, self._memory.card),
            clock=clock,
            begun=self.titling.consider,
        )
        return matchmaker

    def _build_sessions(self, matchmaker: Matchmaker) -> None:
        database, clock = self.database, self._clock
        self.search = SearchIndexing(database)
        self.sessions = SessionsService(
            database=database,
            arena=self.arena,
            search=self.search,
            titling=self.titling,
            hub=self.hub,
            clock=clock,
        )
        self.presets = PresetsService(
            database=database, matchmaker=matchmaker, clock=clock, changed=self._contestants.open
        )
        self.templates = TemplatesService(database, clock)

    def _build_votes(self) -> None:
        database, memory, categories = self.database, self._memory, self._categories
        clock, wake = self._clock, self.standings.wake
        self.vote_categories = VoteCategories(
            database=database, arena=self.arena, categories=categories, clock=clock, wake=wake
        )
        self.category_model = CategoryModel(
            model=_category_model(self.settings, self.catalog),
            gateway=self._gateway,
            queue=self.runner.queue,
            categories=self.vote_categories,
        )
        self.withdrawals = Withdrawals(
            database=database, hub=self.hub, card=memory.card, clock=clock, wake=wake
        )
        self.voting = VotingService(
            database=database,
            hub=self.hub,
            card=memory.card,
            names=memory.names,
            categorise=categories.categorise,
            clock=clock,
            voted=wake,
            consider=self.category_model.consider,
            saved=self.withdrawals.saved,
        )
        self.votes = VotesService(database=database, arena=self.arena, card=memory.card)

    def _build_files(self) -> None:
        database, memory = self.database, self._memory
        self.imports = VoteImports(
            database=database.patient(),
            memory=memory,
            folder=self.settings.data_dir,
            clock=self._clock,
            categories=self._categories,
            wake=self.standings.wake,
            limits=self.settings.file_limits,
        )
        self.session_files = SessionFiles(
            database=database.patient(), sessions=self.sessions, memory=memory, clock=self._clock
        )
        self.attachments = AttachmentsService(
            database=database,
            blobs=self._blobs,
            folder=self.settings.data_dir / "attachments" / "incoming",
            limits=AttachmentLimits(size=self.settings.attachment_max_mb << 20),
            clock=self._clock,
        )
        self.exports = VoteExports(database=database.patient(), card=memory.card)
        self.data = DataService(
            database=database,
            folder=self.settings.data_dir,
            sessions=self.sessions,
            presets=self.presets,
            attachments=self.attachments,
            templates=self.templates,
            votes=self.exports,
        )

    def provider_health(self) -> list[ProviderHealth]:
        """Return the state of every provider that an enabled model uses."""
        routes = (route for model in self.catalog.models() if model.enabled for route in model.routes)
        return self._gateway.health.read(list(dict.fromkeys(route.provider for route in routes)))

    async def check_providers(self) -> list[ProviderCheck]:
        """Ask every provider for its models."""
        return list(await check_providers(self.catalog, self.catalog.providers(), self._connectors.of))

    async def offer_of(self, provider: Provider) -> Offer:
        """Test a provider, and return the models that it offers. A saved key goes to its own address only."""
        if provider.connector in BY_ADDRESS:
            return await self.discovery.test(None, provider.base_url, provider.api_key)
        return await ask_connector(provider, self._connectors.of, self._clock.now())

    def _checkpoints(self) -> list[LogEntry]:
        """Return the new texts of running replies since the last checkpoint."""
        return [entry for live in self.hub.turns() for entry in live.checkpoint()]


def _answers(settings: Settings) -> Answers:
    """Return where answers of models are cached. Raises ParleyError if the client of Redis is not installed."""
    return MemoryAnswers() if settings.cache_url == "memory" else open_redis_answers(settings.cache_url)


def _category_model(settings: Settings, catalog: CatalogService) -> Model | None:
    """Return the model that is asked for categories. Raises ParleyError if the model list lacks it."""
    if settings.category_model is None:
        return None
    try:
        return catalog.model(settings.category_model)
    except NotFound as error:
        raise ParleyError(f"category_model: {error.title}", code="invalid_settings") from None
