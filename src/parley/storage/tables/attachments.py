"""Tables of attachments: the pictures and files that people added to questions."""

from datetime import datetime
from typing import ClassVar

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Digest, Id, Name, Row, Table, Time


class Attachment(Table):
    """A picture or file that a person uploaded, by the SHA-256 of its bytes; only this person can use it.

    `text_sha256`: of the text that models read, null for a picture. `thumbnail_sha256`: of a small picture, null for a
    file. `kept_until`: from then on it is deleted once no turn has it.
    """

    __tablename__ = "attachments"
    __table_args__ = (Index("ix_attachments_kept_until", "kept_until"),)
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"), primary_key=True)
    sha256: Mapped[Digest] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    media_type: Mapped[Name]
    size: Mapped[int] = mapped_column(BigInteger)
    tokens: Mapped[int] = mapped_column(Integer)
    text_sha256: Mapped[Digest | None]
    thumbnail_sha256: Mapped[Digest | None]
    width: Mapped[int | None] = mapped_column(Integer)
    height: Mapped[int | None] = mapped_column(Integer)
    pages: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[Time]
    kept_until: Mapped[Time]


class AttachmentRow(Row, frozen=True):
    """A row of `Attachment`."""

    table: ClassVar = Attachment
    owner_id: str
    sha256: str
    name: str
    media_type: str
    size: int
    tokens: int
    text_sha256: str | None
    thumbnail_sha256: str | None
    width: int | None
    height: int | None
    pages: int | None
    created_at: datetime
    kept_until: datetime


class TurnAttachment(Table):
    """A turn whose question has an attachment, which is kept as long as the turn."""

    __tablename__ = "turn_attachments"
    __table_args__ = (
        ForeignKeyConstraint(["owner_id", "sha256"], ["attachments.owner_id", "attachments.sha256"]),
        Index("ix_turn_attachments_owner_id_sha256", "owner_id", "sha256"),
    )
    turn_id: Mapped[Id] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True)
    sha256: Mapped[Digest] = mapped_column(primary_key=True)
    owner_id: Mapped[Id]


class TurnAttachmentRow(Row, frozen=True):
    """A row of `TurnAttachment`."""

    table: ClassVar = TurnAttachment
    turn_id: str
    sha256: str
    owner_id: str
