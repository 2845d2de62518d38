"""A transaction: statements of SQLAlchemy's Core, with a shortcut to SQLite's driver for those of the hot path."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import (
    Connection,
    CursorResult,
    Executable,
    Insert,
    Select,
    Update,
    UpdateBase,
    bindparam,
    delete,
    insert,
    update,
)
from sqlalchemy.engine.interfaces import Dialect

from parley.storage.tables.rows import Row, select_rows

Values: TypeAlias = Mapping[str, Any]
T = TypeVar("T")
RowT = TypeVar("RowT", bound=Row)


class Slot(NamedTuple):
    """A parameter of a prepared statement: its name, its default, and how it is stored."""

    name: str
    default: Any
    process: Callable[[Any], Any] | None


class Prepared(NamedTuple):
    """A statement in the form for SQLite's driver. `columns` are result columns that need conversion.

    `expanding`: it has a list of values, which the driver does not support.
    """

    sql: str
    slots: tuple[Slot, ...]
    columns: tuple[tuple[int, Callable[[Any], Any]], ...] = ()
    expanding: bool = False

    def bound(self, row: Values) -> tuple[Any, ...]:
        """Return a row's values in the order of the statement's parameters."""
        values: list[Any] = []
        for name, default, process in self.slots:
            value = row.get(name, default)
            values.append(value if process is None else process(value))
        return tuple(values)

    def read(self, row: tuple[Any, ...]) -> Sequence[Any]:
        """Return a result row with its values converted."""
        if not self.columns:
            return row
        values = list(row)
        for place, process in self.columns:
            values[place] = process(values[place])
        return values


class Transaction:
    """The argument of a transaction's function. Statements take effect in their order.

    On SQLite, `run` and `rows` pass a statement to the driver, prepared once, at a tenth of the cost of `execute`.
    """

    def __init__(self, connection: Connection, *, driver: sqlite3.Connection | None = None) -> None:
        self._connection = connection
        self._driver = driver

    @property
    def dialect(self) -> str:
        """The database's kind: “sqlite” or “postgresql”."""
        return self._connection.dialect.name

    def connection(self) -> Connection:
        """Return SQLAlchemy's connection, in this transaction."""
        return self._connection

    def execute(
        self, statement: Executable, parameters: Values | Sequence[Values] | None = None
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement that may be made for this one use, and return its result."""
        return self._connection.execute(statement, parameters)

    def scalar(self, statement: Executable, parameters: Values | None = None) -> Any:
        """Return the first value of the first result row; None if there is no row."""
        return self.execute(statement, parameters).scalar()

    def scalars(self, statement: Executable, parameters: Values | None = None) -> Sequence[Any]:
        """Return the first value of every result row."""
        return self.execute(statement, parameters).scalars().all()

    def find(self, kind: type[RowT], *where: Any) -> RowT | None:
        """Return the first row that meets the conditions; None if there is none."""
        values = self.execute(select_rows(kind).where(*where).limit(1)).first()
        return None if values is None else kind(*values)

    def one(self, kind: type[RowT], *where: Any) -> RowT:
        """Return the first row that meets the conditions. Raises LookupError if there is none."""
        row = self.find(kind, *where)
        if row is None:
            raise LookupError(f"there is no such row of {kind.table.name}")
        return row

    def select(self, kind: type[RowT], statement: Select[Any]) -> list[RowT]:
        """Return the rows of a SELECT that was made by `select_rows`."""
        return [kind(*values) for values in self.execute(statement)]

    def insert(self, *rows: Row) -> None:
        """Insert rows in their order, neighbours of one table together."""
        for kind, group in groupby(rows, type):
            names = _inserted(kind)
            self.run(_insert_into(kind), [{name: getattr(row, name) for name in names} for row in group])

    def update(self, *rows: Row, columns: tuple[str, ...] = ()) -> None:
        """Store rows in place of those with the same primary keys, or only some of their columns.

        Name the columns where another transaction may change others of the same row: all that are named are written.
        """
        for kind, group in groupby(rows, type):
            names = _stored(kind, columns)
            values = [{parameter: getattr(row, name) for parameter, name in names.items()} for row in group]
            self.run(_update_of(kind), values)

    def delete(self, row: Row) -> None:
        """Delete the row with the same primary key."""
        keys = row.table.primary_key
        self.execute(delete(row.table).where(*(key == getattr(row, key.key) for key in keys)))

    def run(self, statement: UpdateBase, rows: Sequence[Values]) -> None:
        """Run a statement that returns nothing for each row, all with the same keys.

        The statement must be created once and kept, as it is prepared once.
        """
        if not rows:
            return
        if self._driver is None:
            self.execute(statement, rows)
            return
        prepared = _prepared(statement, self._connection.dialect, tuple(rows[0]))
        if len(rows) == 1:
            self._driver.execute(prepared.sql, prepared.bound(rows[0]))
        else:
            self._driver.executemany(prepared.sql, map(prepared.bound, rows))

    def rows(self, statement: Select[*tuple[Any, ...]], values: Values, kind: Callable[..., T]) -> list[T]:
        """Return the results of a SELECT: `kind` is called with the values of each row.

        The statement must be created once and kept, as it is prepared once.
        """
        prepared = _prepared(statement, self._connection.dialect, ()) if self._driver is not None else None
        if self._driver is None or prepared is None or prepared.expanding:
            return [kind(*row) for row in self.execute(statement, values)]
        cursor = self._driver.execute(prepared.sql, prepared.bound(values))
        return [kind(*prepared.read(row)) for row in cursor]


_THIS = "this_"


@cache
def _stored(kind: type[Row], columns: tuple[str, ...]) -> dict[str, str]:
    """Return the fields that an UPDATE of these columns names, or of all, by its parameters."""
    fields = (kind.c[name] for name in kind.__struct_fields__)
    return {
        f"{_THIS}{each.key}" if each.primary_key else each.key: each.key
        for each in fields
        if each.computed is None and (each.primary_key or not columns or each.key in columns)
    }


@cache
def _inserted(kind: type[Row]) -> tuple[str, ...]:
    """Return the fields that the database does not give itself."""
    return tuple(name for name in kind.__struct_fields__ if not kind.c[name].info["assigned"])


@cache
def _insert_into(kind: type[Row]) -> Insert:
    return insert(kind.table)


@cache
def _update_of(kind: type[Row]) -> Update:
    where = (each == bindparam(f"{_THIS}{each.key}", type_=each.type) for each in kind.table.primary_key)
    return update(kind.table).where(*where)


_Statement: TypeAlias = UpdateBase | Select[*tuple[Any, ...]]

_PREPARED: dict[tuple[int, tuple[str, ...]], tuple[_Statement, Prepared]] = {}
"""By the statement's identity, which is unique only while the statement is held here."""


def _prepared(statement: _Statement, dialect: Dialect, keys: tuple[str, ...]) -> Prepared:
    known = _PREPARED.get((id(statement), keys))
    if known is not None:
        return known[1]
    compiled = statement.compile(dialect=dialect, column_keys=list(keys))
    binds = compiled.binds
    slots = tuple(
        Slot(name, compiled.params[name], binds[name].type.dialect_impl(dialect).bind_processor(dialect))
        for name in compiled.positiontup or ()
    )
    columns = _stored_otherwise(statement, dialect) if isinstance(statement, Select) else ()
    expanding = any(bind.expanding for bind in binds.values())
    prepared = Prepared(str(compiled), slots, columns, expanding)
    _PREPARED[(id(statement), keys)] = (statement, prepared)
    return prepared


def _stored_otherwise(
    statement: Select[*tuple[Any, ...]], dialect: Dialect
) -> tuple[tuple[int, Callable[[Any], Any]], ...]:
    processors: list[tuple[int, Callable[[Any], Any]]] = []
    for place, column in enumerate(statement.selected_columns):
        process = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if process is not None:
            processors.append((place, process))
    return tuple(processors)
