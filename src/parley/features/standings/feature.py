"""The leaderboard: tables, history, models, voters, and the published results that it may start from."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.replicas import Replicas
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.service import CatalogService
from parley.features.contestants.contestants import Contestants
from parley.features.feature import Feature
from parley.features.standings import prior_routes
from parley.features.standings.routes import routes
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.tables import (
    LatencyCountRow,
    ModelStatsRow,
    ModelUseRow,
    PairCountRow,
    RatingPointRow,
    StoredPriorRow,
    UncountedCountRow,
    VoterFlagRow,
    WorkerStatusRow,
)
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


def _build(parts: Parts) -> Sequence[object]:
    settings, memory, contestants = parts[Settings], parts[ModelMemory], parts[Contestants]
    replicas = parts[Replicas]
    informative = settings.battle_sampling == "informative"
    standings = StandingsRuntime(
        database=parts[Database],
        clock=parts[WallClock],
        card=memory.card,
        categories=parts[Categories],
        every_s=settings.standings_every,
        pool=parts[CatalogService].battle_pool if informative else None,
        members=contestants.members,
        known=memory.known,
        leads=(lambda: replicas.leads) if replicas.are_several else None,
    )
    return (standings,)


FEATURE = Feature(
    name="standings",
    needs=("catalog", "contestants", "vote_files"),
    build=_build,
    tables=(
        LatencyCountRow,
        ModelStatsRow,
        ModelUseRow,
        PairCountRow,
        RatingPointRow,
        StoredPriorRow,
        UncountedCountRow,
        VoterFlagRow,
        WorkerStatusRow,
    ),
    routes=(routes, prior_routes.routes),
    start=lambda parts: parts[StandingsRuntime].start(),
    interrupt=lambda parts: parts[StandingsRuntime].end_feeds(),
    stop=lambda parts: parts[StandingsRuntime].close(),
)
