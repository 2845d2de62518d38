"""Tables of the audit log: a chain of hashes over the content of every vote."""

from sqlalchemy import Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Counter, Digest, Id, Name, Table, Time

_OF_VOTE = text("kind = 'vote'")


class AuditEntry(Table):
    """One link of the chain. `seq` counts from 1 without gaps; `content` is the JSON that was hashed.

    There is one entry of kind `vote` for each vote, and one for each change of its details.
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_vote_id_seq", "vote_id", "seq"),
        Index(
            "uq_audit_log_vote_id", "vote_id", unique=True, sqlite_where=_OF_VOTE, postgresql_where=_OF_VOTE
        ),
    )
    seq: Mapped[int] = mapped_column(Counter, primary_key=True, autoincrement=False)
    vote_id: Mapped[Id]
    kind: Mapped[Name]
    content: Mapped[str] = mapped_column(Text)
    previous_sha256: Mapped[Digest]
    sha256: Mapped[Digest]
    created_at: Mapped[Time]


class AuditHead(Table):
    """The end of the chain, in one row; everything that adds to the chain locks it first."""

    __tablename__ = "audit_head"
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(Counter)
    sha256: Mapped[Digest]
