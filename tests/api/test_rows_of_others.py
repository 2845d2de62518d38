"""A walk through every table: no row of one person or workspace is read for another, whatever they ask.

Every table has a row of the workspace's, made from its columns alone, so one that is new is walked too.
"""

import itertools
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    insert,
    select,
)

from parley.storage.database import Database
from parley.storage.schema import metadata
from parley.storage.transaction import Transaction
from tests.api.test_callers import ACCEPTS
from tests.api.test_people_matrix import THINGS, World, ask, contracts, declared, named, world

__all__ = ["world"]
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("sqlite")]

OF_A_SPACE = frozenset(("owner_id", "space_id", "holder_id"))
OF_A_PERSON = frozenset(("user_id", "person_id", "author_id"))

EVERYBODYS = frozenset(
    (
        *("audit_head", "audit_log", "blob_folders", "jobs", "job_steps", "links", "users", "workspaces"),
        *("elo", "kept_models", "latency_counts", "model_stats", "model_use", "models", "pair_counts"),
        *("pool_choices", "providers", "public_priors", "rating_history", "uncounted_counts", "voter_flags"),
        *("allowances", "allowance_grants", "allowance_periods", "request_rates", "retention_rules"),
        *("sign_in_rules", "usage_cursor", "usage_stale", "worker_status", "replicas"),
    )
)
"""The tables of what everybody shares, of what the installation keeps, and of links, which their secret opens."""


def owned() -> list[Table]:
    """Return the tables whose rows are somebody's own: by a column that says whose, or through such a table."""
    found: dict[str, Table] = {}
    tables = metadata().sorted_tables
    while True:
        more = {
            table.name: table
            for table in tables
            if table.name not in found
            and (
                (OF_A_SPACE | OF_A_PERSON) & {*table.c.keys()}
                or any(key.column.table.name in found for key in table.foreign_keys)
            )
        }
        if not more:
            return [table for table in tables if table.name in found]
        found |= more


class Seeds:
    """Rows of a workspace and a member of it. `marks`: what stands in them and nowhere else."""

    def __init__(self, connection: Connection, space_id: str, person_id: str) -> None:
        self._connection = connection
        self._owners = {**dict.fromkeys(OF_A_SPACE, space_id), **dict.fromkeys(OF_A_PERSON, person_id)}
        self._numbers = itertools.count(900_000)
        self.marks: set[Any] = {space_id, person_id}

    def plant(self, table: Table) -> None:
        """Give a table a row unless it has one of theirs; remember what it says."""
        theirs = select(table).where(*self._is_theirs(table))
        if self._connection.execute(theirs).first() is None:
            values = {
                column.name: self._value(table, column) for column in table.columns if not column.computed
            }
            self._connection.execute(insert(table).values(values))
        names = [key.name for key in table.primary_key]
        for row in self._connection.execute(theirs):
            keys = (getattr(row, name) for name in names)
            self.marks |= {key for key in keys if isinstance(key, str) and len(key) >= 20}

    def _is_theirs(self, table: Table) -> list[Any]:
        """Return the conditions of a row of theirs."""
        owner = next((it for it in table.columns if it.name in self._owners), None)
        if owner is not None:
            return [owner == self._owners[owner.name]]
        key = next(iter(table.foreign_keys))
        return [key.parent == self._of_theirs(key.column)]

    def _value(self, table: Table, column: Column[Any]) -> Any:
        if column.name in self._owners:
            return self._owners[column.name]
        for key in column.foreign_keys:
            return self._of_theirs(key.column)
        if isinstance(column.type, JSON):
            return {}
        if isinstance(column.type, String):
            size = column.type.length or 64
            mark = f"{next(self._numbers)} of {table.name} {column.name}"[:size].ljust(min(size, 32), "-")
            self.marks.add(mark)
            return mark
        if column.nullable:
            return None
        if isinstance(column.type, Boolean):
            return False
        if isinstance(column.type, Integer | Float):
            return next(self._numbers)
        return b"x" if isinstance(column.type, LargeBinary) else datetime(2026, 1, 1, tzinfo=UTC)

    def _of_theirs(self, key: Column[Any]) -> Any:
        """Return the key of a row of theirs in another table."""
        found = select(key).where(*self._is_theirs(key.table))
        return self._connection.execute(found.order_by(key).limit(1)).scalar()


