"""Databases that commands open themselves, without models or a server."""

from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.opening import read_catalog
from parley.features.standings.runtime import StandingsRuntime, open_offline
from parley.features.vote_files.exports import VoteExports
from parley.features.vote_files.imports import TOGETHER_ALONE, TOGETHER_ON_SERVER, VoteImports
from parley.features.vote_files.limits import FileLimits
from parley.kernel.errors import Unavailable
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.bulk import expect_much
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder, read_address
from parley.storage.server_lock import lock_database
from parley.text.categories.categorise import Categories


@asynccontextmanager
async def open_imports(settings: Settings, file: Path) -> AsyncGenerator[VoteImports]:
    """Open the database as its only user, and finish an import that was interrupted.

    Raises Unavailable; if a server has the database, it says how to send the server the file.
    """
    instead = (
        f"Import the file on its Votes page, or send it: curl --data-binary @{file} "
        f"-H 'Content-Type: application/octet-stream' '{{server}}/api/votes/import?name={file.name}'"
    )
    async with AsyncExitStack() as stack:
        stack.enter_context(_ask_the_server(settings, instead))
        database = Database(settings.database_url).patient()
        stack.push_async_callback(database.close)
        stack.enter_context(lock_folder(settings.data_dir))
        await stack.enter_async_context(lock_database(database))
        await first_start.prepare(settings.data_dir, database)
        await database.write(expect_much)
        memory = ModelMemory(database, await read_catalog(settings), WallClock())
        await memory.open()
        imports = VoteImports(
            database=database,
            memory=memory,
            folder=settings.data_dir,
            clock=WallClock(),
            categories=_categories(settings),
            limits=FileLimits.of(settings),
            together=TOGETHER_ALONE if database.is_sqlite else TOGETHER_ON_SERVER,
        )
        imports.open()
        await imports.finished()
        stack.push_async_callback(imports.close)
        yield imports


@asynccontextmanager
async def open_exports(settings: Settings) -> AsyncGenerator[VoteExports]:
    """Open the database for reading, beside a server too. Raises Unavailable if there is none."""
    async with first_start.open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        memory = ModelMemory(database, await read_catalog(settings), WallClock())
        await memory.look()
        yield VoteExports(database=database, card=memory.card)


@asynccontextmanager
async def open_standings(
    settings: Settings, *, write: bool = False, route: str = "rebuild", options: str = "-X POST"
) -> AsyncGenerator[StandingsRuntime]:
    """Open the standings; with `write` as the database's only user. Raises Unavailable.

    If a server has the data, the error names the `route` of its leaderboard that does the same, and
    the `options` of curl.
    """
    address = f"{{server}}/api/leaderboard/{route}"
    address = f"'{address}'" if "?" in route else address
    instead = f"Stop the server, or use its API: curl {options} {address}"
    async with AsyncExitStack() as stack:
        stack.enter_context(_ask_the_server(settings, instead))
        existing = first_start.open_existing(settings.database_url, settings.data_dir)
        database = await stack.enter_async_context(existing)
        if write:
            stack.enter_context(lock_folder(settings.data_dir))
            await stack.enter_async_context(lock_database(database))
        yield await stack.enter_async_context(open_offline(database, _categories(settings)))


@contextmanager
def _ask_the_server(settings: Settings, instead: str) -> Generator[None]:
    """If a server has the data, raise Unavailable with what to do `instead`."""
    try:
        yield
    except Unavailable as error:
        if error.leaf_code not in ("folder_locked", "database_in_use"):
            raise
        server = read_address(settings.data_dir) or settings.url
        advice = f"Nothing was changed. {instead.replace('{server}', server)}"
        raise Unavailable(error.title, advice, code=error.leaf_code) from None


def _categories(settings: Settings) -> Categories:
    return Categories([category.own() for category in settings.categories])
