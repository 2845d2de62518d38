"""Imports of votes: a file becomes a data set, whole or not at all, while everything else goes on.

Rows are checked and stored in short transactions while the import's state is `loading`, in which none of its votes
exist for anybody. One transaction makes it `ready`. What is still loading at a start is deleted.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from parley.engine.clock import WallClock
from parley.features.catalog.memory import ModelMemory
from parley.features.imports.loading import ImportOptions, Load
from parley.features.imports.repository import ImportsRepository, moment
from parley.features.imports.schemas import (
    ImportDone,
    ImportEvent,
    ImportFailed,
    ImportList,
    ImportReport,
    ImportView,
)
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.model_names import ModelNames
from parley.features.vote_files.parsing import RowParser, Voters
from parley.features.vote_files.uploads import cannot_write
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, NotFound, ParleyError, Problem
from parley.kernel.ports import Clock
from parley.storage.database import Database
from parley.storage.imported_counts import count_import, remove_import
from parley.storage.tables.imports import LOADING, READY, ImportRow
from parley.storage.transaction import Transaction
from parley.text.categories.categorise import Categories
from parley.text.controls import in_one_line

if TYPE_CHECKING:  # it loads NumPy, which a server need not load to start
    from parley.features.imports.reader import VoteFileReader

SALT_FILE = "voters.salt"

log = logging.getLogger(__name__)


class Imports:
    """Imports vote files, one at a time; lists data sets and removes them."""

    def __init__(
        self,
        *,
        database: Database,
        memory: ModelMemory,
        folder: Path,
        categories: Categories,
        clock: Clock | None = None,
        limits: FileLimits | None = None,
    ) -> None:
        self._database, self._memory, self._clock = database, memory, clock or WallClock()
        self._folder, self._categories = folder, categories
        self._limits = limits or FileLimits()
        self._when_changed: list[Callable[[Caller, bool], Awaitable[None]]] = []
        self._running = False

    def when_changed(self, listener: Callable[[Caller, bool], Awaitable[None]]) -> None:
        """Call a function once votes were added (true) or removed (false)."""
        self._when_changed.append(listener)

    async def open(self) -> None:
        """Delete what is left of imports that were cut off."""
        for import_id in await self._database.read(lambda it: ImportsRepository(it).loading()):
            await self._delete(import_id)

    async def list(self) -> ImportList:
        """Return the data sets, the newest first."""
        return await read_imports(self._database)

    async def remove(self, caller: Caller, import_id: str) -> ImportView:
        """Remove a data set with all its votes. Raises NotFound."""

        def hide(transaction: Transaction) -> ImportRow | None:
            repository = ImportsRepository(transaction)
            row = repository.of_id(import_id)
            if row is not None:
                remove_import(transaction, import_id)
                repository.hide(row, moment(self._clock.now()))
            return row

        row = await self._database.write(hide)
        if row is None:
            raise NotFound("There is no such import.", "It may have been removed already.")
        log.info("%s removes the import %s", caller, row.name)
        await self._delete(import_id)
        await self._changed(caller, added=False)
        return _view(row)

    async def run(
        self, caller: Caller, path: Path, kind: Format, name: str, options: ImportOptions | None = None
    ) -> AsyncGenerator[ImportEvent]:
        """Import a file and yield its progress; the last event is ImportDone or ImportFailed.

        Closing the generator before it cancels the import.
        """
        options = options or ImportOptions()
        if self._running:
            yield ImportFailed(_running().problem, None)
            return
        log.info("%s %s votes from %s", caller, "previews" if options.preview else "imports", name)
        self._running = True
        try:
            async with contextlib.aclosing(self._run(caller, path, kind, name, options)) as events:
                async for event in events:
                    yield event
        except ParleyError as error:
            yield ImportFailed(error.problem, None)
        except OSError as error:
            yield ImportFailed(cannot_write(error).problem, None)
        finally:
            self._running = False

    async def _run(
        self, caller: Caller, path: Path, kind: Format, name: str, options: ImportOptions
    ) -> AsyncGenerator[ImportEvent]:
        from parley.features.imports.reader import file_digest

        sha256 = await asyncio.to_thread(file_digest, path)
        earlier = await self._database.read(lambda it: ImportsRepository(it).of_file(sha256))
        if earlier is not None and not options.preview:
            raise _imported(name, earlier)
        row = ImportRow(
            id=secrets.token_hex(16),
            owner_id=caller.person_id,
            name=in_one_line(name)[:255],
            format=kind,
            sha256=sha256,
            votes=0,
            duplicates=0,
            bad_rows=0,
            state=LOADING,
            created_at=moment(self._clock.now()),
        )
        reader = await self._open(path, kind, name)
        if options.bad_file is not None:
            reader.write_bad_to(options.bad_file)
        is_stored = False
        try:
            load = Load(self._database, reader, row, options)
            async with contextlib.aclosing(load.run()) as progress:
                async for event in progress:
                    yield event
            report = load.report(None if earlier is None else _view(earlier))
            if report.bad and not options.skip_bad and not options.preview:
                yield ImportFailed(_bad_rows(report), report)
            elif options.preview or not report.imported:
                yield ImportDone(report)
            else:
                await self._publish(reader, row)
                is_stored = True
                await self._changed(caller, added=True)
                yield ImportDone(msgspec.structs.replace(report, import_id=row.id))
        finally:
            if not is_stored and row.votes:
                await asyncio.shield(self._delete(row.id))

    async def _open(self, path: Path, kind: Format, name: str) -> "VoteFileReader":
        from parley.features.imports.reader import VoteFileReader

        own = await self._database.read(lambda it: ImportsRepository(it).own_voters())
        models = ModelNames(self._memory.known())
        parser = RowParser(
            models=models, voters=Voters(self._salt(), own), categorise=self._categories.categorise
        )
        return VoteFileReader(path, kind, name, parser, models, self._limits)

    async def _publish(self, reader: "VoteFileReader", row: ImportRow) -> None:
        cards, now = reader.new_models, moment(self._clock.now())

        def publish(transaction: Transaction) -> None:
            self._memory.adopt(transaction, cards, now)
            row.state = READY
            ImportsRepository(transaction).publish(row, now)
            count_import(transaction, row.id)

        await self._database.write(publish, alone=True)
        self._memory.learn(cards)

    async def _delete(self, import_id: str) -> None:
        while await self._database.write(lambda it: ImportsRepository(it).delete_some(import_id)):
            pass

    async def _changed(self, caller: Caller, *, added: bool) -> None:
        for listener in self._when_changed:
            await listener(caller, added)

    def _salt(self) -> bytes:
        """Return this installation's salt; created once, atomically."""
        path = self._folder / SALT_FILE
        if not path.exists() or not path.stat().st_size:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.unlink(missing_ok=True)
            part.touch(mode=0o600)
            part.write_bytes(secrets.token_bytes(32))
            part.replace(path)
        return path.read_bytes()


