"""Shared by all tables: metadata, constraint names and column types."""

from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, cast

import msgspec
from sqlalchemy import JSON, BigInteger, DateTime, Integer, MetaData, Select, String, TypeDecorator, select
from sqlalchemy import Table as CoreTable
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, mapped_column


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


Json = JSON().with_variant(JSONB(), "postgresql")
OptionalJson = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
Counter = BigInteger().with_variant(Integer(), "sqlite")

Id = Annotated[str, mapped_column(String(32))]
Key = Annotated[str, mapped_column(String(32), primary_key=True)]
Name = Annotated[str, mapped_column(String(64))]
Digest = Annotated[str, mapped_column(String(64))]
Time = Annotated[datetime, mapped_column(UtcDateTime())]
Document = Annotated[dict[str, Any], mapped_column(Json)]


class Table(DeclarativeBase):
    """The base class of every table."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {int: BigInteger()}  # noqa: RUF012 - SQLAlchemy reads it as it is


class Row(msgspec.Struct, frozen=True):
    """The base class of rows as plain values, which cost a fifth of SQLAlchemy's objects.

    A row is defined below its table. Its fields are the table's columns in order, except a number that the database
    assigns; views are made from it.
    """

    table: ClassVar[type[Table]]


def core(table: type[Table]) -> CoreTable:
    """Return a table for statements about rows as plain values."""
    return cast("CoreTable", table.__table__)


def select_rows(kind: type[Row]) -> Select[*tuple[Any, ...]]:
    """Return a SELECT of a row's columns, in the order of its fields."""
    return select(*(core(kind.table).c[name] for name in kind.__struct_fields__))
