"""The table of sealed sessions: their wrapped keys."""

from typing import Annotated, Any

from sqlalchemy import Text

from parley.storage.tables.rows import Digest, Id, Json, Owner, Row, Time, column, stored_in


@stored_in("sealed_sessions")
class SealedSessionRow(Row):
    """The seal of a session: its sealed title, and its key as a passkey or a passphrase wraps it (`SealWrap`)."""

    session_id: Annotated[Id, column(references="sessions.id", ondelete="CASCADE", primary_key=True)]
    owner_id: Owner
    key_check: Digest
    wraps: Annotated[list[dict[str, Any]], Json]
    title: Annotated[str, Text]
    created_at: Time
