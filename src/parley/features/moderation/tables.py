"""The tables of moderation: the rules, and what they have found."""

from typing import Annotated, Any

from sqlalchemy import Index, String, Text

from parley.storage.tables.rows import Digest, Id, Json, Key, Name, Row, Time, column, stored_in


@stored_in("moderation_rules")
class RuleRow(Row):
    """A rule; see `moderation.schemas.RuleBody` for its fields."""

    id: Key
    name: Annotated[str, String(80)]
    kind: Annotated[str, String(16)]
    moment: Annotated[str, String(8)]
    verdict: Annotated[str, String(8)]
    enabled: bool
    audience: Annotated[str, String(16)]
    space_id: Id | None
    terms: Annotated[list[str], Json, column(nullable=False)]
    model_id: Name | None
    policy: Annotated[str, Text]
    on_failure: Annotated[str, String(8)]
    before_showing: bool
    created_at: Time


@stored_in(
    "moderation_items",
    Index("ix_moderation_items_state", "state", "created_at"),
    Index("ix_moderation_items_owner_id", "owner_id"),
    Index("ix_moderation_items_author_id", "author_id"),
    Index("ix_moderation_items_text", "rule_id", "owner_id", "text_sha256"),
)
class ItemRow(Row):
    """Something that a rule has found, with its text.

    `why`: the term that was found, or what the model said. `restores`: the reply's texts and end, for a release.
    """

    id: Key
    rule_id: Id
    rule: Annotated[str, String(80)]
    moment: Annotated[str, String(8)]
    verdict: Annotated[str, String(8)]
    state: Annotated[str, String(8)]
    owner_id: Id
    author_id: Id
    purpose: Name
    turn_id: Id | None
    reply_id: Id | None
    model_id: Name | None
    text: Annotated[str, Text]
    text_sha256: Digest
    why: Annotated[str, Text]
    restores: Annotated[dict[str, Any] | None, Json]
    created_at: Time
    decided_by: Id | None
    decided_at: Time | None
