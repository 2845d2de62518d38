"""Presets: saved line-ups, consortia and teams."""

from collections.abc import AsyncIterator, Sequence

from parley.engine.clock import WallClock
from parley.engine.replicas import Replicas
from parley.features.arena.matchmaker import Matchmaker
from parley.features.catalog.stored_models import StoredModels
from parley.features.contestants.contestants import Contestants
from parley.features.feature import Feature, Personal
from parley.features.presets.dependents import dependents
from parley.features.presets.routes import routes
from parley.features.presets.schemas import PresetView
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database
from parley.storage.tables.presets import PresetRow


def _build(parts: Parts) -> Sequence[object]:
    parts[StoredModels].add_dependents(dependents)
    service = PresetsService(
        database=parts[Database],
        matchmaker=parts[Matchmaker],
        clock=parts[WallClock],
        changed=lambda: _changed(parts),
    )
    return (service,)


async def _changed(parts: Parts) -> None:
    """Let the presets answer like models here, and soon at other replicas."""
    parts[Replicas].tell("catalog")
    await parts[Contestants].open()


async def _count(parts: Parts, caller: Caller) -> int:
    return len(await parts[PresetsService].list(caller))


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[PresetView]:
    for preset in await parts[PresetsService].list(caller):
        yield preset


FEATURE = Feature(
    name="presets",
    needs=("arena", "catalog", "contestants"),
    tables=(PresetRow,),
    build=_build,
    routes=(routes,),
    personal=(
        Personal(
            noun="preset",
            count=_count,
            export=_export,
            erase=lambda parts, caller: parts[PresetsService].erase(caller),
        ),
    ),
)
