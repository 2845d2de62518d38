"""Tables of the library: what was made, as a list of places where it is; nothing is copied from there."""

from typing import Annotated

from sqlalchemy import Index, Integer, String, Text

from parley.storage.tables.rows import (
    Counter,
    Digest,
    Document,
    Id,
    Key,
    Name,
    Owner,
    Row,
    Time,
    column,
    stored_in,
)


@stored_in(
    "assets",
    # Pages come in its order, and counts read nothing else.
    Index(
        "ix_assets_listed",
        *("owner_id", "deleted_at", "created_at", "id"),
        *("kind", "size", "model_id", "session_id", "match_id", "veiled"),
    ),
    Index("ix_assets_turn_id", "turn_id"),
    Index("ix_assets_owner_id_sha256", "owner_id", "sha256"),
)
class AssetRow(Row):
    """One thing in the library.

    `origin`: "reply", "kept" (a whole reply that a person kept), "trial", "upload", "export" or "program". Of the first
    two the content is in the reply: its part `part`, or its code block of that number. `source_id`: the key of the
    trial that has the content, or the session of an export. `made`: how a program had it made, as `AssetMade`.
    `words`: what search finds it by, folded.
    `veiled`: its match was blind when it ended; it is hidden while that is open. `deleted_at`: hidden since then.
    """

    id: Key
    owner_id: Owner
    space_id: Id
    origin: Name
    kind: Name
    title: Annotated[str, String(200)]
    words: Annotated[str, Text]
    media_type: Name
    size: int
    sha256: Digest
    created_at: Time
    width: Annotated[int | None, Integer] = None
    height: Annotated[int | None, Integer] = None
    session_id: Annotated[Id | None, column(references="sessions.id", ondelete="CASCADE")] = None
    match_id: Id | None = None
    turn_id: Annotated[Id | None, column(references="turns.id", ondelete="CASCADE")] = None
    reply_id: Id | None = None
    source_id: Digest | None = None
    part: Annotated[int | None, Integer] = None
    model_id: Name | None = None
    veiled: bool = False
    deleted_at: Time | None = None
    made: Document | None = None


@stored_in("asset_tags", Index("ix_asset_tags_name", "name"))
class AssetTagRow(Row):
    """A tag of something in the library: lower-case words."""

    asset_id: Annotated[Id, column(references="assets.id", ondelete="CASCADE", primary_key=True)]
    name: Annotated[str, String(40), column(primary_key=True)]


@stored_in("ended_turns", Index("ix_ended_turns_turn_id", "turn_id"))
class EndedTurnRow(Row):
    """A turn that has ended, and whose replies are not in the library yet."""

    turn_id: Annotated[Id, column(references="turns.id", ondelete="CASCADE")]
    id: Annotated[int, Counter, column(primary_key=True, assigned=True)] = 0
