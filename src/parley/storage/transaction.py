"""A transaction: SQLAlchemy's session, with a short way for the statements of the hot path."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Connection, Select, UpdateBase
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.orm import Session

Row: TypeAlias = Mapping[str, Any]
T = TypeVar("T")


class Slot(NamedTuple):
    """A parameter of a prepared statement: its name, its value where a row has none, how it is stored."""

    name: str
    default: Any
    process: Callable[[Any], Any] | None


class Prepared(NamedTuple):
    """A statement as SQLite's driver takes it; `columns` are those it finds that are stored as something else."""

    sql: str
    slots: tuple[Slot, ...]
    columns: tuple[tuple[int, Callable[[Any], Any]], ...] = ()

    def bound(self, row: Row) -> tuple[Any, ...]:
        """Return a row's values in the order of the statement's parameters."""
        return tuple(
            slot.process(value) if slot.process is not None else value
            for slot, value in ((slot, row.get(slot.name, slot.default)) for slot in self.slots)
        )

    def read(self, found: tuple[Any, ...]) -> Sequence[Any]:
        """Return a row that was found, with its columns' values as they are in Python."""
        if not self.columns:
            return found
        values = list(found)
        for place, process in self.columns:
            values[place] = process(values[place])
        return values


class Transaction(Session):
    """What a transaction's function is given.

    On SQLite `run` and `rows` hand a statement to the driver, prepared once: a tenth of what `execute` costs. They
    look past objects that wait to be flushed.
    """

    def __init__(self, connection: Connection, *, driver: sqlite3.Connection | None = None) -> None:
        # On SQLite a flush that fails must not take the other jobs of the transaction with it.
        mode = "create_savepoint" if driver is not None else "rollback_only"
        super().__init__(connection, expire_on_commit=False, join_transaction_mode=mode)
        self._at = connection
        self._driver = driver

    def run(self, statement: UpdateBase, rows: Sequence[Row]) -> None:
        """Carry out a statement that returns nothing for each row, all of which have the same keys.

        The statement must be made once and kept, as it is prepared once.
        """
        if self._driver is None:
            self.execute(statement, rows)
            return
        prepared = _prepared(statement, self._at.dialect, tuple(rows[0]))
        self._driver.executemany(prepared.sql, map(prepared.bound, rows))

    def rows(self, statement: Select[*tuple[Any, ...]], values: Row, kind: Callable[..., T]) -> list[T]:
        """Return what a SELECT of columns finds: of each row what `kind` makes of its values.

        The statement must be made once and kept, as it is prepared once.
        """
        if self._driver is None:
            return [kind(*row) for row in self.execute(statement, values)]
        prepared = _prepared(statement, self._at.dialect, ())
        found = self._driver.execute(prepared.sql, prepared.bound(values))
        return [kind(*prepared.read(row)) for row in found]


_Statement: TypeAlias = UpdateBase | Select[*tuple[Any, ...]]

_KEPT: dict[tuple[int, tuple[str, ...]], tuple[_Statement, Prepared]] = {}
"""By the statement's identity, which is its own only as long as it is kept: so it is kept."""


def _prepared(statement: _Statement, dialect: Dialect, keys: tuple[str, ...]) -> Prepared:
    kept = _KEPT.get((id(statement), keys))
    if kept is not None:
        return kept[1]
    compiled = statement.compile(dialect=dialect, column_keys=list(keys))
    binds = compiled.binds
    slots = tuple(
        Slot(name, compiled.params[name], binds[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup or ()
    )
    columns = _stored_otherwise(statement, dialect) if isinstance(statement, Select) else ()
    prepared = Prepared(str(compiled), slots, columns)
    _KEPT[(id(statement), keys)] = (statement, prepared)
    return prepared


def _stored_otherwise(
    statement: Select[*tuple[Any, ...]], dialect: Dialect
) -> tuple[tuple[int, Callable[[Any], Any]], ...]:
    found: list[tuple[int, Callable[[Any], Any]]] = []
    for place, column in enumerate(statement.selected_columns):
        process = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if process is not None:
            found.append((place, process))
    return tuple(found)
