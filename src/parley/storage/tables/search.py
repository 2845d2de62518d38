"""Tables of what sessions are found by, with their rows."""

from typing import ClassVar

from sqlalchemy import Boolean, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Counter, Id, Row, Table


class SearchText(Table):
    """A session's searchable texts, folded: the prompt of each turn, and a title that the person gave."""

    __tablename__ = "search_texts"
    __table_args__ = (Index("ix_search_texts_session_id", "session_id"),)
    id: Mapped[int] = mapped_column(Counter, primary_key=True)
    session_id: Mapped[Id] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"))
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    is_title: Mapped[bool] = mapped_column(Boolean)
    text: Mapped[str] = mapped_column(Text)


class SearchTextRow(Row, frozen=True):
    """A row of `SearchText`."""

    table: ClassVar = SearchText
    session_id: str
    owner_id: str
    is_title: bool
    text: str


class SearchReply(Table):
    """A session's searchable replies, folded: only what its owner can read."""

    __tablename__ = "search_replies"
    __table_args__ = (
        Index("ix_search_replies_session_id", "session_id"),
        Index("ix_search_replies_turn_id", "turn_id"),
    )
    id: Mapped[int] = mapped_column(Counter, primary_key=True)
    session_id: Mapped[Id] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"))
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    turn_id: Mapped[Id]
    reply_id: Mapped[Id]
    text: Mapped[str] = mapped_column(Text)


class SearchReplyRow(Row, frozen=True):
    """A row of `SearchReply`."""

    table: ClassVar = SearchReply
    session_id: str
    owner_id: str
    turn_id: str
    reply_id: str
    text: str
