"""Tables of conversations, with their rows: users, sessions, matches, turns and replies."""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import (
    Boolean,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import (
    Digest,
    Document,
    Id,
    Json,
    Key,
    Name,
    OptionalJson,
    Row,
    Table,
    Time,
)

_UNSEARCHABLE = text("searchable = 0")
_UNSEARCHABLE_ON_SERVER = text("NOT searchable")


class User(Table):
    """A person. `voter_id` is the random pseudonym under which their votes are stored."""

    __tablename__ = "users"
    __table_args__ = (UniqueConstraint("voter_id"),)
    id: Mapped[Key]
    voter_id: Mapped[Id]
    name: Mapped[Name]
    created_at: Mapped[Time]


class Session(Table):
    """A person's conversation. `deleted_at`: hidden since then; it can be restored until it is purged."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index("ix_sessions_owner_listing", "owner_id", "archived", "updated_at", "id"),
        Index("ix_sessions_owner_latest", "owner_id", "updated_at", "id"),
        Index("ix_sessions_deleted_at", "deleted_at"),
    )
    id: Mapped[Key]
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    title: Mapped[str] = mapped_column(String(200))
    mode: Mapped[Name]
    archived: Mapped[bool] = mapped_column(Boolean)
    created_at: Mapped[Time]
    updated_at: Mapped[Time]
    deleted_at: Mapped[Time | None]
    pinned: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())


class SessionRow(Row, frozen=True):
    """A row of `Session`."""

    table: ClassVar = Session
    id: str
    owner_id: str
    title: str
    mode: str
    archived: bool
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None
    pinned: bool = False


class SessionTag(Table):
    """A tag of a session: lower-case words."""

    __tablename__ = "session_tags"
    __table_args__ = (Index("ix_session_tags_owner_id_name", "owner_id", "name"),)
    session_id: Mapped[Id] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))


class SessionTagRow(Row, frozen=True):
    """A row of `SessionTag`."""

    table: ClassVar = SessionTag
    session_id: str
    name: str
    owner_id: str


class Match(Table):
    """A mode with its seats and brief in a session.

    `ballot`: what can be voted on, with all choices (`kernel.ballot.Ballot`); JSON's null without a vote.
    """

    __tablename__ = "matches"
    __table_args__ = (UniqueConstraint("session_id", "index"),)
    id: Mapped[Key]
    session_id: Mapped[Id] = mapped_column(ForeignKey("sessions.id", ondelete="CASCADE"))
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    index: Mapped[int] = mapped_column(Integer)
    mode: Mapped[Name]
    brief: Mapped[Document]
    brief_version: Mapped[int] = mapped_column(Integer)
    blind: Mapped[bool] = mapped_column(Boolean)
    paced: Mapped[bool] = mapped_column(Boolean)
    ballot: Mapped[dict[str, Any] | None] = mapped_column(Json, nullable=False)
    status: Mapped[Name]
    void: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    propensity: Mapped[float | None]
    created_at: Mapped[Time]


class MatchRow(Row, frozen=True):
    """A row of `Match`."""

    table: ClassVar = Match
    id: str
    session_id: str
    owner_id: str
    index: int
    mode: str
    brief: dict[str, Any]
    brief_version: int
    blind: bool
    paced: bool
    ballot: dict[str, Any] | None
    status: str
    void: dict[str, Any] | None
    propensity: float | None
    created_at: datetime


class Seat(Table):
    """A seat of a match and its model. `settings`: how it is asked, null without any.

    It takes part in the match's turns from index `from_turn` up to but not including `until_turn`, null while it stays.
    `parent_turn_id` and `parent_seat`: the conversation that it continues.
    """

    __tablename__ = "seats"
    __table_args__ = (UniqueConstraint("match_id", "name"),)
    id: Mapped[Key]
    match_id: Mapped[Id] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    index: Mapped[int] = mapped_column(Integer)
    name: Mapped[Name]
    role: Mapped[Name]
    model_id: Mapped[Name]
    settings: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    from_turn: Mapped[int] = mapped_column(Integer, default=0)
    until_turn: Mapped[int | None] = mapped_column(Integer)
    parent_turn_id: Mapped[Id | None]
    parent_seat: Mapped[Name | None]


class SeatRow(Row, frozen=True):
    """A row of `Seat`."""

    table: ClassVar = Seat
    id: str
    match_id: str
    index: int
    name: str
    role: str
    model_id: str
    settings: dict[str, Any] | None
    from_turn: int
    until_turn: int | None
    parent_turn_id: str | None
    parent_seat: str | None


class Turn(Table):
    """One input of the person. `ended_at` is when its latest play ended and its replies became readable.

    `searchable`: search finds the replies of its latest play; see `SearchReply`.
    """

    __tablename__ = "turns"
    __table_args__ = (
        UniqueConstraint("match_id", "index"),
        Index("ix_turns_status", "status"),
        Index("ix_turns_session_id", "session_id"),
        Index(
            "ix_turns_unsearchable",
            "created_at",
            sqlite_where=_UNSEARCHABLE,
            postgresql_where=_UNSEARCHABLE_ON_SERVER,
        ),
    )
    id: Mapped[Key]
    match_id: Mapped[Id] = mapped_column(ForeignKey("matches.id", ondelete="CASCADE"))
    session_id: Mapped[Id]
    owner_id: Mapped[Id] = mapped_column(ForeignKey("users.id"))
    index: Mapped[int] = mapped_column(Integer)
    input: Mapped[Document]
    input_sha256: Mapped[Digest]
    status: Mapped[Name]
    play: Mapped[int] = mapped_column(Integer)
    error: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    created_at: Mapped[Time]
    ended_at: Mapped[Time | None]
    searchable: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())


class TurnRow(Row, frozen=True):
    """A row of `Turn`."""

    table: ClassVar = Turn
    id: str
    match_id: str
    session_id: str
    owner_id: str
    index: int
    input: dict[str, Any]
    input_sha256: str
    status: str
    play: int
    error: dict[str, Any] | None
    created_at: datetime
    ended_at: datetime | None
    searchable: bool = False


class TurnEvent(Table):
    """Everything durable that happened in a turn, in order."""

    __tablename__ = "turn_events"
    turn_id: Mapped[Id] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True)
    seq: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    kind: Mapped[Name]
    version: Mapped[int] = mapped_column(Integer)
    data: Mapped[Document]


class ReplyAttempt(Table):
    """A seat's reply in an earlier attempt, before the step was asked again."""

    __tablename__ = "reply_attempts"
    reply_id: Mapped[Id] = mapped_column(ForeignKey("replies.id", ondelete="CASCADE"), primary_key=True)
    attempt: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    model_id: Mapped[Name]
    status: Mapped[Name]
    text: Mapped[str] = mapped_column(Text)
    reasoning: Mapped[str] = mapped_column(Text)
    text_sha256: Mapped[Digest | None]
    messages_sha256: Mapped[Digest]
    finish_reason: Mapped[Name | None]
    metrics: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    error: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    timeline: Mapped[bytes | None] = mapped_column(LargeBinary)


class AttemptRow(Row, frozen=True):
    """A row of `ReplyAttempt`."""

    table: ClassVar = ReplyAttempt
    reply_id: str
    attempt: int
    model_id: str
    status: str
    text: str
    reasoning: str
    text_sha256: str | None
    messages_sha256: str
    finish_reason: str | None
    metrics: dict[str, Any] | None
    error: dict[str, Any] | None
    timeline: bytes | None


class Reply(Table):
    """A step of a turn: one reply of one seat, in its latest attempt; see `ReplyAttempt` for earlier ones.

    A turn's replies are shown by `order`. `released`: code points that a blind viewer has seen if the turn did not
    complete; NULL if the reply is unknown to them.
    """

    __tablename__ = "replies"
    __table_args__ = (UniqueConstraint("turn_id", "path", "round", "seat", "purpose"),)
    id: Mapped[Key]
    turn_id: Mapped[Id] = mapped_column(ForeignKey("turns.id", ondelete="CASCADE"))
    parent_reply_id: Mapped[Id | None]
    path: Mapped[str] = mapped_column(String(200))
    round: Mapped[int] = mapped_column(Integer)
    seat: Mapped[Name]
    purpose: Mapped[Name]
    order: Mapped[int] = mapped_column(Integer)
    model_id: Mapped[Name]
    attempt: Mapped[int] = mapped_column(Integer)
    status: Mapped[Name]
    text: Mapped[str] = mapped_column(Text)
    released: Mapped[int | None] = mapped_column(Integer)
    reasoning: Mapped[str] = mapped_column(Text)
    text_sha256: Mapped[Digest | None]
    messages_sha256: Mapped[Digest]
    finish_reason: Mapped[Name | None]
    metrics: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    error: Mapped[dict[str, Any] | None] = mapped_column(OptionalJson)
    timeline: Mapped[bytes | None] = mapped_column(LargeBinary)


class ReplyRow(Row, frozen=True):
    """A row of `Reply`."""

    table: ClassVar = Reply
    id: str
    turn_id: str
    parent_reply_id: str | None
    path: str
    round: int
    seat: str
    purpose: str
    order: int
    model_id: str
    attempt: int
    status: str
    text: str
    released: int | None
    reasoning: str
    text_sha256: str | None
    messages_sha256: str
    finish_reason: str | None
    metrics: dict[str, Any] | None
    error: dict[str, Any] | None
    timeline: bytes | None
