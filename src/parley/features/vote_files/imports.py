"""Imports of votes: a file is stored whole or not at all, while everything else goes on.

One transaction would keep SQLite's only writer busy for seconds per million votes, and entries of the audit log cannot
be taken back. So an import has a point of no return:

1. **Reading.** Every row is checked, and what will be stored of it goes to a stage file (`imports/*.part`), a SQLite
   database of its own. An import that is cancelled, killed or refused here leaves nothing; the next start removes its
   file. A large file is read in a process of its own.
2. **The point of no return.** The stage file is made durable and renamed (`*.votes`).
3. **Storing** (`storing`), in short transactions: each inserts votes with the status `staged`, which no reader sees,
   and their entries in the audit log, so `parley audit verify` always holds. After a crash the next start goes on;
   parts that are stored already are known by their first id.
4. **Publishing.** One transaction makes every staged vote pending; then the standings are woken.

Where one transaction stores the whole file its votes are pending at once. Without a server that holds for files of up
to a million votes.

A vote's id derives from its row (`parsing`), so importing a file twice changes nothing.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from parley.features.catalog.memory import ModelMemory
from parley.features.vote_files.formats import Format
from parley.features.vote_files.limits import FileLimits
from parley.features.vote_files.pieces import PieceReader, Tally, read_ahead
from parley.features.vote_files.records import vote_records
from parley.features.vote_files.repository import VoteFilesRepository
from parley.features.vote_files.schemas import (
    ImportDone,
    ImportEvent,
    ImportFailed,
    ImportProgress,
    ImportReport,
)
from parley.features.vote_files.staging import StagedVote
from parley.features.vote_files.storing import StageStore
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, ParleyError, Problem, Unavailable
from parley.kernel.ports import Clock
from parley.storage.database import Database
from parley.storage.vote_stages import StageWriter
from parley.text.categories.categorise import Categories

BATCH_VOTES = 4_000
"""Votes in one transaction while others vote: about fifty milliseconds."""

BATCH_VOTES_ALONE = 20_000
"""Votes of a batch without a server."""

TOGETHER_ALONE, TOGETHER_ON_SERVER = 1_000_000, 20_000
"""Votes in one transaction while nobody else uses the database: on SQLite, and on PostgreSQL."""

READ_HERE_BYTES = 4 << 20
"""Larger files are read in a process of their own, which takes half a second to start."""

READING_SHARE, STORED_SHARE = 0.6, 0.97
"""The share of the work that is done, roughly, once a file is read, and once its votes are stored."""

SALT_FILE = "voters.salt"

log = logging.getLogger(__name__)


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to import a file. `skip_bad` imports the good rows although others are bad."""

    skip_bad: bool = False
    dry_run: bool = False
    bad_file: Path | None = None
    batch_votes: int = BATCH_VOTES


