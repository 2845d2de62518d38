"""Databases full of rows at every revision, made once and copied for each trial, and digests of databases."""

import asyncio
import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from parley.kernel.ids import random_id
from parley.storage.database import Database
from prove.campaign import Skipped
from prove.migrating import move, revisions, statements
from tests.fakes.databases import NoServer, connect, on_server, url_of, with_driver

Kind = Literal["sqlite", "postgresql"]

SHARES = {"sessions": 0.05, "matches": 0.15, "seats": 0.2, "turns": 0.15, "replies": 0.3, "votes": 0.15}
"""Which part of the rows each table has; every other table of the first revision has a few."""

REFERRED = {
    "owner_id": "users",
    "session_id": "sessions",
    "match_id": "matches",
    "turn_id": "turns",
    "reply_id": "replies",
}
"""The tables that columns refer to, also where the database does not watch over it."""

FEW_VALUES: dict[str, list[Any]] = {
    "kind": ["blind", "open"],
    "ballot": [["left", "right", "tie", "both_bad"], ["yes", "no"], []],
}
"""What takes one of few values in every installation, by column."""

CHAIN = {"audit_log", "audit_head"}
ENTRIES = (
    "SELECT seq, vote_id, kind, content, previous_sha256, sha256, created_at FROM audit_log ORDER BY seq"
)
HEAD = "SELECT id, seq, sha256 FROM audit_head"
ADDED_BY_AN_UPGRADE = ("findings", "inclusion")

FEW = 3
ROWS_AT_ONCE = 2_000
BEGAN = datetime(2026, 3, 1, 12, tzinfo=UTC)


class State(msgspec.Struct, frozen=True):
    """The state of a database: its revision, its schema in words, and a digest of every table."""

    revision: str | None
    schema: str
    data: dict[str, str]

    def unlike(self, other: "State") -> str | None:
        """Describe how another one differs; return None if both are equal."""
        if self.revision != other.revision:
            return f"it is at revision {other.revision}, not {self.revision}"
        if self.schema != other.schema:
            return f"its schema is not that of revision {self.revision} made anew"
        wrong = {name for name in {*self.data, *other.data} if self.data.get(name) != other.data.get(name)}
        return f"other data are in {', '.join(sorted(wrong))}" if wrong else None


