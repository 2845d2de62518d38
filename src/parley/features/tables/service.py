"""Use cases of tables: describe those of a session, and ask them with SQL."""

import asyncio
import shutil
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from parley.engine.reader_process import Finished, run_reader
from parley.features.tables.loading import kind_of
from parley.features.tables.messages import (
    LIMITS,
    MEMORY_MB,
    QUERY_SECONDS,
    Cards,
    Outcome,
    QueryResult,
    Refusal,
    Rows,
    TableCard,
    TableFile,
    TableTask,
)
from parley.features.tables.repository import TablesRepository
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.storage.blobs import BlobStore
from parley.storage.database import Database
from parley.storage.tables.attachments import AttachmentRow

WORKER = "parley.features.tables.worker"
AT_ONCE = 2
MOST_CARDS = 200
MOST_FILES = 20

_BROKEN = Refusal("The tables of this session can't be read.", "Attach the files again.", code="query_wrong")
_TOO_SLOW = Refusal(
    f"This query took more than {QUERY_SECONDS} s, which is the limit.",
    "It was stopped. Select less, or join on fewer rows.",
    code="query_too_slow",
)
_TOO_LARGE = Refusal(
    f"This query needs more than {MEMORY_MB} MB of memory, which is the limit.",
    "Nothing was changed. Select fewer rows or columns, or add up first.",
    code="query_too_large",
)


class SessionTables(msgspec.Struct, frozen=True):
    """The tables of a session, and why other files can't be read as tables, by the file's name."""

    tables: list[TableCard]
    failures: dict[str, str]


class TablesService:
    """Reads tables in a process of its own; nothing of a query outlives it."""

    def __init__(self, database: Database, blobs: BlobStore, folder: Path) -> None:
        """`folder` is for what is unpacked; it is emptied at every start."""
        self._database = database
        self._blobs = blobs
        self._folder = folder
        self._running = asyncio.Semaphore(AT_ONCE)
        self._described: OrderedDict[tuple[tuple[str, str], ...], SessionTables] = OrderedDict()

    def open(self) -> None:
        """Delete what an interrupted query has left."""
        shutil.rmtree(self._folder, ignore_errors=True)

    async def files(self, owner_id: str, session_id: str) -> Sequence[AttachmentRow]:
        """Return the files of a session that have tables. Raises NotFound."""
        rows = await self._database.read(
            lambda transaction: TablesRepository(transaction).files(owner_id, session_id)
        )
        return [row for row in rows if kind_of(row.name, row.media_type)][:MOST_FILES]

    async def describe(self, owner_id: str, session_id: str) -> SessionTables:
        """Return the tables of a session. Raises NotFound."""
        files = await self.files(owner_id, session_id)
        key = tuple((row.sha256, row.name) for row in files)
        if not files:
            return SessionTables([], {})
        if (known := self._described.get(key)) is not None:
            self._described.move_to_end(key)
            return known
        outcome = await self._read(files, None)
        if not isinstance(outcome, Cards):
            why = outcome.title if isinstance(outcome, Refusal) else _BROKEN.title
            return SessionTables([], {row.name: why for row in files})
        described = SessionTables(list(outcome.cards), outcome.failures)
        self._described[key] = described
        while len(self._described) > MOST_CARDS:
            self._described.popitem(last=False)
        return described

    async def query(self, owner_id: str, session_id: str, sql: str) -> QueryResult:
        """Return the result of one SELECT over a session's tables. Raises NotFound, Invalid."""
        files = await self.files(owner_id, session_id)
        if not files:
            raise Invalid(
                "sql",
                "This session has no tables.",
                "Attach a CSV, TSV, Parquet, XLSX or JSONL file to a question first.",
                code="query_refused",
            )
        outcome = await self._read(files, sql)
        if isinstance(outcome, Rows):
            return outcome.result
        refusal = outcome if isinstance(outcome, Refusal) else _BROKEN
        raise Invalid("sql", refusal.title, refusal.detail, code=refusal.code)

    async def describe_for(self, caller: Caller, session_id: str) -> SessionTables:
        """Return the tables of the caller's session. Raises NotFound."""
        return await self.describe(caller.person_id, session_id)

    async def _read(self, files: Sequence[AttachmentRow], sql: str | None) -> Outcome:
        async with self._running:
            folder = await asyncio.to_thread(self._new_folder)
            try:
                listed = await asyncio.to_thread(lambda: tuple(map(self._file, files)))
                task = TableTask(files=listed, folder=str(folder), sql=sql)
                return _outcome(await run_reader(WORKER, task, LIMITS))
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def _file(self, row: AttachmentRow) -> TableFile:
        """Return a file to read; one that is missing has a path where nothing is. Raises Unavailable."""
        path = self._blobs.find(row.sha256) or self._folder / row.sha256
        return TableFile(name=row.name, path=str(path), media_type=row.media_type, encoding=row.encoding)

    def _new_folder(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        return Path(mkdtemp(dir=self._folder))


def _outcome(finished: Finished) -> Outcome:
    if finished.failure == "time":
        return _TOO_SLOW
    if finished.failure == "memory":
        return _TOO_LARGE
    try:
        return msgspec.msgpack.decode(finished.output, type=Outcome)
    except msgspec.DecodeError:
        # Where the system refuses memory, a library may end the process.
        return _TOO_LARGE if finished.failure == "crash" else _BROKEN
