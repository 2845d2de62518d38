"""What the commands of votes work with: the database alone, without models or a server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from parley.engine.clock import WallClock
from parley.kernel.errors import Unavailable
from parley.settings import Settings
from parley.storage import first_start, schema
from parley.storage.bulk import expect_much
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder, read_address
from parley.storage.server_lock import lock_database
from parley.text.categories.categorise import Categories
from parley.wiring import build_catalog
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.vote_files.exports import VoteExports
from parley.workspace.vote_files.imports import VoteImports


@asynccontextmanager
async def open_imports(settings: Settings, file: Path) -> AsyncGenerator[VoteImports]:
    """Open the database to write, as its only user, and finish an import that was interrupted before.

    Raises Unavailable, also where a server is running: then it says how to give it the file.
    """
    database = Database(settings.database_url).patient()
    try:
        with lock_folder(settings.data_dir):
            async with lock_database(database):
                await first_start.prepare(settings.data_dir, database)
                await database.write(expect_much)
                memory = ModelMemory(database, build_catalog(settings), WallClock())
                await memory.open()
                imports = VoteImports(
                    database=database,
                    memory=memory,
                    folder=settings.data_dir,
                    clock=WallClock(),
                    categories=Categories([category.own() for category in settings.categories]),
                    wake=lambda: None,
                    limits=settings.file_limits,
                )
                imports.open()
                await imports.finished()
                try:
                    yield imports
                finally:
                    await imports.close()
    except Unavailable as error:
        if error.leaf_code not in ("folder_locked", "database_in_use"):
            raise
        server = read_address(settings.data_dir) or settings.url
        raise Unavailable(
            "A Parley is running on this data, and it alone may write there.",
            f"Import the file on its page of votes, or send it: curl --data-binary @{file} "
            f"-H 'Content-Type: application/octet-stream' '{server}/api/votes/import?name={file.name}'",
            code=error.leaf_code,
        ) from None
    finally:
        await database.close()


@asynccontextmanager
async def open_exports(settings: Settings) -> AsyncGenerator[VoteExports]:
    """Open the database to read, also while a server uses it. Raises Unavailable where there is none."""
    async with first_start.open_existing(settings.database_url, settings.data_dir) as database:
        await schema.require_current(database)
        memory = ModelMemory(database, build_catalog(settings), WallClock())
        await memory.look()
        yield VoteExports(database=database, card=memory.card)
