"""The first start in a data folder, and how a lost database is distinguished from a new folder.

A new file is created under another name and renamed once it is complete, so the leftover of a killed first start is
never taken for a database. A file that is missing or empty in the folder of an installation was lost.
"""

import os
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from parley.kernel.errors import Unavailable
from parley.storage import schema
from parley.storage.database import Database
from parley.storage.read_only import readable
from parley.storage.tables.rows import Row

MARKER_FILE = "parley.installed"
"""Records that the folder has had a database, and which one."""

BESIDE = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps next to its database; without it they are leftovers."""

TRACES = (
    MARKER_FILE,
    "parley.address",
    "parley.command",
    "voters.salt",
    "secret.key",
    "attachments",
    "imports",
)
"""Files that only an installation creates in its folder, unlike a person's model list and settings."""


async def prepare(folder: Path, database: Database, rows: Collection[type[Row]]) -> None:
    """Upgrade the database to this version; create it if there has never been one.

    `rows` are the tables of the built-in features. The caller holds the folder's lock. Raises Unavailable if the
    database is lost, can't be opened, or was written by a newer version.
    """
    await check_not_lost(folder, database)
    if database.is_missing():
        await _make(_path(database).resolve(), rows)
    await schema.migrate(database, rows)
    _mark(folder, database)


async def check_not_lost(folder: Path, database: Database) -> None:
    """Raise Unavailable if the file is missing or empty although the folder had one."""
    if not database.is_sqlite:
        return
    path = _path(database)
    traces = _traces(folder, path)
    if not traces or (not database.is_missing() and await schema.current_revision(database) is not None):
        return
    how = "is empty" if path.exists() else "is missing"
    raise Unavailable(
        f"The database {path} {how}, but {folder} belongs to an installation that had one: {', '.join(traces)}.",
        "Nothing was changed, and no new database was made. To restore, stop every Parley, put your "
        "backup of the database there and start again. If its disk is not mounted, mount it.\nTo start "
        "from scratch, move everything out of the data folder, or choose another one: parley serve "
        "--data-dir PATH.",
        code="database_lost",
    )


@asynccontextmanager
async def open_existing(url: str, folder: Path) -> AsyncGenerator[Database]:
    """Yield an installation's database, even while a server uses it, or where it can only be read.

    Raises Unavailable if it is lost.
    """
    with readable(url) as address:
        database = Database(address).patient()
        try:
            await check_not_lost(folder, database)
            yield database
        finally:
            await database.close()


async def revisions(url: str, folder: Path) -> tuple[str | None, str]:
    """Return the database's revision (None if there is none yet) and the newest. Raises ParleyError."""
    with readable(url) as address:
        database = Database(address)
        try:
            await check_not_lost(folder, database)
            current = None if database.is_missing() else await schema.current_revision(database)
            return current, schema.HEAD
        finally:
            await database.close()


def _path(database: Database) -> Path:
    return Path(database.url.database or "")


def _traces(folder: Path, path: Path) -> list[str]:
    """Return the names of an installation's files in its folder, and of the database."""
    left = [path.name + end for end in BESIDE if path.with_name(path.name + end).exists()]
    copies = [it.name for it in path.parent.glob(f"{path.name}.*") if not it.name.endswith(_OURS)]
    dangling = [f"{path.name}, a broken link"] if path.is_symlink() and not path.exists() else []
    return [name for name in TRACES if (folder / name).exists()] + left + sorted(copies) + dangling


_NEW = ".new"
_OURS = (_NEW, *(_NEW + end for end in BESIDE), ".lock")
"""Endings of files that a first start may leave behind."""


async def _make(path: Path, rows: Collection[type[Row]]) -> None:
    """Create the tables in a temporary file, and rename it once it is complete."""
    new = path.with_name(path.name + _NEW)
    for end in ("", *BESIDE):
        new.with_name(new.name + end).unlink(missing_ok=True)
    database = Database(f"sqlite:///{new}")
    try:
        await schema.migrate(database, rows)
    finally:
        await database.close()
    log = new.with_name(new.name + BESIDE[0])
    if log.exists() and log.stat().st_size:
        raise Unavailable(
            f"The new database {new} could not be finished.",
            "Start Parley again.",
            code="database_unreachable",
        )
    new.replace(path)
    _sync(path.parent)


def _mark(folder: Path, database: Database) -> None:
    """Write the marker that there is a database now."""
    name = str(_path(database)) if database.is_sqlite else database.url.set(password=None).render_as_string()
    text = f"This folder belongs to an installation of Parley. Its database: {name}\n"
    marker = folder / MARKER_FILE
    if marker.exists() and marker.read_text(encoding="utf-8", errors="replace") == text:
        return
    written = marker.with_suffix(".part")
    with written.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    written.replace(marker)
    _sync(folder)


def _sync(folder: Path) -> None:
    """Make renames in a folder durable, if the system can."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
