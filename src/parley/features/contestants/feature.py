"""Contestants: saved consortia and teams that answer and compete like models."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.ensembles import PlayedEnsembles
from parley.engine.gateway import Gateway
from parley.engine.hub import Hub
from parley.engine.recorder import Recorder
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features.catalog.connections import Connectors
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.service import CatalogService
from parley.features.catalog.sources import CatalogSources
from parley.features.contestants.contestants import Contestants
from parley.features.feature import Feature
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    modes, memory = parts[Registry].modes, parts[ModelMemory]
    contestants = Contestants(
        database=parts[Database], catalog=parts[CatalogService], memory=memory, modes=modes
    )
    ensembles = PlayedEnsembles(
        find=contestants.find,
        modes=modes,
        card=memory.card,
        hub=parts[Hub],
        recorder=parts[Recorder],
        open_stage=parts[Runner].open_stage,
        clock=parts[WallClock],
    )
    parts[Gateway].admit(ensembles)
    return contestants, ensembles


async def _start(parts: Parts) -> None:
    """Load the contestants, now and after each change of the catalog."""

    async def follow(providers: set[str]) -> None:
        parts[Connectors].allow(parts[CatalogService].providers())
        for provider_id in providers:
            parts[Gateway].forget(provider_id)
        await parts[Contestants].open()

    await parts[Contestants].open()
    sources = parts[CatalogSources]
    sources.follow(follow)
    sources.hears_nothing = lambda: parts[Replicas].bus_is_away
    sources.tell = lambda: parts[Replicas].tell("catalog")
    parts[Replicas].listen("catalog", lambda _: sources.note_change())


FEATURE = Feature(name="contestants", needs=("catalog",), build=_build, start=_start)
