"""Databases that commands open themselves, without models or a server."""

from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import NamedTuple

from parley.application import built_in_tables
from parley.cli.file_progress import Report
from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.catalog.opening import read_catalog
from parley.features.exports.service import Exports
from parley.features.imports.service import Imports
from parley.features.standings.runtime import StandingsRuntime, open_offline
from parley.features.vote_files.exports import VoteExports
from parley.features.vote_files.limits import FileLimits
from parley.kernel.errors import Invalid, Unavailable
from parley.settings import Settings
from parley.storage import copying, first_start, schema
from parley.storage.audit_check import check_audit
from parley.storage.bucket_blobs import open_blobs
from parley.storage.bulk import expect_much
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder, read_address
from parley.storage.server_lock import lock_database
from parley.text.categories.categorise import Categories


@asynccontextmanager
async def open_imports(settings: Settings, file: Path | None = None) -> AsyncGenerator[Imports]:
    """Open the database as its only user.

    Raises Unavailable; if a server has the database, it says how to send the server the file.
    """
    instead = (
        "Do it on its Votes page."
        if file is None
        else (
            f"Import the file on its Votes page, or send it: curl --data-binary @{file} "
            f"-H 'Content-Type: application/octet-stream' '{{server}}/api/imports?name={file.name}'"
        )
    )
    async with AsyncExitStack() as stack:
        stack.enter_context(_ask_the_server(settings, instead))
        database = Database(settings.database_url).patient()
        stack.push_async_callback(database.close)
        stack.enter_context(lock_folder(settings.data_dir))
        await stack.enter_async_context(lock_database(database))
        await first_start.prepare(settings.data_dir, database, built_in_tables())
        await database.write(expect_much)
        memory = ModelMemory(database, await read_catalog(settings), WallClock())
        await memory.open()
        imports = Imports(
            database=database,
            memory=memory,
            folder=settings.data_dir,
            clock=WallClock(),
            categories=_categories(settings),
            limits=FileLimits.of(settings),
        )
        await imports.open()
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
async def open_everything(settings: Settings) -> AsyncGenerator[Exports]:
    """Open the database for reading everything, beside a server too. Raises Unavailable if there is none."""
    async with first_start.open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        memory = ModelMemory(database, await read_catalog(settings), WallClock())
        await memory.look()
        yield Exports(database, WallClock(), memory.card)


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


class Copied(NamedTuple):
    """The contents of a copied database. `address` is where it is, with its password."""

    tables: int
    rows: int
    files: int
    audit_holds: bool
    address: str


async def copy_to(settings: Settings, to: str, report: Report) -> Copied:
    """Copy the database, as its only user, to an empty one on PostgreSQL. Raises ParleyError."""
    async with AsyncExitStack() as stack:
        stack.enter_context(lock_folder(settings.data_dir))
        source = await stack.enter_async_context(
            first_start.open_existing(settings.database_url, settings.data_dir)
        )
        if not to.startswith(("postgresql://", "postgres://")):
            raise Invalid("to", "must begin with postgresql://, as in postgresql://user:password@host/name.")
        target = Database(settings.model_validate({"database_url": to}).database_url).patient()
        stack.push_async_callback(target.close)
        await stack.enter_async_context(lock_database(target))
        counts = await copying.copy_database(source, target, built_in_tables(), report)
        files = await copying.copy_attachments(target, open_blobs(settings.data_dir, settings.files_url))
        audit = await check_audit(target, None, lambda _done, _of: None)
    return Copied(len(counts), sum(counts.values()), files, audit.ok, to)
