"""The table of notes."""

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Id, Key, Table, Time


class Note(Table):
    """A short text of a person's own."""

    __tablename__ = "notes"
    __table_args__ = (Index("ix_notes_owner_id", "owner_id"),)
    id: Mapped[Key]
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[Time]