async def read_imports(database: Database) -> ImportList:
    """Return the data sets, the newest first."""
    rows = await database.read(lambda it: ImportsRepository(it).ready())
    return ImportList([_view(row) for row in rows])


def _view(row: ImportRow) -> ImportView:
    names = ("id", "name", "format", "sha256", "votes", "duplicates", "bad_rows", "created_at")
    return ImportView(**{name: getattr(row, name) for name in names})


def _running() -> Conflict:
    return Conflict(
        "Another import is running.",
        "Nothing was imported. Wait until it ends, then try again.",
        code="import_running",
    )


def _imported(name: str, earlier: ImportRow) -> Conflict:
    return Conflict(
        f"{name} was imported on {earlier.created_at:%Y-%m-%d} as “{earlier.name}”.",
        f"Nothing was added: its {earlier.votes:,} votes are there. To import it again, remove that import first.",
        code="already_imported",
    )


def _bad_rows(report: ImportReport) -> Problem:
    rows = "rows is not a valid vote" if report.bad == 1 else "rows are not valid votes"
    first = report.bad_rows[0]
    where = f"Line {first.line}: {first.field + ' ' if first.field else ''}{first.why}."
    return Problem(
        code="bad_rows",
        title=f"{report.bad:,} of {report.read:,} {rows}, so nothing was imported.",
        detail=f"{where} Fix them, or import valid rows and skip the rest.",
    )