class VoteImports:
    """Imports vote files, one at a time."""

    def __init__(
        self,
        *,
        database: Database,
        memory: ModelMemory,
        folder: Path,
        clock: Clock,
        categories: Categories,
        limits: FileLimits | None = None,
        together: int = 0,
    ) -> None:
        """Batches share a transaction of up to `together` votes."""
        self._database, self._memory, self._clock = database, memory, clock
        self._folder = folder
        self._categories = categories
        self._when_imported: list[Callable[[], None]] = []
        self._limits = limits
        self._store = StageStore(database, memory, clock, together)
        self._reading = False
        self._storing: asyncio.Task[None] | None = None

    def when_imported(self, listener: Callable[[], None]) -> None:
        """Call a function once new votes are published."""
        self._when_imported.append(listener)

    def open(self) -> None:
        """Remove leftovers of imports that were cut off while reading; resume those that were storing."""
        for leftover in (*self._stages.glob("*.part"), *self._stages.glob("*.upload")):
            leftover.unlink(missing_ok=True)
        if stages := sorted(self._stages.glob("*.votes")):
            self._storing = asyncio.create_task(self._resume(stages), name="parley-import")

    async def close(self) -> None:
        """Stop storing between two transactions; the next start resumes."""
        if self._storing is not None:
            self._storing.cancel()
            await asyncio.wait([self._storing])

    async def finished(self) -> None:
        """Wait until nothing is being stored."""
        if self._storing is not None:
            await asyncio.wait([self._storing])

    def new_upload(self) -> Path:
        """Return a path for an upload, which the caller removes. Raises Conflict while another import runs."""
        self.check_free()
        self._stages.mkdir(parents=True, exist_ok=True)
        return self._stages / f"{secrets.token_hex(8)}.upload"

    def check_free(self) -> None:
        """Raise Conflict while another import runs."""
        if self._reading or (self._storing is not None and not self._storing.done()):
            raise Conflict(
                "Another import is running.",
                "Nothing was imported. Wait until it ends, then try again.",
                code="import_running",
            )

    async def run(
        self, caller: Caller, path: Path, kind: Format, name: str, options: ImportOptions | None = None
    ) -> AsyncGenerator[ImportEvent]:
        """Import a file and yield its progress; the last event is ImportDone or ImportFailed.

        Closing the generator during reading cancels the import.
        """
        try:
            self.check_free()
        except Conflict as error:
            yield ImportFailed(error.problem, None)
            return
        log.info("%s imports votes from %s", caller, name)
        self._reading = True
        try:
            async with contextlib.aclosing(self._run(path, kind, name, options or ImportOptions())) as events:
                async for event in events:
                    yield event
        except ParleyError as error:
            yield ImportFailed(error.problem, None)
        except OSError as error:
            yield ImportFailed(cannot_write(error).problem, None)
        finally:
            self._reading = False

    @property
    def _stages(self) -> Path:
        return self._folder / "imports"

    async def _run(
        self, path: Path, kind: Format, name: str, options: ImportOptions
    ) -> AsyncGenerator[ImportEvent]:
        reader = await self._open_reader(path, kind, name, options)
        self._stages.mkdir(parents=True, exist_ok=True)
        stage = self._stages / f"{secrets.token_hex(8)}.votes"
        tally, now = Tally(), datetime.fromtimestamp(self._clock.now(), UTC)
        async with contextlib.aclosing(read_ahead(reader, options.batch_votes)) as pieces:
            with StageWriter(stage) as writer:
                empty = await self._database.read(lambda it: VoteFilesRepository(it).is_empty())
                here = await self._database.read(lambda it: VoteFilesRepository(it).has_cast_here())
                async for piece in pieces:
                    there = set[str]() if empty else await self._existing(piece.votes, here=here)
                    fresh = tally.add(piece, there)
                    if fresh and not options.dry_run:
                        await asyncio.to_thread(_write, writer, fresh, now)
                    yield tally.progress(READING_SHARE)
                report = tally.report(dry_run=options.dry_run)
                if report.bad and not options.skip_bad:
                    yield ImportFailed(_bad_rows(report), report)
                    return
                if options.dry_run or not report.imported:
                    yield ImportDone(report)
                    return
                await asyncio.to_thread(writer.finish, map(msgspec.json.encode, tally.new_models()))
        async for progress in self._store_all(stage, tally.progress(READING_SHARE), report.imported):
            yield progress
        yield ImportDone(report)

    async def _open_reader(self, path: Path, kind: Format, name: str, options: ImportOptions) -> PieceReader:
        # These import numpy, which a server need not load to start.
        from parley.features.vote_files.reading_process import ReadingProcess
        from parley.features.vote_files.reading_worker import ReadTask, open_reader

        task = ReadTask(
            path=str(path),
            kind=kind,
            name=name,
            models=self._memory.known(),
            salt=self._salt(),
            own_voters=await self._database.read(lambda it: VoteFilesRepository(it).own_voters()),
            categories=self._categories.own,
            bad_file=None if options.bad_file is None else str(options.bad_file),
            limits=self._limits,
            at_most=options.batch_votes,
        )
        return await asyncio.to_thread(ReadingProcess if _is_large(path) else open_reader, task)

    async def _existing(self, votes: Sequence[StagedVote], *, here: bool) -> set[str]:
        # Only a vote that was cast here is stored under another id than its own. Own ids begin with the time, so
        # those of a file lie side by side in the index; the others lie anywhere.
        ids = [it for vote in votes for it in (vote.possible_ids() if here else (vote.id,))]
        return await self._database.read(lambda it: VoteFilesRepository(it).existing(ids))

    async def _store_all(
        self, stage: Path, progress: ImportProgress, total: int
    ) -> AsyncGenerator[ImportProgress]:
        """Store a stage in a task of its own, which outlives this generator; yield its progress."""
        stored = 0

        def count(votes: int) -> None:
            nonlocal stored
            # A transaction that is tried again counts its votes again.
            stored = min(stored + votes, total)

        task = self._storing = asyncio.create_task(self._store_one(stage, count), name="parley-import")
        while not task.done():
            await asyncio.wait([task], timeout=0.25)
            share = READING_SHARE + (STORED_SHARE - READING_SHARE) * stored / total
            yield msgspec.structs.replace(
                progress, phase="storing", imported=stored, total=total, done=round(share, 4)
            )
        error = None if task.cancelled() else task.exception()
        if task.cancelled() or error is not None:
            log.error("an import could not be stored yet", exc_info=error)
            raise Unavailable(
                "Can't store the votes now.",
                "They are safe in the data folder and will be stored at the next start. Until then "
                "none of them is shown.",
                code="import_interrupted",
            )

    async def _store_one(self, stage: Path, count: Callable[[int], None], *, resumed: bool = False) -> None:
        await self._store.store(stage, count, resumed=resumed)
        for listener in self._when_imported:
            listener()

    async def _resume(self, stages: Sequence[Path]) -> None:
        for stage in stages:
            log.info("resuming an interrupted import")
            try:
                await self._store_one(stage, lambda _votes: None, resumed=True)
            except (ParleyError, OSError) as error:
                log.warning("an import could not be finished yet: %s", error)

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


def cannot_write(error: OSError) -> Unavailable:
    """Return the error for a file that cannot be written, as when the disk is full."""
    which = str(error.filename) if error.filename else "A file in the data folder"
    return Unavailable(
        f"{which} cannot be written: {error.strerror or error}.",
        "Nothing was imported. Free some space or choose another folder, then try again.",
        code="import_interrupted",
    )


def _write(writer: StageWriter, votes: Sequence[StagedVote], now: datetime) -> None:
    records = vote_records(votes, now)
    writer.add(records.columns, records.packed)


def _is_large(path: Path) -> bool:
    # A file that is not there is refused by whoever reads it.
    return path.exists() and path.stat().st_size > READ_HERE_BYTES


def _bad_rows(report: ImportReport) -> Problem:
    rows = "rows is not a valid vote" if report.bad == 1 else "rows are not valid votes"
    first = report.bad_rows[0]
    where = f"Line {first.line}: {first.field + ' ' if first.field else ''}{first.why}."
    return Problem(
        code="bad_rows",
        title=f"{report.bad:,} of {report.read:,} {rows}, so nothing was imported.",
        detail=f"{where} Fix them, or import valid rows and skip the rest.",
    )
