"""The table of presets, which are briefs with their seats."""

from typing import Annotated, Any

from sqlalchemy import Index, Integer, String, UniqueConstraint, false

from parley.storage.tables.rows import (
    Document,
    Id,
    Key,
    Name,
    OptionalJson,
    Owner,
    Row,
    Time,
    column,
    stored_in,
)


@stored_in(
    "presets", UniqueConstraint("owner_id", "mode", "name"), Index("ix_presets_slug", "slug", unique=True)
)
class PresetRow(Row):
    """A mode's settings and seats under a name. `revision` grows with every change of either.

    `contestant`: it sits like a model, as an ensemble whose id is made of `slug` and the revision. The slug is given
    once and never to another preset.
    `is_default`: new sessions of the mode start with it; at most one per owner and mode.
    """

    id: Key
    owner_id: Owner
    space_id: Id
    mode: Name
    name: Annotated[str, String(200)]
    description: Annotated[str | None, String(2000)]
    seats: Document
    seat_settings: Annotated[dict[str, Any] | None, OptionalJson]
    brief: Document
    brief_version: Annotated[int, Integer]
    revision: Annotated[int, Integer]
    contestant: bool
    is_default: Annotated[bool, column(server_default=false())]
    slug: Annotated[str | None, String(48)]
    created_at: Time
    updated_at: Time
