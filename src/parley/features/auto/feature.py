"""Auto: chooses who answers a question."""

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.runner import Runner
from parley.features.arena.matchmaker import Matchmaker
from parley.features.arena.service import ArenaService
from parley.features.auto.lessons import AutoLessons
from parley.features.auto.presets import AutoPresets
from parley.features.auto.routes import routes, session_routes
from parley.features.auto.service import AutoService
from parley.features.auto.tables import AutoDecisionRow, AutoLessonRow, AutoPolicyRow
from parley.features.auto.telling import KindModel
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal
from parley.features.presets.service import PresetsService
from parley.features.standings.runtime import StandingsRuntime
from parley.features.tables.service import TablesService
from parley.features.tools.service import SessionToolbox
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.kernel.rates import CallerQuotas
from parley.settings import Settings
from parley.storage.database import Database


def _build(parts: Parts) -> tuple[AutoService, AutoLessons]:
    lessons = AutoLessons(parts[Database], parts[CatalogService], parts[WallClock])
    service = AutoService(
        database=parts[Database],
        catalog=parts[CatalogService],
        gateway=parts[Gateway],
        leaderboard=parts[StandingsRuntime].leaderboard,
        tables=parts[TablesService],
        toolbox=parts[SessionToolbox],
        clock=parts[WallClock],
        lessons=lessons,
        presets=AutoPresets(parts[PresetsService], parts[Matchmaker], parts[Gateway]),
        kinds=KindModel(parts[Settings].auto_model, parts[Gateway], parts[Runner].queue),
        # The limits are built later.
        quotas=lambda: parts[CallerQuotas],
    )
    parts[ArenaService].router = service
    return service, lessons


async def _erase(parts: Parts, caller: Caller) -> int:
    await parts[AutoLessons].forget(caller)
    return await parts[AutoService].erase(caller)


FEATURE = Feature(
    name="auto",
    needs=("arena", "catalog", "presets", "sessions", "standings", "tables", "tools"),
    tables=(AutoDecisionRow, AutoLessonRow, AutoPolicyRow),
    build=_build,
    routes=(routes, session_routes),
    personal=(
        Personal(
            noun="decision of Auto",
            count=lambda parts, caller: parts[AutoService].count(caller),
            erase=_erase,
        ),
    ),
)
