"""The library: what models made, what people kept, uploaded and exported, with where it came from."""

from collections.abc import AsyncIterator

from parley.engine.clock import WallClock
from parley.engine.replicas import Replicas
from parley.features.attachments.service import AttachmentsService
from parley.features.catalog.memory import ModelMemory
from parley.features.feature import Feature, Personal, Retained, every
from parley.features.library.collecting import Collecting
from parley.features.library.routes import routes
from parley.features.library.schemas import AssetCard, AssetFilter
from parley.features.library.service import LibraryService
from parley.features.session_files.service import SessionFiles
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database
from parley.storage.tables.assets import AssetRow, AssetTagRow, EndedTurnRow

PURGE_EVERY_S = 3600.0


def _build(parts: Parts) -> tuple[object, ...]:
    collecting = Collecting(parts[Database], lambda: parts[Replicas].leads)
    service = LibraryService(
        database=parts[Database],
        collecting=collecting,
        attachments=parts[AttachmentsService],
        files=parts[SessionFiles],
        memory=parts[ModelMemory],
        clock=parts[WallClock],
    )
    return collecting, service


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[AssetCard]:
    cursor: str | None = None
    while True:
        page = await parts[LibraryService].page(caller, AssetFilter(), limit=200, cursor=cursor)
        for asset in page.assets:
            yield asset
        if (cursor := page.next_cursor) is None:
            return


FEATURE = Feature(
    name="library",
    needs=("attachments", "catalog", "session_files", "sessions"),
    tables=(AssetRow, AssetTagRow, EndedTurnRow),
    build=_build,
    routes=(routes,),
    start=lambda parts: parts[Collecting].start(),
    stop=lambda parts: parts[Collecting].close(),
    background=(
        every(
            PURGE_EVERY_S,
            lambda parts: parts[LibraryService].purge(),
            "forget what was deleted from the library",
            at_start=False,
        ),
    ),
    personal=(
        Personal(
            noun="asset",
            count=lambda parts, caller: parts[LibraryService].count(caller),
            export=_export,
            erase=lambda parts, caller: parts[LibraryService].erase(caller),
        ),
    ),
    retained=(
        Retained(
            name="library",
            nouns="things in libraries",
            about="Uploads, exports, pictures of programs and kept answers of trials, of no conversation, since they "
            "were added. Their owners can restore them for a week.",
            count=lambda parts, before: parts[LibraryService].count_apart(before),
            forget=lambda parts, before: parts[LibraryService].forget_apart(before),
        ),
    ),
)