FOR_EVERYBODY = frozenset(
    (
        "features/library/collecting_repository.py: CollectingRepository.waiting",
        "features/sessions/search_repository.py: SearchRepository._said",
        "features/sessions/search_repository.py: SearchRepository.waiting",
        "features/usage/ledger/repository.py: FoldingRepository.hours_after",
    )
)
"""Work for everybody that a request begins: it makes ended turns findable, each by its owner, and folds calls."""

ASKING = ContextVar("asking", default=False)
"""True in requests, and not in Parley's own work for everybody."""


class Readings:
    """What was read for somebody else: the rows with a mark, by the function that asked for them."""

    def __init__(self, marks: Iterable[Any]) -> None:
        self._marks = frozenset(marks)
        self.of_others: dict[str, Any] = {}
        self.rows = 0

    def note(self, row: Iterable[Any]) -> None:
        """Look at a row."""
        self.rows += 1
        marked = [value for value in row if isinstance(value, str) and value in self._marks]
        if marked:
            self.of_others.setdefault(_reader(), marked)


def _reader() -> str:
    """Return the function of Parley that reads."""
    frame = sys._getframe(2)
    while frame.f_back is not None and (
        "/parley/features/" not in frame.f_code.co_filename or frame.f_code.co_name.startswith("<")
    ):
        frame = frame.f_back
    return f"{frame.f_code.co_filename.rpartition('/parley/')[2]}: {frame.f_code.co_qualname}"


@contextmanager
def watched(readings: Readings) -> Generator[None]:
    """Look at every row that a request reads."""
    execute, rows = Transaction.execute, Transaction.rows
    of_requests: set[int] = set()

    def following(name: str) -> Any:
        carry_out = getattr(Database, name)

        def carry_out_and_follow(self: Database, work: Any, **how: Any) -> Any:
            asked = ASKING.get()

            def followed(transaction: Transaction) -> Any:
                of_requests.add(id(transaction)) if asked else of_requests.discard(id(transaction))
                return work(transaction)

            return carry_out(self, followed, **how)

        return carry_out_and_follow

    def executed(self: Transaction, statement: Any, parameters: Any = None) -> Any:
        result = execute(self, statement, parameters)
        if not result.returns_rows or id(self) not in of_requests:
            return result
        frozen = result.freeze()
        for row in frozen():
            readings.note(row)
        return frozen()

    def noted(self: Transaction, statement: Any, values: Any, kind: Any) -> Any:
        def make(*row: Any) -> Any:
            if id(self) in of_requests:
                readings.note(row)
            return kind(*row)

        return rows(self, statement, values, make)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transaction, "execute", executed)
        patch.setattr(Transaction, "rows", noted)
        for name in ("read", "write", "search"):
            patch.setattr(Database, name, following(name))
        token = ASKING.set(True)
        yield
        ASKING.reset(token)


async def plant(world: World) -> set[Any]:
    """Give the workspace and its editor a row of every table that is somebody's own; return what stands in them."""

    def store(connection: Connection) -> set[Any]:
        seeds = Seeds(connection, world.space_id, world.people["editor"].id)
        for table in owned():
            seeds.plant(table)
        return seeds.marks

    return await world.parley.application[Database].administer(store)


async def test_every_table_is_somebodys_or_everybodys(world: World) -> None:
    del world  # the tables of all features are known once a Parley runs
    of_people = {table.name for table in owned()}
    assert of_people.isdisjoint(EVERYBODYS)
    assert of_people | EVERYBODYS == {table.name for table in metadata().sorted_tables}


async def test_no_row_of_others_is_read_whatever_somebody_asks(world: World) -> None:
    marks = await plant(world) | {it for ids in world.things.values() for it in ids}
    readings = Readings(marks)
    headers = world.carried("stranger", "cookie", inside=False)
    with watched(readings):
        for contract in contracts():
            if contract.method == "GET" and "{" not in contract.path and contract.path != "/api/openapi.json":
                for query in ("", "?search=sky", "?limit=1"):
                    await world.door.knock("GET", contract.path + query, headers)
        for row in THINGS:
            for thing in world.things[named(row[1])]:
                await ask(world, row, thing, headers, ACCEPTS[1 if declared(*row).stream else 0])
    assert readings.rows > 60
    assert {name: it for name, it in readings.of_others.items() if name not in FOR_EVERYBODY} == {}
