"""Tables of presets, which are briefs with their seats, and of prompt templates."""

from typing import Any

from sqlalchemy import Boolean, ForeignKey, Index, Integer, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Document, Id, Key, Name, OptionalJson, Table, Time


class Preset(Table):
    """A mode's settings and seats under a name. `revision` grows with every change of either.

    `contestant`: it sits like a model, as an ensemble whose id is made of `slug` and the revision. The slug is given
    once and never to another preset.
    `is_default`: new sessions of the mode start with it; at most one per owner and mode.
    """

    __tablename__ = "presets"
    __table_args__ = (
        UniqueConstraint("owner_id", "mode", "name"),
        Index("ix_presets_slug", "slug", unique=True),
    )
    id: Mapped[Key]
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    mode: Mapped[Name]
    name: Mapped[str] = mapped_column(String(200))
    description: Mapped[str | None] = mapped_column(String(2000))
    seats: Mapped[Document]
    seat_settings: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    brief: Mapped[Document]
    brief_version: Mapped[int] = mapped_column(Integer)
    revision: Mapped[int] = mapped_column(Integer)
    contestant: Mapped[bool] = mapped_column(Boolean)
    is_default: Mapped[bool] = mapped_column(Boolean, server_default=false())
    slug: Mapped[str | None] = mapped_column(String(48))
    created_at: Mapped[Time]
    updated_at: Mapped[Time]


class Template(Table):
    """A prompt under a name, which its owner inserts into the composer."""

    __tablename__ = "templates"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)
    id: Mapped[Key]
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    name: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[Time]
    updated_at: Mapped[Time]
