"""Imports of votes: a file goes in whole or not at all, while everything else goes on.

Why not one transaction: SQLite has one writer, which a million votes would keep for half a minute, and the audit log
is a chain that only grows, so what is in it cannot be taken back while others vote. So an import has a point of no
return:

1. **Reading.** Every row is checked and written to a file in the data folder (`imports/*.part`). Cancelled, killed or
   refused here, nothing has happened; what is left of the file is removed at the next start.
2. **The point of no return**: that file is made durable and gets its name (`*.votes`).
3. **Storing**, in short transactions: votes with the status `staged`, which no reader sees, and with each batch its
   entries of the audit log, so that `parley audit verify` holds at any moment. A crash here is made good at the next
   start: what is stored already is known by its ids.
4. **Showing**: one transaction turns every staged vote into a pending one. Then the standings are told.

A vote's id is made from what the file says of it (`parsing`), so a file that is imported twice changes nothing.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, ParleyError, Problem, Unavailable
from parley.kernel.ports import Clock
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.trouble import DatabaseBusy
from parley.text.categories.categorise import Categories
from parley.workspace.catalog.memory import ModelMemory
from parley.workspace.votes.columns import READ
from parley.workspace.votes.limits import FileLimits
from parley.workspace.votes.models_of_files import ModelNames
from parley.workspace.votes.repository import Prepared, VotesRepository, prepared
from parley.workspace.votes.rows import Format, VoteRows, needed_columns
from parley.workspace.votes.schemas import ImportDone, ImportEvent, ImportFailed, ImportProgress, ImportReport
from parley.workspace.votes.staged import StagedBatch, StagedVote, StageWriter, read_stage

if TYPE_CHECKING:
    from parley.workspace.votes.reading import FileReading

T = TypeVar("T")

BATCH_VOTES = 4_000
"""Votes that are stored in one transaction while others vote: some fifty milliseconds."""

BATCH_VOTES_ALONE = 20_000
"""The same where nobody else is there."""

NEEDED = ("model_a", "model_b", "winner")
PATIENCE = 5
READING_SHARE = 0.3
"""Which part of the work reading is, more or less."""

SALT_FILE = "voters.salt"

log = logging.getLogger(__name__)


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a file is taken in. `skip_bad`: the good rows are imported although others are none."""

    skip_bad: bool = False
    dry_run: bool = False
    bad_file: Path | None = None
    batch_votes: int = BATCH_VOTES


class Storing(msgspec.Struct):
    """How far the storing of a stage is."""

    stored: int = 0
    cards: list[ModelCard] = []


