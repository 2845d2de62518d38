"""Files of votes: imports and exports with LMArena's columns."""

from collections.abc import Sequence

from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature, Personal
from parley.features.vote_files.exports import ExportOptions, VoteExports
from parley.features.vote_files.imports import VoteImports
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.routes import routes
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


def _build(parts: Parts) -> Sequence[object]:
    database, memory, settings = parts[Database].patient(), parts[ModelMemory], parts[Settings]
    categories = Categories([category.own() for category in settings.categories])
    imports = VoteImports(
        database=database,
        memory=memory,
        folder=settings.data_dir,
        clock=parts[WallClock],
        categories=categories,
        limits=FileLimits.of(settings),
    )
    return categories, imports, VoteExports(database=database, card=memory.card)


async def _count(parts: Parts, caller: Caller) -> int:  # noqa: ARG001 - votes are everyone's
    return sum(await parts[VoteExports].count(ExportOptions(kind="jsonl")))


async def _keep(parts: Parts, caller: Caller) -> int:  # noqa: ARG001 - votes stay counted
    return 0


FEATURE = Feature(
    name="vote_files",
    needs=("catalog",),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[VoteImports].open(),
    stop=lambda parts: parts[VoteImports].close(),
    personal=(Personal(noun="vote", count=_count, erase=_keep),),
)