class Images:
    """A database for every revision, with the same rows, brought up step by step."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self._kind, self._folder = kind, folder
        self._made: list[str] = []
        self._at: dict[str, str] = {}
        self.revisions: list[str] = []
        self.states: dict[str, State] = {}
        self.statements: dict[tuple[str, str], int] = {}
        """How many statements each step takes, up and down."""

    async def make(self, rows: int) -> list[str]:
        """Make them all; return what was wrong on the way down. Raises Skipped if there is no server."""
        await self._make_fresh()
        before = None
        for revision in self.revisions:
            name = await (self._new() if before is None else self.copy(before))
            taken = await self._moved(name, revision)
            if before is None:
                await self._with(name, lambda database: database.administer(lambda it: fill(it, rows)))
            else:
                self.statements[before, revision] = taken
            self._at[revision] = name
            found = await self.state(name)
            if found.schema != self.states[revision].schema:
                raise RuntimeError(f"revision {revision} makes another schema where there are rows")
            self.states[revision] = found
            before = revision
        wrong: list[str] = []
        for newer, older in zip(self.revisions[:0:-1], self.revisions[-2::-1], strict=True):
            name = await self.copy(newer)
            self.statements[newer, older] = await self._moved(name, older)
            if unlike := self.states[older].unlike(await self.state(name)):
                wrong.append(f"{newer} down to {older}, nobody disturbing it: {unlike}")
            await self.drop(name)
        return wrong

    async def copy(self, revision: str) -> str:
        """Return the name of a copy of a revision's image."""
        name, image = self._name(), self._at[revision]
        if self._kind == "sqlite":
            await asyncio.to_thread(shutil.copyfile, self._file(image), self._file(name))
        else:
            await on_server(f"CREATE DATABASE {name} TEMPLATE {image}")
        return name

    def url(self, name: str) -> str:
        """Return a database's address."""
        return f"sqlite:///{self._file(name)}" if self._kind == "sqlite" else with_driver(url_of(name))

    async def state(self, name: str) -> State:
        """Return the state of a database."""
        revision, schema = await self._with(name, lambda database: database.administer(described))
        if self._kind == "sqlite":
            return State(revision, schema, await asyncio.to_thread(_digests_of_file, self._file(name)))
        return State(revision, schema, await _digests_on_server(name))

    async def drop(self, name: str) -> None:
        """Remove a database."""
        self._made.remove(name)
        if self._kind == "sqlite":
            for end in ("", "-wal", "-shm"):
                Path(f"{self._file(name)}{end}").unlink(missing_ok=True)  # noqa: ASYNC240
        else:
            await on_server(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    async def drop_all(self) -> None:
        """Remove every database that was made."""
        for name in list(self._made):
            await self.drop(name)

    async def _make_fresh(self) -> None:
        """Bring an empty database up, and note the schema of every revision."""
        name = await self._new()
        database = Database(self.url(name))
        self.revisions = await database.administer(revisions)
        for revision in self.revisions:
            await move(database, revision)
            _, schema = await database.administer(described)
            self.states[revision] = State(revision, schema, {})
        await database.close()
        await self.drop(name)

    async def _moved(self, name: str, revision: str) -> int:
        with statements() as seen:
            await self._with(name, lambda database: move(database, revision))
        return len(seen)

    async def _with(self, name: str, work: Any) -> Any:
        database = Database(self.url(name))
        try:
            return await work(database)
        finally:
            await database.close()

    async def _new(self) -> str:
        name = self._name()
        if self._kind == "postgresql":
            try:
                await on_server(f"CREATE DATABASE {name}")
            except NoServer as missing:
                self._made.remove(name)
                raise Skipped(str(missing)) from missing
        return name

    def _name(self) -> str:
        name = f"parley_test_p{os.getpid()}_{random_id()[:12]}"
        self._made.append(name)
        return name

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.db"


def described(connection: sa.Connection) -> tuple[str | None, str]:
    """Return a database's revision, and its schema in words."""
    look = sa.inspect(connection)
    words: list[str] = []
    for table in sorted(look.get_table_names()):
        if table.startswith("search_index"):
            continue  # SQLite keeps its search index in tables of its own kind
        # A column that goes and comes again stands at the end: what matters is its name.
        columns = sorted(
            f"{it['name']} {it['type']} {it['nullable']} {it['default']}" for it in look.get_columns(table)
        )
        keys = (
            look.get_pk_constraint(table),
            look.get_foreign_keys(table),
            look.get_unique_constraints(table),
        )
        words.append(repr((table, columns, *(_in_order(it) for it in (*keys, look.get_indexes(table))))))
    known = look.has_table("alembic_version")
    revision = (
        connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() if known else None
    )
    return revision, "\n".join(words)


def _in_order(found: Any) -> object:
    return sorted(map(_in_words, found)) if isinstance(found, list) else _in_words(found)


def _in_words(found: Any) -> str:
    """Return a key or an index as text; its options hold objects, of which only their own text tells anything."""
    options = {name: str(value) for name, value in found.get("dialect_options", {}).items()}
    return repr({**found, "dialect_options": options})


def _digests_of_file(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        checked = database.execute("pragma integrity_check").fetchall()
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {"(integrity)": repr(checked)}
        for table in tables:
            if table in CHAIN:
                continue
            digest = hashlib.sha256()
            columns = database.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()
            names = ", ".join(f'"{name}"' for name in sorted(name for name, _ in columns))
            order = ", ".join(f'"{name}"' for name, pk in columns if pk) or names
            for row in database.execute(f'SELECT {names} FROM "{table}" ORDER BY {order}'):
                digest.update(repr(row).encode())
            found[table] = digest.hexdigest()
        if set(tables) >= CHAIN:
            found["audit_log"] = _of_chain(*(database.execute(query).fetchall() for query in (ENTRIES, HEAD)))
        return found


async def _digests_on_server(name: str) -> dict[str, str]:
    connection = await connect(name)
    try:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = {str(table) for (table,) in tables}
        found = {
            table: str(
                await connection.fetchval(
                    "SELECT md5(coalesce(string_agg(md5(row), '' ORDER BY row), '')) "
                    f'FROM (SELECT to_jsonb(t)::text AS row FROM "{table}" t) AS rows'
                )
            )
            for table in names - CHAIN
        }
        if names >= CHAIN:
            found["audit_log"] = _of_chain(await connection.fetch(ENTRIES), await connection.fetch(HEAD))
        return found
    finally:
        await connection.close()


def _of_chain(entries: Sequence[Any], heads: Sequence[Any]) -> str:
    """Return a digest of the audit log, or where its chain is broken.

    Each upgrade writes its own time into what it adds: that time, and the hashes that follow from it, are left out.
    """
    digest, sha256 = hashlib.sha256(), "0" * 64
    for number, (seq, vote_id, kind, content, previous, own, created_at) in enumerate(entries, 1):
        linked = hashlib.sha256((sha256 + content).encode()).hexdigest()
        if (seq, previous, own) != (number, sha256, linked):
            return f"broken at entry {seq}"
        sha256, said, moment = own, content, str(created_at)
        if kind in ADDED_BY_AN_UPGRADE:
            said, moment = re.sub(r'"created_at":"[^"]*"', "", content), ""
        digest.update(repr((vote_id, kind, said, moment)).encode())
    if [tuple(head) for head in heads] != [(1, len(entries), sha256)]:
        return "another end than that of the chain"
    return digest.hexdigest()


def fill(connection: sa.Connection, rows: int) -> None:
    """Fill the tables of the first revision with this many different rows."""
    found = sa.MetaData()
    found.reflect(connection)
    counts = {table.name: max(FEW, round(rows * SHARES.get(table.name, 0))) for table in found.sorted_tables}
    for table in found.sorted_tables:
        if table.name == "alembic_version":
            continue
        for start in range(0, counts[table.name], ROWS_AT_ONCE):
            numbers = range(start, min(start + ROWS_AT_ONCE, counts[table.name]))
            many = [{it.name: _value(it, number, counts) for it in table.columns} for number in numbers]
            connection.execute(table.insert(), many)
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT setval('votes_seq_seq', (SELECT max(seq) FROM votes))"))


def _value(column: sa.Column[Any], number: int, counts: dict[str, int]) -> Any:
    """Return the value of the number-th row in a column; references point to existing rows."""
    if (referred := REFERRED.get(column.name)) is not None:
        return _id(referred, number % counts[referred])
    if column.name == "processing_status":
        return "pending"
    if column.name == "path":
        return ""  # what a turn's own seats say
    if column.name in FEW_VALUES:
        return FEW_VALUES[column.name][number % len(FEW_VALUES[column.name])]
    if column.nullable and number % 4 == 0:
        return None
    if isinstance(column.type, sa.DateTime):
        moment = BEGAN + timedelta(seconds=number)
        return moment if getattr(column.type, "timezone", False) else moment.replace(tzinfo=None)
    if isinstance(column.type, sa.JSON):
        return {"text": f"Prompt {number} „ß“", "number": number}
    if isinstance(column.type, sa.Boolean):
        return number % 3 == 0
    if isinstance(column.type, sa.LargeBinary):
        return number.to_bytes(4, "big")
    if isinstance(column.type, sa.Integer):
        return number + 1
    if isinstance(column.type, (sa.Numeric, sa.Float)):
        return number / 8
    return _id(column.table.name if column.name == "id" else column.name, number)


def _id(name: str, number: int) -> str:
    return f"{name[:12]}-{number:08x}"
