"""Tables of conversations, with their rows: users, sessions, matches, turns and replies."""

from typing import Annotated, Any

from sqlalchemy import (
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)

from parley.storage.tables.rows import (
    Digest,
    Document,
    Id,
    Json,
    Key,
    Name,
    OptionalJson,
    Owner,
    Row,
    Time,
    column,
    stored_in,
)

_UNSEARCHABLE = text("searchable = 0")
_UNSEARCHABLE_ON_SERVER = text("NOT searchable")


@stored_in("users", UniqueConstraint("voter_id"))
class UserRow(Row):
    """A person. `voter_id` is the random pseudonym under which their votes are stored."""

    id: Key
    voter_id: Id
    name: Name
    created_at: Time


@stored_in(
    "sessions",
    Index("ix_sessions_owner_listing", "owner_id", "archived", "updated_at", "id"),
    Index("ix_sessions_owner_latest", "owner_id", "updated_at", "id"),
    Index("ix_sessions_deleted_at", "deleted_at"),
)
class SessionRow(Row):
    """A person's conversation. `space_id`: their own space, whose id is theirs.

    `deleted_at`: hidden since then; it can be restored until it is purged. `sealed`: its texts are encrypted under a
    key that only its person has, its title too; see `SealedSessionRow`.
    """

    id: Key
    owner_id: Owner
    space_id: Id
    title: Annotated[str, String(200)]
    mode: Name
    archived: bool
    created_at: Time
    updated_at: Time
    deleted_at: Time | None
    pinned: Annotated[bool, column(server_default=false())] = False
    sealed: Annotated[bool, column(server_default=false())] = False


@stored_in("session_tags", Index("ix_session_tags_owner_id_name", "owner_id", "name"))
class SessionTagRow(Row):
    """A tag of a session: lower-case words."""

    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE", primary_key=True)]
    name: Annotated[str, String(40), column(primary_key=True)]
    owner_id: Owner


@stored_in("matches", UniqueConstraint("session_id", "index"))
class MatchRow(Row):
    """A mode with its seats and brief in a session.

    `ballot`: what can be voted on, with all choices (`kernel.ballot.Ballot`); JSON's null without a vote.
    """

    id: Key
    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE")]
    owner_id: Owner
    index: Annotated[int, Integer]
    mode: Name
    brief: Document
    brief_version: Annotated[int, Integer]
    blind: bool
    paced: bool
    ballot: Annotated[dict[str, Any] | None, Json, column(nullable=False)]
    status: Name
    void: Annotated[dict[str, Any] | None, OptionalJson]
    propensity: float | None
    created_at: Time


@stored_in("seats", UniqueConstraint("match_id", "name"))
class SeatRow(Row):
    """A seat of a match and its model. `settings`: how it is asked, null without any.

    It takes part in the match's turns from index `from_turn` up to but not including `until_turn`, null while it stays.
    `parent_turn_id` and `parent_seat`: the conversation that it continues.
    """

    id: Key
    match_id: Annotated[Id, column(references="matches.id", ondelete="CASCADE")]
    index: Annotated[int, Integer]
    name: Name
    role: Name
    model_id: Name
    settings: Annotated[dict[str, Any] | None, OptionalJson]
    from_turn: Annotated[int, Integer]
    until_turn: Annotated[int | None, Integer]
    parent_turn_id: Id | None
    parent_seat: Name | None


@stored_in(
    "turns",
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
class TurnRow(Row):
    """One input of the person `author_id`. `ended_at` is when its latest play ended and its replies became readable.

    `searchable`: search finds the replies of its latest play; see `SearchReply`. `replica_id`: who plays it, where
    several replicas serve.
    """

    id: Key
    match_id: Annotated[Id, column(references="matches.id", ondelete="CASCADE")]
    session_id: Id
    owner_id: Owner
    author_id: Id
    index: Annotated[int, Integer]
    input: Document
    input_sha256: Digest
    status: Name
    play: Annotated[int, Integer]
    error: Annotated[dict[str, Any] | None, OptionalJson]
    created_at: Time
    ended_at: Time | None
    searchable: Annotated[bool, column(server_default=false())] = False
    replica_id: Id | None = None


@stored_in("turn_events")
class TurnEventRow(Row):
    """Everything durable that happened in a turn, in order."""

    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE", primary_key=True)]
    seq: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    kind: Name
    version: Annotated[int, Integer]
    data: Document


@stored_in("reply_attempts")
class AttemptRow(Row):
    """A seat's reply in an earlier attempt, before the step was asked again."""

    reply_id: Annotated[Id, column(references="replies.id", ondelete="CASCADE", primary_key=True)]
    attempt: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    model_id: Name
    status: Name
    text: Annotated[str, Text]
    reasoning: Annotated[str, Text]
    text_sha256: Digest | None
    messages_sha256: Digest
    finish_reason: Name | None
    metrics: Annotated[dict[str, Any] | None, OptionalJson]
    error: Annotated[dict[str, Any] | None, OptionalJson]
    timeline: Annotated[bytes | None, LargeBinary]
    parts: Annotated[list[dict[str, Any]] | None, OptionalJson] = None


@stored_in("replies", UniqueConstraint("turn_id", "path", "round", "seat", "purpose"))
class ReplyRow(Row):
    """A step of a turn: one reply of one seat, in its latest attempt; see `ReplyAttempt` for earlier ones.

    A turn's replies are shown by `order`. `released`: code points that a blind viewer has seen if the turn did not
    complete; NULL if the reply is unknown to them. `parts`: pictures and files (`kernel.messages.ReplyPart`), null
    without any.
    """

    id: Key
    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE")]
    parent_reply_id: Id | None
    path: Annotated[str, String(200)]
    round: Annotated[int, Integer]
    seat: Name
    purpose: Name
    order: Annotated[int, Integer]
    model_id: Name
    attempt: Annotated[int, Integer]
    status: Name
    text: Annotated[str, Text]
    released: Annotated[int | None, Integer]
    reasoning: Annotated[str, Text]
    text_sha256: Digest | None
    messages_sha256: Digest
    finish_reason: Name | None
    metrics: Annotated[dict[str, Any] | None, OptionalJson]
    error: Annotated[dict[str, Any] | None, OptionalJson]
    timeline: Annotated[bytes | None, LargeBinary]
    parts: Annotated[list[dict[str, Any]] | None, OptionalJson] = None
