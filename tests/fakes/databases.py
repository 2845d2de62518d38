"""The databases that tests run on: SQLite always, PostgreSQL if a server runs or can be started.

Whoever starts a Parley in a test gets an empty database of the kind that is being tested. On SQLite that is a
copy of one that each process makes once. On PostgreSQL a process keeps the ones it has made and empties them: that
takes milliseconds, making one a second.
"""

import asyncio
import atexit
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import asyncpg
import pytest

from parley.application import built_in_tables
from parley.kernel.ids import random_id
from parley.storage import schema
from parley.storage.database import Database
from tests.fakes import own_postgres

T = TypeVar("T")
Kind = Literal["sqlite", "postgresql"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgresql")

ON_EVERY_KIND = pytest.mark.databases(*KINDS)
"""Marks what may differ from one database to another: storage, search, locks, JSON, uniqueness, outages."""

USUAL = "postgresql://postgres@127.0.0.1:5432"
SET = "TEST_POSTGRES"
"""The variable that names another server, in this process and in the workers; see `tests/conftest.py`."""

KEEP = """
DO $$ DECLARE name text; BEGIN
    CREATE SCHEMA first_rows;
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'
    LOOP EXECUTE format('CREATE TABLE first_rows.%1$s AS TABLE public.%1$s', name); END LOOP;
END $$
"""
EMPTY = """
DO $$ DECLARE name text; given text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name, given IN SELECT quote_ident(table_name), string_agg(quote_ident(column_name), ', ')
        FROM information_schema.columns JOIN pg_tables ON schemaname = 'first_rows' AND tablename = table_name
        WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY table_name
    LOOP
        EXECUTE format('DELETE FROM public.%1$s', name);
        EXECUTE format('INSERT INTO public.%1$s (%2$s) SELECT %2$s FROM first_rows.%1$s', name, given);
    END LOOP;
    FOR name IN SELECT quote_ident(sequencename) FROM pg_sequences WHERE schemaname = 'public'
    LOOP EXECUTE 'ALTER SEQUENCE ' || name || ' RESTART'; END LOOP;
END $$
"""
"""Leaves the tables as migrations made them; triggers and references sleep meanwhile."""

_usual: list[Kind] = ["sqlite"]
_made: list[str] = []
_free: list[str] = []
_templates: list[Path] = []


class NoServer(pytest.skip.Exception):
    """There is no PostgreSQL: tests that need it are skipped, and the end of the run says so."""


@contextmanager
def testing_on(kind: Kind) -> Generator[None]:
    """Make everything that opens a database in this block open one of this kind."""
    _usual.append(kind)
    try:
        yield
    finally:
        _usual.pop()


def tested_kind() -> Kind:
    """Return the kind that is being tested."""
    return _usual[-1]


@asynccontextmanager
async def an_empty_database(kind: Kind | None = None) -> AsyncGenerator[str | None]:
    """Yield the URL of a database with empty tables; None means SQLite in the data folder."""
    if (kind or tested_kind()) == "sqlite":
        yield None
        return
    name = _free.pop() if _free else await _make()
    try:
        yield url_of(name)
    finally:
        await on_server(EMPTY, name)
        _free.append(name)


async def copy_empty(file: Path) -> Path:
    """Make a SQLite file with empty tables, unless there is a file already; return its path."""
    if not file.exists():  # noqa: ASYNC240 - a file of this test's own
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(await _template(), file)
    return file


async def _template() -> Path:
    """Return a SQLite file with empty tables, made once in this process."""
    if not _templates:
        folder = tempfile.mkdtemp(prefix="parley-template-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        file = Path(folder, "parley.db")
        database = Database(f"sqlite:///{file}")
        await schema.migrate(database, built_in_tables())
        await database.close()
        _templates.append(file)
    return _templates[0]


@asynccontextmanager
async def a_migrated_database(kind: Kind, folder: Path) -> AsyncGenerator[Database]:
    """Yield a database with empty tables, in this folder if it is SQLite."""
    async with an_empty_database(kind) as url:
        if url is None:
            await copy_empty(folder / "parley.db")
        database = Database(with_driver(url) if url else f"sqlite:///{folder / 'parley.db'}")
        yield database
        await database.close()


@asynccontextmanager
async def a_blank_database() -> AsyncGenerator[str]:
    """Yield the URL of a PostgreSQL database without any tables, dropped afterwards."""
    name = _new_name()
    await on_server(f"CREATE DATABASE {name}")
    try:
        yield url_of(name)
    finally:
        await on_server(f"DROP DATABASE {name} WITH (FORCE)")


def url_of(name: str) -> str:
    """Return the address of a database, as in the settings. Raises NoServer."""
    return f"{_server()}/{name}"


def with_driver(url: str) -> str:
    """Return an address as `Database` takes it; settings add the driver themselves."""
    return url.replace("postgresql://", "postgresql+asyncpg://")


async def on_server(statement: str, database: str = "postgres") -> None:
    """Execute a statement. Raises NoServer."""
    connection = await connect(database)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def connect(database: str = "postgres") -> asyncpg.Connection:
    """Open a connection from outside the product. Raises NoServer."""
    return await asyncpg.connect(url_of(database), timeout=50)


def in_own_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread with its own event loop."""
    with asyncio.Runner() as runner:
        return runner.run(work)


async def drop_leftovers() -> None:
    """Drop what test processes of this computer left that were killed."""
    connection = await connect()
    try:
        listed = await connection.fetch(
            "SELECT datname FROM pg_database WHERE datname LIKE 'parley\\_test\\_p%'"
        )
        for (name,) in listed:
            pid = name.removeprefix("parley_test_p").partition("_")[0]
            if not Path(f"/proc/{pid}").exists() and Path("/proc/self").exists():  # noqa: ASYNC240
                await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await connection.close()


def drop_all() -> None:
    """Drop every database that this process made."""

    async def drop() -> None:
        for name in _made:
            await on_server(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    in_own_loop(drop())
    _made.clear()
    _free.clear()


@cache
def _server() -> str:
    """Return the server's address: the one that is set, else that of our own, else the usual one. Raises NoServer.

    Our own waits for no disk, and nobody else is on it.
    """
    asked = os.getenv(SET)  # noqa: TID251
    if asked is None:
        try:
            return own_postgres.address()
        except own_postgres.NotStarted as error:
            why = f", and {error}"
    else:
        why = ""
    server = asked or USUAL
    try:
        with ThreadPoolExecutor(1) as beside:  # the caller may be in an event loop
            return beside.submit(in_own_loop, _answering(server)).result()
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise NoServer(f"PostgreSQL, because no server answers at {server} ({error}){why}") from error


async def _answering(server: str) -> str:
    connection = await asyncpg.connect(f"{server}/postgres", timeout=20)
    await connection.close()
    return server


async def _make() -> str:
    name = _new_name()
    await on_server(f"CREATE DATABASE {name}")
    # No test pulls the plug of this server: nobody need wait for its disk.
    await on_server(f"ALTER DATABASE {name} SET synchronous_commit = off")
    _made.append(name)
    database = Database(with_driver(url_of(name)))
    await schema.migrate(database, built_in_tables())
    await database.close()
    await on_server(KEEP, name)
    return name


def _new_name() -> str:
    return f"parley_test_p{os.getpid()}_{random_id()}"
