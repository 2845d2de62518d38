"""A table is declared once, as a row: a struct whose annotations are its columns.

    @stored_in("templates", UniqueConstraint("owner_id", "name"))
    class TemplateRow(Row):
        id: Key
        owner_id: Owner
        name: Annotated[str, String(80)]
        text: Annotated[str, Text]

Statements are SQLAlchemy Core's: `select_rows(TemplateRow).where(TemplateRow.c.name == name)`.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Computed,
    DateTime,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    TypeDecorator,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeEngine

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite forgets the zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Refuse a time without a zone."""
        if value is not None and value.tzinfo is None:
            raise ValueError("times must carry their zone")
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Read as UTC."""
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


class ColumnOptions(NamedTuple):
    """Options of a column, in the annotation of its field; see `column`."""

    primary_key: bool
    references: str | None
    ondelete: str | None
    nullable: bool | None
    autoincrement: bool | None
    server_default: Any
    assigned: bool


def column(
    *,
    primary_key: bool = False,
    references: str | None = None,
    ondelete: str | None = None,
    nullable: bool | None = None,
    autoincrement: bool | None = None,
    server_default: Any = None,
    assigned: bool = False,
) -> ColumnOptions:
    """Return options of a column. `| None` makes it nullable by itself.

    `references` is a table's column. `assigned`: the database gives the value. Such a field has a default, since a row
    is made without it.
    """
    return ColumnOptions(primary_key, references, ondelete, nullable, autoincrement, server_default, assigned)


Json = JSON().with_variant(JSONB(), "postgresql")
OptionalJson = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
Counter = BigInteger().with_variant(Integer(), "sqlite")

Id = Annotated[str, String(32)]
Key = Annotated[str, String(32), column(primary_key=True)]
Owner = Annotated[str, String(32), column(references="users.id")]
Name = Annotated[str, String(64)]
Digest = Annotated[str, String(64)]
Time = Annotated[datetime, UtcDateTime()]
Document = Annotated[dict[str, Any], Json]

_PLAIN = column()
_USUAL: dict[Any, TypeEngine[Any]] = {int: BigInteger(), float: Double(), bool: Boolean()}


class Row(msgspec.Struct):
    """The base class of rows: plain values, with their table and its columns on the class.

    A row is changed by `Transaction.update`.
    """

    table: ClassVar[Table]
    c: ClassVar[Any]


RowT = TypeVar("RowT", bound=Row)


def stored_in(name: str, *items: SchemaItem) -> Callable[[type[RowT]], type[RowT]]:
    """Make a row the declaration of a table, which also has these constraints, indexes and computed columns."""

    def declare(kind: type[RowT]) -> type[RowT]:
        hints = get_type_hints(kind, include_extras=True)
        columns = [_column(field, hints[field.name]) for field in msgspec.structs.fields(kind)]
        # Their order in the table: what the database assigns comes first.
        columns.sort(key=lambda each: not each.info["assigned"])
        kind.table = Table(name, METADATA, *columns, *items)
        kind.c = kind.table.c
        return kind

    return declare


def _column(field: msgspec.structs.FieldInfo, hint: Any) -> Column[Any]:
    kind, metadata, optional = _taken_apart(hint)
    options = next((each for each in metadata if isinstance(each, ColumnOptions)), _PLAIN)
    computed = [each for each in metadata if isinstance(each, Computed)]
    references = [ForeignKey(options.references, ondelete=options.ondelete)] if options.references else []
    return Column(
        field.name,
        next((each for each in metadata if _is_type(each)), None) or _USUAL[kind],
        *references,
        *computed,
        primary_key=options.primary_key,
        nullable=optional if options.nullable is None else options.nullable,
        autoincrement="auto" if options.autoincrement is None else options.autoincrement,
        server_default=options.server_default,
        default=None if computed or options.assigned else _default(field),
        info={"assigned": options.assigned or bool(computed)},
    )


def _taken_apart(hint: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Return a hint's plain type, its metadata with the outermost first, and whether it may be None."""
    metadata: tuple[Any, ...] = ()
    optional = False
    while True:
        if get_origin(hint) is Annotated:
            hint, *inner = get_args(hint)
            metadata += tuple(reversed(inner))
        elif get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
            optional = True
            (hint,) = (arm for arm in get_args(hint) if arm is not NoneType)
        else:
            return hint, metadata, optional


def _is_type(value: object) -> bool:
    return isinstance(value, TypeEngine) or (isinstance(value, type) and issubclass(value, TypeEngine))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    """Return a field's default for statements that leave its column out."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory
    return None if field.default is msgspec.NODEFAULT else field.default


def select_rows(kind: type[Row]) -> Select[*tuple[Any, ...]]:
    """Return a SELECT of a row's columns, in the order of its fields."""
    return select(*(kind.c[name] for name in kind.__struct_fields__))
