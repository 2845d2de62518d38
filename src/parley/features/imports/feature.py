"""Imports: files of votes as data sets."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
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


FEATURE = Feature(
    name="imports",
    needs=("catalog", "standings", "vote_files"),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[Imports].open(),
)
