"""The tables of API keys and of stored answers."""

from typing import Annotated

from sqlalchemy import Index, String, UniqueConstraint

from parley.storage.tables.rows import (
    Digest,
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


@stored_in("api_keys", UniqueConstraint("token_sha256"), Index("ix_api_keys_user_id", "user_id"))
class ApiKeyRow(Row):
    """A key by which programs of a person use models. Of its secret only the hash and the first characters are kept.

    `models`: ids of the only models that it may use; null for all. `scopes`: its rights; null for the usual ones.
    """

    id: Key
    user_id: Annotated[Id, column(references="users.id")]
    name: Name
    prefix: Annotated[str, String(16)]
    token_sha256: Digest
    models: Annotated[list[str] | None, OptionalJson]
    created_at: Time
    expires_at: Time | None
    last_used_at: Time | None = None
    revoked_at: Time | None = None
    scopes: Annotated[list[str] | None, OptionalJson] = None


@stored_in(
    "api_responses",
    Index("ix_api_responses_owner_id", "owner_id"),
    Index("ix_api_responses_created_at", "created_at"),
)
class ResponseRow(Row):
    """An answer of the Responses API that a later one can follow. `items`: its own input, not what came before."""

    id: Annotated[str, String(64), column(primary_key=True)]
    owner_id: Owner
    previous_id: Annotated[str, String(100)] | None
    items: Document
    answer: Document
    created_at: Time
