"""Files of votes: how they are read, and exports with LMArena's columns."""

from collections.abc import Sequence

from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature, Personal
from parley.features.vote_files.exports import ExportOptions, VoteExports
from parley.features.vote_files.routes import routes
from parley.features.vote_files.uploads import Uploads
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.settings import Settings
from parley.storage.database import Database
from parley.text.categories.categorise import Categories


def _build(parts: Parts) -> Sequence[object]:
    database, settings = parts[Database].patient(), parts[Settings]
    categories = Categories([category.own() for category in settings.categories])
    return (
        categories,
        Uploads(settings.data_dir),
        VoteExports(database=database, card=parts[ModelMemory].card),
    )


async def _count(parts: Parts, caller: Caller) -> int:  # noqa: ARG001 - votes are everyone's
    return sum(await parts[VoteExports].count(ExportOptions(kind="jsonl")))


async def _keep(parts: Parts, caller: Caller) -> int:  # noqa: ARG001 - votes stay counted
    return 0


FEATURE = Feature(
    name="vote_files",
    needs=("catalog",),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[Uploads].open(),
    personal=(Personal(noun="vote", count=_count, erase=_keep),),
)