class VoteImports:
    """Takes files of votes in, one at a time. `wake` is called when new votes are there."""

    def __init__(
        self,
        *,
        database: Database,
        memory: ModelMemory,
        folder: Path,
        clock: Clock,
        categories: Categories,
        wake: Callable[[], None],
        limits: FileLimits | None = None,
    ) -> None:
        self._database, self._memory, self._clock = database, memory, clock
        self._folder = folder
        self._categories = categories
        self._wake = wake
        self._limits = limits
        self._reading = False
        self._storing: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Remove what was being read when Parley ended, and go on storing what was being stored."""
        for leftover in (*self._stages.glob("*.part"), *self._stages.glob("*.upload")):
            leftover.unlink(missing_ok=True)
        waiting = sorted(self._stages.glob("*.votes"))
        if waiting:
            self._storing = asyncio.create_task(self._resume(waiting), name="parley-import")

    async def close(self) -> None:
        """Stop storing between two transactions; the next start goes on."""
        if self._storing is not None:
            self._storing.cancel()
            await asyncio.wait([self._storing])

    async def finished(self) -> None:
        """Wait until nothing is being stored."""
        if self._storing is not None:
            await asyncio.wait([self._storing])

    def new_upload(self) -> Path:
        """Return where an upload may be kept until it is read; whoever asks removes it."""
        self.check_free()
        self._stages.mkdir(parents=True, exist_ok=True)
        return self._stages / f"{secrets.token_hex(8)}.upload"

    def check_free(self) -> None:
        """Raise Conflict while another import goes on."""
        if self._reading or (self._storing is not None and not self._storing.done()):
            raise Conflict(
                "Another import is going on.", "Wait for its end, and try again.", code="import_running"
            )

    async def run(
        self, caller: Caller, path: Path, kind: Format, name: str, options: ImportOptions | None = None
    ) -> AsyncGenerator[ImportEvent]:
        """Take a file in and tell how far it is; the last event is ImportDone or ImportFailed.

        Whoever stops listening while it is being read takes the import back.
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
            yield ImportFailed(no_room(error).problem, None)
        finally:
            self._reading = False

    @property
    def _stages(self) -> Path:
        return self._folder / "imports"

    async def _run(
        self, path: Path, kind: Format, name: str, options: ImportOptions
    ) -> AsyncGenerator[ImportEvent]:
        models = ModelNames(self._memory.known())
        reading = await self._open_reading(path, kind, name, models, options)
        self._stages.mkdir(parents=True, exist_ok=True)
        stage = self._stages / f"{secrets.token_hex(8)}.votes"
        with contextlib.closing(reading), StageWriter(stage) as writer:
            empty = await self._database.read(lambda transaction: VotesRepository(transaction).is_empty())
            while not reading.ended:
                votes = await asyncio.to_thread(reading.take, options.batch_votes)
                fresh = reading.keep(votes, frozenset() if empty else await self._existing(votes))
                if not options.dry_run:
                    await asyncio.to_thread(writer.add, fresh)
                told = reading.progress()
                yield msgspec.structs.replace(told, done=round(told.done * READING_SHARE, 4))
            report = reading.report(dry_run=options.dry_run)
            if reading.bad and not options.skip_bad:
                yield ImportFailed(_bad_rows(report), report)
                return
            if options.dry_run or not report.imported:
                yield ImportDone(report)
                return
            await asyncio.to_thread(writer.finish, models.cards, report.imported)
        async for progress in self._store_and_tell(stage, report):
            yield progress
        yield ImportDone(report)

    async def _open_reading(
        self, path: Path, kind: Format, name: str, models: ModelNames, options: ImportOptions
    ) -> "FileReading":
        # They bring numpy, which a server need not load to start.
        from parley.workspace.votes.parsing import RowParser, Voters
        from parley.workspace.votes.reading import FileReading

        own = await self._database.read(lambda transaction: VotesRepository(transaction).own_voters())
        parser = RowParser(
            models=models,
            voters=Voters(self._salt(), own),
            categorise=self._categories.categorise,
            now=self._now(),
            cells=kind == "csv",
        )
        rows = VoteRows(path, kind, needed_columns(NEEDED), name=name, columns=READ, limits=self._limits)
        return FileReading(rows, parser, models, options.bad_file)

    async def _existing(self, votes: Sequence[StagedVote]) -> set[str]:
        return await self._stored([told for vote in votes for told in vote.told_ids()])

    async def _stored(self, ids: Sequence[str]) -> set[str]:
        return await self._database.read(lambda transaction: VotesRepository(transaction).existing(ids))

    async def _store_and_tell(self, stage: Path, report: ImportReport) -> AsyncGenerator[ImportProgress]:
        """Begin to store, and tell how far it is; it goes on where nobody listens any more."""
        state = Storing()
        task = self._storing = asyncio.create_task(self._store(stage, state), name="parley-import")
        while not task.done():
            await asyncio.wait([task], timeout=0.25)
            share = READING_SHARE + (0.97 - READING_SHARE) * state.stored / report.imported
            yield ImportProgress(
                phase="storing",
                read=report.read,
                imported=state.stored,
                duplicates=report.duplicates,
                bad=report.bad,
                total=report.imported,
                done=round(share, 4),
            )
        if task.cancelled() or task.exception() is not None:
            log.error(
                "an import could not be stored yet", exc_info=None if task.cancelled() else task.exception()
            )
            raise Unavailable(
                "The votes could not be stored now.",
                "None of them is shown. They are safe in the data folder, and stored at the next start.",
                code="import_interrupted",
            )

    async def _resume(self, stages: Sequence[Path]) -> None:
        for stage in stages:
            log.info("an import that was interrupted goes on")
            try:
                await self._store(stage, Storing(), resumed=True)
            except ParleyError as error:
                log.warning("an import could not be finished yet: %s", error)

    async def _store(self, stage: Path, state: Storing, *, resumed: bool = False) -> None:
        cards: list[ModelCard] = []
        steps = self._steps(stage, self._now())
        step = await asyncio.to_thread(next, steps, None)
        while step is not None:
            if isinstance(step, list):
                cards, step = step, await asyncio.to_thread(next, steps, None)
                continue
            # The next batch is made ready while this one is stored.
            storing = asyncio.ensure_future(self._stage(step, resumed=resumed))
            following = await asyncio.to_thread(next, steps, None)
            await storing
            state.stored += len(step.rows)
            step = following
        await self._patiently(lambda: self._database.write(lambda it: self._show(it, cards), alone=True))
        self._memory.learn(cards)
        await asyncio.to_thread(stage.unlink)
        self._wake()

    def _steps(self, stage: Path, now: datetime) -> Iterator[Prepared | list[ModelCard]]:
        for record in read_stage(stage):
            if isinstance(record, StagedBatch):
                yield prepared(record.votes, now, sqlite=self._database.is_sqlite)
            else:
                yield record.cards

    async def _stage(self, votes: Prepared, *, resumed: bool) -> None:
        if resumed:
            existing = await self._stored([str(row[0]) for row in votes.rows])
            votes = Prepared(
                [row for row in votes.rows if row[0] not in existing],
                [entry for entry in votes.entries if entry.vote_id not in existing],
            )
        await self._patiently(
            lambda: self._database.write(
                lambda transaction: VotesRepository(transaction).stage(votes), alone=True
            )
        )

    def _show(self, transaction: Transaction, cards: list[ModelCard]) -> None:
        self._memory.adopt(transaction, cards, self._now())
        VotesRepository(transaction).publish()

    async def _patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Carry out a transaction; again where the database is busy."""
        for _ in range(PATIENCE):
            try:
                return await work()
            except DatabaseBusy:
                await asyncio.sleep(1.0)
        return await work()

    def _salt(self) -> bytes:
        """Return this installation's salt; made once, and whole or not at all."""
        path = self._folder / SALT_FILE
        if not path.exists() or not path.stat().st_size:
            self._folder.mkdir(parents=True, exist_ok=True)
            part = path.with_suffix(".part")
            part.unlink(missing_ok=True)
            part.touch(mode=0o600)
            part.write_bytes(secrets.token_bytes(32))
            part.replace(path)
        return path.read_bytes()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.now(), UTC)


def no_room(error: OSError) -> Unavailable:
    """Return the words for a file that cannot be written, as when the disk is full."""
    which = str(error.filename) if error.filename else "A file in the data folder"
    return Unavailable(
        f"{which} cannot be written: {error.strerror or error}.",
        "Nothing was imported. Make room or choose another place, and try again.",
        code="import_interrupted",
    )


def _bad_rows(report: ImportReport) -> Problem:
    rows = "rows is no vote" if report.bad == 1 else "rows are no votes"
    first = report.bad_rows[0]
    where = f"Line {first.line}: {first.field + ' ' if first.field else ''}{first.why}."
    return Problem(
        code="bad_rows",
        title=f"{report.bad:,} of {report.read:,} {rows}, so nothing was imported.",
        detail=f"{where} Correct them, or import the good rows only.",
    )
