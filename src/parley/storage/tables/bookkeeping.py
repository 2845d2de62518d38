"""Tables of calls, and of results stored under an idempotency key."""

from typing import Annotated

from sqlalchemy import Index, Integer, String

from parley.storage.tables.rows import Digest, Document, Id, Key, Name, Row, Time, column, stored_in


@stored_in("calls", Index("ix_calls_turn_id", "turn_id"), Index("ix_calls_started_at", "started_at"))
class CallRow(Row):
    """One request to a provider, or a call that sent none: a `parley.kernel.calls.CallEnded`.

    The sums over all rows are what providers billed. Nothing may show the rows of a blind match before its vote.
    """

    id: Key
    call_id: Id
    started_at: Time
    owner_id: Id
    space_id: Id
    key_id: Id | None
    purpose: Name
    mode: Name | None
    turn_id: Id | None
    reply_id: Id | None
    attempt: Annotated[int, Integer]
    model_id: Name
    provider_id: Annotated[str | None, String(200)]
    outcome: Annotated[str, String(16)]
    code: Name | None
    first_token_ms: Annotated[int | None, Integer]
    duration_ms: Annotated[int, Integer]
    input_tokens: Annotated[int, Integer]
    output_tokens: Annotated[int, Integer]
    reasoning_tokens: Annotated[int, Integer]
    cached_tokens: Annotated[int, Integer]
    cost_micros: int | None
    estimated: bool
    from_cache: bool
    payer: Annotated[str, String(16)] = "installation"
    payer_id: Id = ""


@stored_in("receipts")
class ReceiptRow(Row):
    """The result of an idempotency key: the request's digest and the ids of what it created."""

    owner_id: Annotated[str, String(32), column(primary_key=True)]
    key: Annotated[str, String(255), column(primary_key=True)]
    request_sha256: Digest
    result: Document
    created_at: Time
