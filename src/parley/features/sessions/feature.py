"""Sessions: a person's conversations, with search, titles and tags."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.hub import Hub
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features.arena.service import ArenaService
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal, Retained, every
from parley.features.sessions.indexing import SearchIndexing
from parley.features.sessions.routes import routes, tag_routes
from parley.features.sessions.schemas import SealedExport
from parley.features.sessions.service import SessionsService
from parley.features.sessions.titling import Titling
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.parts import Parts
from parley.kernel.views import SessionView
from parley.settings import Settings
from parley.storage.database import Database

PURGE_EVERY_S = 600.0


def _build(parts: Parts) -> Sequence[object]:
    database, hub, arena = parts[Database], parts[Hub], parts[ArenaService]
    titling = Titling(
        model_id=parts[Settings].title_model,
        catalog=parts[CatalogService],
        gateway=parts[Gateway],
        queue=parts[Runner].queue,
        database=database,
        hub=hub,
    )
    arena.when_begun(titling.consider)
    search = SearchIndexing(database, lambda: parts[Replicas].leads)
    sessions = SessionsService(
        database=database,
        arena=arena,
        search=search,
        titling=titling,
        hub=hub,
        clock=parts[WallClock],
    )
    return titling, search, sessions


def _start(parts: Parts) -> None:
    parts[SearchIndexing].start()
    parts[Titling].start()


async def _stop(parts: Parts) -> None:
    await parts[Titling].close()
    await parts[SearchIndexing].close()


async def _count(parts: Parts, caller: Caller) -> int:
    return len(await parts[SessionsService].ids(caller))


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[SessionView | SealedExport]:
    for session_id in await parts[SessionsService].ids(caller):
        # Skip a session that was deleted meanwhile.
        with suppress(NotFound):
            yield await parts[SessionsService].read_own(caller, session_id)


FEATURE = Feature(
    name="sessions",
    needs=("arena", "catalog"),
    build=_build,
    routes=(routes, tag_routes),
    start=_start,
    interrupt=lambda parts: parts[Titling].close(),
    stop=_stop,
    background=(
        every(PURGE_EVERY_S, lambda parts: parts[SessionsService].purge(), "purge deleted sessions"),
    ),
    retained=(
        Retained(
            name="sessions",
            nouns="sessions",
            about="Conversations since their last message, with their files. Pinned ones and votes stay.",
            count=lambda parts, before: parts[SessionsService].count_untouched(before, archived=None),
            forget=lambda parts, before: parts[SessionsService].forget_untouched(before, archived=None),
        ),
        Retained(
            name="archived-sessions",
            nouns="archived sessions",
            about="Conversations that their owner has archived. Pinned ones and votes stay.",
            count=lambda parts, before: parts[SessionsService].count_untouched(before, archived=True),
            forget=lambda parts, before: parts[SessionsService].forget_untouched(before, archived=True),
        ),
    ),
    personal=(
        Personal(
            noun="session",
            count=_count,
            export=_export,
            erase=lambda parts, caller: parts[SessionsService].erase(caller),
        ),
    ),
)
