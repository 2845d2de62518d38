"""Tables of the audit log: a chain of hashes over the content of every vote."""

from typing import Annotated

from sqlalchemy import Index, Integer, Text, text

from parley.storage.tables.rows import Counter, Digest, Id, Name, Row, Time, column, stored_in

_OF_VOTE = text("kind = 'vote'")
_OF_NO_VOTE = text("kind IN ('act', 'exclusion', 'inclusion', 'import', 'prior')")
"""The entries that people list; few among those of votes."""


@stored_in(
    "audit_log",
    Index("ix_audit_log_vote_id_seq", "vote_id", "seq"),
    Index("ix_audit_log_others", "seq", sqlite_where=_OF_NO_VOTE, postgresql_where=_OF_NO_VOTE),
    Index("uq_audit_log_vote_id", "vote_id", unique=True, sqlite_where=_OF_VOTE, postgresql_where=_OF_VOTE),
)
class AuditEntryRow(Row):
    """One link of the chain. `seq` counts from 1 without gaps; `content` is the JSON that was hashed.

    There is one entry of kind `vote` for each vote that was cast here, one of kind `import` for each file
    that was imported or removed again, and one for each change of a vote's details.
    """

    seq: Annotated[int, Counter, column(primary_key=True, autoincrement=False)]
    vote_id: Id
    kind: Name
    content: Annotated[str, Text]
    previous_sha256: Digest
    sha256: Digest
    created_at: Time


@stored_in("audit_head")
class AuditHeadRow(Row):
    """The end of the chain, in one row; everything that adds to the chain locks it first."""

    id: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    seq: Annotated[int, Counter]
    sha256: Digest
