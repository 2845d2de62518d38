"""Imports: files of votes as data sets."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.engine.replicas import Replicas
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature
from parley.features.imports.routes import routes
from parley.features.imports.service import Imports
from parley.features.standings.runtime import StandingsRuntime
from parley.features.vote_files.limits import FileLimits
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


def _build(parts: Parts) -> Sequence[object]:
    settings, standings = parts[Settings], parts[StandingsRuntime]
    imports = Imports(
        database=parts[Database].patient(),
        memory=parts[ModelMemory],
        folder=settings.data_dir,
        categories=parts[Categories],
        clock=parts[WallClock],
        limits=FileLimits.of(settings),
    )

    async def changed(caller: Caller, added: bool) -> None:
        if added:
            standings.wake()
        else:
            await standings.rebuild(caller)

    imports.when_changed(changed)
    return (imports,)


async def _start(parts: Parts) -> None:
    if not parts[Replicas].has_others:  # else an import that is not complete may be theirs
        await parts[Imports].open()


FEATURE = Feature(
    name="imports",
    needs=("catalog", "standings", "vote_files"),
    build=_build,
    routes=(routes,),
    start=_start,
)
