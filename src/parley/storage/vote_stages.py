"""Stage files of imports: SQLite databases with checked votes and what the audit log says of them, ready to be stored.

On SQLite one statement copies a part of a stage into the table of votes. PostgreSQL gets its rows by COPY.
"""

import errno
import os
import sqlite3
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from parley.storage.audit_imports import PackedVotes
from parley.storage.bulk import bulk_insert
from parley.storage.sqlite_dialect import driver_of
from parley.storage.sqlite_store import ATTACHED
from parley.storage.tables.narrow import STATUSES
from parley.storage.tables.votes import Vote
from parley.storage.transaction import Transaction

COLUMNS = (
    *("id", "kind", "rated", "owner_id", "voter_id", "choice", "reason", "left_model_id", "right_model_id"),
    *("propensity", "counted", "not_counted_reason", "result", "created_at", "excluded_reason", "categories"),
    *("categories_by", "prompt_sha256", "style", "read_ms"),
)
"""The columns of votes in a stage, with values as SQLite stores them. The others are the same in all imported votes."""

_BYTES, _FLAGS = ("id", "voter_id"), ("rated", "counted")
_NAMES = ", ".join(COLUMNS)
_PACK_NAMES, _PACK_MARKS = ", ".join(PackedVotes._fields), ", ".join("?" * len(PackedVotes._fields))
_WRITING = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
"""Nobody else sees the file, and a crash before its end takes it back as a whole."""

_TABLES = f"""
CREATE TABLE votes ({_NAMES});
CREATE TABLE parts (last INTEGER PRIMARY KEY, shared);
CREATE TABLE packs (last INTEGER PRIMARY KEY, {_PACK_NAMES});
CREATE TABLE models (card);
"""
_PACK = f"INSERT INTO packs VALUES (?, {_PACK_MARKS})"  # noqa: S608 - our names
_IN_PART = "rowid > ? AND rowid <= ?"


class Part(NamedTuple):
    """Votes of a stage that were added together, those with the numbers from `after` + 1 to `last`.

    `shared` has the columns that are the same in all of them.
    """

    after: int
    last: int
    shared: dict[str, Any]

    @property
    def votes(self) -> int:
        """How many they are."""
        return self.last - self.after

    def selected(self, *names: str) -> tuple[str, list[Any]]:
        """Return these columns as a list for SELECT, and its parameters."""
        columns = ", ".join("?" if name in self.shared else name for name in names)
        return columns, [self.shared[name] for name in names if name in self.shared]


class Excluded(NamedTuple):
    """A vote that is excluded in its file."""

    vote_id: str
    reason: str


class StagedPart(NamedTuple):
    """What the database stores of a part; `rows` are only read for PostgreSQL."""

    part: Part
    packed: list[PackedVotes]
    excluded: list[Excluded]
    rows: list[tuple[Any, ...]]


