"""Auto: chooses who answers a question."""

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.features.arena.service import ArenaService
from parley.features.auto.routes import routes, session_routes
from parley.features.auto.service import AutoService
from parley.features.auto.tables import AutoDecisionRow, AutoPolicyRow
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal
from parley.features.standings.runtime import StandingsRuntime
from parley.features.tables.service import TablesService
from parley.features.tools.service import SessionToolbox
from parley.kernel.parts import Parts
from parley.storage.database import Database


def _build(parts: Parts) -> tuple[AutoService]:
    service = AutoService(
        database=parts[Database],
        catalog=parts[CatalogService],
        gateway=parts[Gateway],
        leaderboard=parts[StandingsRuntime].leaderboard,
        tables=parts[TablesService],
        toolbox=parts[SessionToolbox],
        clock=parts[WallClock],
    )
    parts[ArenaService].router = service
    return (service,)


FEATURE = Feature(
    name="auto",
    needs=("arena", "catalog", "sessions", "standings", "tables", "tools"),
    tables=(AutoDecisionRow, AutoPolicyRow),
    build=_build,
    routes=(routes, session_routes),
    personal=(
        Personal(
            noun="decision of Auto",
            count=lambda parts, caller: parts[AutoService].count(caller),
            erase=lambda parts, caller: parts[AutoService].erase(caller),
        ),
    ),
)
