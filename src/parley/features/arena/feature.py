"""The arena: matches and their turns."""

import logging
import random
from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.hub import Hub
from parley.engine.relay import Relay
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features.arena.elsewhere import Elsewhere
from parley.features.arena.matchmaker import Matchmaker
from parley.features.arena.reading import ArenaReader
from parley.features.arena.routes import routes, session_routes, turn_routes
from parley.features.arena.sampling import Sampling
from parley.features.arena.service import ArenaService
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.service import CatalogService
from parley.features.contestants.contestants import Contestants
from parley.features.feature import Feature, StartOptions
from parley.features.standings.runtime import StandingsRuntime
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database
from parley.storage.turn_log import SqlTurnLog

log = logging.getLogger(__name__)


def _build(parts: Parts) -> Sequence[object]:
    database, hub, memory = parts[Database], parts[Hub], parts[ModelMemory]
    sampling = Sampling(
        parts[Settings].battle_sampling,
        is_down=parts[Gateway].is_down,
        pair_chances=parts[StandingsRuntime].pair_chances,
    )
    matchmaker = Matchmaker(
        parts[Registry].modes,
        parts[CatalogService],
        memory.card,
        random.SystemRandom(),
        sampling,
        parts[Contestants].find,
        parts[Gateway].may_ask,
    )
    replicas = parts[Replicas]
    arena = ArenaService(
        database=database,
        turn_log=parts[SqlTurnLog],
        runner=parts[Runner],
        hub=hub,
        matchmaker=matchmaker,
        reader=ArenaReader(database, hub, memory.card, several=replicas.are_several),
        clock=parts[WallClock],
        elsewhere=Elsewhere(database, replicas, parts[Relay], parts[Runner], hub),
    )
    replicas.play = arena.take_over
    return matchmaker, arena


async def _resume(parts: Parts) -> None:
    if parts[Replicas].are_several:
        parts[Replicas].start(takes=parts[StartOptions].resume)
    elif parts[StartOptions].resume and (resumed := await parts[ArenaService].resume()):
        log.info("Resuming %d interrupted turns", resumed)


FEATURE = Feature(
    name="arena",
    needs=("catalog", "contestants", "standings", "attachments"),
    build=_build,
    routes=(routes, session_routes, turn_routes),
    start=_resume,
)
