"""Column types that take little of SQLite's space for what every vote has: ids, statuses and answers.

PostgreSQL stores the same values as text and JSON.
"""

from typing import Any

from sqlalchemy import ColumnElement, LargeBinary, SmallInteger, String, Text, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

from parley.storage.tables.rows import Json

ID_BYTES = 16
TO_BYTES = "id_bytes"
"""The function of `id_bytes` in SQLite, which each connection gets."""

STATUSES = {"staged": 2, "pending": 4, "processed": 8}
"""The statuses of votes as numbers of one byte: a row whose status changes keeps its size, so its page is not split.
They differ in two bits each.
"""

_WORDS = {number: word for word, number in STATUSES.items()}


def id_bytes(text: str) -> bytes:
    """Return an id's bytes. Raises ValueError unless it is 32 lower-case hex digits."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = b""
    if len(data) != ID_BYTES or data.hex() != text:
        raise ValueError(f"“{text[:80]}” is not an id of {2 * ID_BYTES} lower-case hex digits")
    return data


def is_id(text: str) -> bool:
    """Return whether a text is an id, so that it may be looked for."""
    try:
        id_bytes(text)
    except ValueError:
        return False
    return True


class HexId(TypeDecorator[str]):
    """An id of 32 lower-case hex digits, on SQLite stored as its 16 bytes."""

    impl = String(2 * ID_BYTES)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Choose bytes on SQLite."""
        return dialect.type_descriptor(LargeBinary(ID_BYTES) if _is_sqlite(dialect) else self.impl_instance)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | bytes | None:
        """Refuse what is not an id."""
        if value is None:
            return None
        data = id_bytes(value)
        return data if _is_sqlite(dialect) else value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return digits; a text, which Parley does not write on SQLite, as it is."""
        return value.hex() if isinstance(value, bytes) else value


class Status(TypeDecorator[str]):
    """A status of `STATUSES`, on SQLite stored as its number."""

    impl = String(64)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> Any:
        """Choose numbers on SQLite."""
        return dialect.type_descriptor(SmallInteger() if _is_sqlite(dialect) else self.impl_instance)

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | int | None:
        """Refuse an unknown status."""
        if value is None:
            return None
        if value not in STATUSES:
            raise ValueError(f"“{value}” is not a status of votes")
        return STATUSES[value] if _is_sqlite(dialect) else value

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the word; anything that Parley does not write as text."""
        return None if value is None else _WORDS.get(value, str(value))


class ResultJson(TypeDecorator[dict[str, Any]]):
    """The answer to a voter as JSON; on SQLite a vote from a file may have its `question_id` alone, as 16 bytes."""

    impl = Json
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Read both forms."""
        plain: Any = super().result_processor(dialect, coltype)

        def read(value: Any) -> dict[str, Any] | None:
            if isinstance(value, bytes) and len(value) == ID_BYTES:
                return {"question_id": value.hex()}
            document: Any = value if plain is None else plain(value)
            return document

        return read


class _StatusWord(ColumnElement[str]):
    """A status as a literal, in the words of the partial indexes."""

    word = ""


class pending(_StatusWord):  # noqa: N801 - a word of SQL
    """`pending`: not counted yet."""

    inherit_cache = True
    word = "pending"


class staged(_StatusWord):  # noqa: N801 - a word of SQL
    """`staged`: of an import that is not complete."""

    inherit_cache = True
    word = "staged"


@compiles(_StatusWord)
def _word(element: Any, compiler: Any, **_: Any) -> str:
    sqlite = _is_sqlite(compiler.dialect)
    return str(STATUSES[element.word]) if sqlite else f"'{element.word}'"


class digits_of(GenericFunction[str]):  # noqa: N801 - a function of SQL
    """`digits_of(id)`: an id that is stored as `HexId`, as text."""

    type = Text()
    inherit_cache = True


class bytes_of(GenericFunction[str]):  # noqa: N801 - a function of SQL
    """`bytes_of(text)`: an id that is stored as text, to be compared with one that is stored as `HexId`."""

    type = HexId()
    inherit_cache = True


@compiles(digits_of)
def _digits(element: Any, compiler: Any, **more: Any) -> str:
    (operand,) = (compiler.process(clause, **more) for clause in element.clauses)
    return f"lower(hex({operand}))" if _is_sqlite(compiler.dialect) else str(operand)


@compiles(bytes_of)
def _bytes(element: Any, compiler: Any, **more: Any) -> str:
    (operand,) = (compiler.process(clause, **more) for clause in element.clauses)
    return f"{TO_BYTES}({operand})" if _is_sqlite(compiler.dialect) else str(operand)


def add_functions(connection: Any) -> None:
    """Give a connection of SQLite's driver what statements about ids use."""

    def to_bytes(text: Any) -> bytes | None:
        # No vote has what is not an id, such as the placeholder in entries about none.
        return id_bytes(text) if isinstance(text, str) and is_id(text) else None

    connection.create_function(TO_BYTES, 1, to_bytes, deterministic=True)


def _is_sqlite(dialect: Dialect) -> bool:
    return dialect.name == "sqlite"
