"""Usage: calls by the hour, measures, and dashboards."""

import logging
from collections.abc import AsyncIterator, Sequence

from parley.engine.clock import WallClock
from parley.features.feature import Feature, Personal, every
from parley.features.usage.engagement import measures as engagement
from parley.features.usage.folding import EVERY_S, Folding
from parley.features.usage.hours import measures as hours
from parley.features.usage.ledger.repository import FoldingRepository
from parley.features.usage.measure import Measure
from parley.features.usage.outcomes import measures as outcomes
from parley.features.usage.routes import routes
from parley.features.usage.routing import measures as routing
from parley.features.usage.schemas import UsageTable
from parley.features.usage.service import UsageRequest, UsageService
from parley.features.usage.tables import UsageCursorRow, UsageRow, UsageStaleRow
from parley.features.usage.votes import measures as votes
from parley.features.vote_files.csv_cells import csv_cell
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.database import Database

log = logging.getLogger(__name__)

MEASURES = (
    *hours.MEASURES,
    *votes.MEASURES,
    *engagement.MEASURES,
    *routing.MEASURES,
    *outcomes.MEASURES,
)


def _build(parts: Parts) -> Sequence[object]:
    database, clock = parts[Database], parts[WallClock]
    folding = Folding(database, clock)
    measures = _with_plugged(parts[Registry].measures)
    return folding, UsageService(
        database, clock, folding, measures, csv_cell, is_shared=parts[Settings].is_shared
    )


def _with_plugged(plugged: Sequence[Measure]) -> Sequence[Measure]:
    """Return the measures, and those of installed plugins that are no second one of a name."""
    ours = {measure.name for measure in MEASURES}
    for measure in plugged:
        if measure.name in ours:
            log.warning("The measure %s of a plug-in was skipped: the name is taken.", measure.name)
    return (*MEASURES, *(measure for measure in plugged if measure.name not in ours))


async def _count(parts: Parts, caller: Caller) -> int:
    return await parts[Database].read(lambda db: FoldingRepository(db).count(caller.person_id))


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[UsageTable]:
    for measure in ("cost", "tokens"):
        yield await parts[UsageService].read(
            caller, UsageRequest(measure=measure, by="day,model", start="2025-01-01")
        )


async def _erase(parts: Parts, caller: Caller) -> int:
    return await parts[Database].write(lambda db: FoldingRepository(db).forget(caller.person_id))


FEATURE = Feature(
    name="usage",
    needs=("accounts", "auto", "openai_api", "vote_files"),
    tables=(UsageRow, UsageCursorRow, UsageStaleRow),
    build=_build,
    routes=(routes,),
    background=(every(EVERY_S, lambda parts: parts[Folding].fold(), "count the latest calls"),),
    interrupt=lambda parts: parts[Folding].close(),
    personal=(Personal(noun="usage", count=_count, export=_export, erase=_erase),),
)