class StageWriter:
    """Writes a stage. Only `finish` gives it its name; leaving the context before removes it. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path, self._part = path, path.with_suffix(".part")
        self._votes = 0
        # Whoever leaves while `add` runs in another thread waits for it.
        self._lock = threading.Lock()
        with _words(self._part):
            self._driver = sqlite3.connect(self._part, isolation_level=None, check_same_thread=False)
            self._driver.executescript(f"{_WRITING}{_TABLES}BEGIN")

    def add(self, columns: Sequence[Sequence[Any]], packed: Sequence[PackedVotes]) -> None:
        """Add a part: its columns in the order of `COLUMNS`, and the packed entries of all of its votes."""
        named = dict(zip(COLUMNS, columns, strict=True))
        # Half of the columns, which would take half of the time.
        shared = {name: it[0] for name, it in named.items() if name != "id" and it.count(it[0]) == len(it)}
        own = {name: it for name, it in named.items() if name not in shared}
        insert = f"INSERT INTO votes ({', '.join(own)}) VALUES ({', '.join('?' * len(own))})"  # noqa: S608 - our names
        with self._lock, _words(self._part):
            self._driver.executemany(insert, zip(*own.values(), strict=True))
            for group in packed:
                self._votes += group.votes
                self._driver.execute(_PACK, (self._votes, *group))
            self._driver.execute(
                "INSERT INTO parts VALUES (?, ?)", (self._votes, msgspec.msgpack.encode(shared))
            )

    def finish(self, cards: Iterable[bytes]) -> None:
        """Add the cards of new models, and make the file durable: from here on the import will be carried out."""
        with self._lock, _words(self._part):
            self._driver.executemany("INSERT INTO models VALUES (?)", ((card,) for card in cards))
            self._driver.execute("COMMIT")
            self._driver.close()
        _make_durable(self._part, self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._driver.close()
        self._part.unlink(missing_ok=True)


class Stage:
    """Reads a finished stage, from any thread. Raises sqlite3.Error if it is none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def parts(self) -> list[Part]:
        """Return its parts in the order of the file."""
        after, parts = 0, list[Part]()
        for last, shared in self._rows("SELECT last, shared FROM parts ORDER BY last"):
            parts.append(Part(after, last, msgspec.msgpack.decode(shared, type=dict[str, Any])))
            after = last
        return parts

    def cards(self) -> list[bytes]:
        """Return the cards of new models."""
        return [card for (card,) in self._rows("SELECT card FROM models")]

    def first_id(self, part: Part) -> str:
        """Return the id of a part's first vote."""
        ((vote_id,),) = self._rows("SELECT id FROM votes WHERE rowid = ?", part.after + 1)
        return bytes(vote_id).hex()

    def read(self, part: Part, *, rows: bool) -> StagedPart:
        """Return a part, on request with its rows."""
        packed = self._rows(
            f"SELECT {_PACK_NAMES} FROM packs WHERE {_IN_PART} ORDER BY rowid",  # noqa: S608 - our names
            *part[:2],
        )
        excluded: list[Any] = []
        if part.shared.get("excluded_reason", "") is not None:
            excluded = self._of(part, "id", "excluded_reason")
        return StagedPart(
            part,
            list(map(PackedVotes._make, packed)),
            [Excluded(vote_id.hex(), reason) for vote_id, reason in excluded if reason is not None],
            self._of(part, *COLUMNS) if rows else [],
        )

    def _of(self, part: Part, *names: str) -> list[Any]:
        columns, shared = part.selected(*names)
        sql = f"SELECT {columns} FROM votes WHERE {_IN_PART} ORDER BY rowid"  # noqa: S608 - our names
        return self._rows(sql, *shared, *part[:2])

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.path)) as driver:
            return driver.execute(sql, values).fetchall()


def insert_part(transaction: Transaction, staged: StagedPart, status: str) -> None:
    """Insert the votes of a part with a processing status; on SQLite their stage is attached."""
    if transaction.dialect != "sqlite":
        columns = (*COLUMNS, "origin", "processing_status")
        bulk_insert(transaction, Vote, columns, [(*_widened(row), "import", status) for row in staged.rows])
        return
    columns, shared = staged.part.selected(*COLUMNS)
    driver_of(transaction.connection()).execute(
        # OR FAIL: else SQLite keeps every page that the statement changes, to be able to undo it alone.
        f"INSERT OR FAIL INTO votes ({_NAMES}, origin, processing_status) "  # noqa: S608 - our names
        f"SELECT {columns}, 'import', ? FROM {ATTACHED}.votes WHERE {_IN_PART}",
        (*shared, STATUSES[status], *staged.part[:2]),
    )


def _widened(row: Sequence[Any]) -> list[Any]:
    """Return a row as PostgreSQL's driver takes it."""
    values = dict(zip(COLUMNS, row, strict=True))
    values |= {name: values[name].hex() for name in _BYTES} | {name: bool(values[name]) for name in _FLAGS}
    values["created_at"] = datetime.fromisoformat(values["created_at"] + "Z")
    if isinstance(answer := values["result"], bytes):
        values["result"] = f'{{"question_id":"{answer.hex()}"}}'
    return list(values.values())


@contextmanager
def _words(path: Path) -> Generator[None]:
    """Turn errors of SQLite's driver into those of a file."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code: int = getattr(error, "sqlite_errorcode", 0) & 0xFF
        number = errno.ENOSPC if code == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(number, os.strerror(number), str(path)) from error


def _make_durable(part: Path, path: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.replace(path)
    if os.name != "nt":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
