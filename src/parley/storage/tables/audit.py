"""Tables of the audit log: a chain of hashes over the content of every vote."""

from sqlalchemy import Index, Integer, LargeBinary, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Counter, Digest, Id, Name, Table, Time

_OF_VOTE = text("kind = 'vote'")


class AuditEntry(Table):
    """One link of the chain. `seq` counts from 1 without gaps; `content` is the JSON that was hashed.

    There is one entry of kind `vote` for each vote that was cast here, one of kind `import` for some two thousand
    imported votes (`AuditImport`), and one for each change of a vote's details.
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


class AuditImport(Table):
    """What the entry `seq`, of kind `import`, says of each of its votes, by their numbers.

    `contents`: the contents of entries of kind `vote`, column by column (`packed_votes`), or as lines that zlib
    compressed. The entry has the hash of the lines.
    """

    __tablename__ = "audit_imports"
    __table_args__ = (Index("ix_audit_imports_first_vote_seq", "first_vote_seq"),)
    seq: Mapped[int] = mapped_column(Counter, primary_key=True, autoincrement=False)
    first_vote_seq: Mapped[int] = mapped_column(Counter)
    last_vote_seq: Mapped[int] = mapped_column(Counter)
    contents: Mapped[bytes] = mapped_column(LargeBinary)


class AuditHead(Table):
    """The end of the chain, in one row; everything that adds to the chain locks it first."""

    __tablename__ = "audit_head"
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    seq: Mapped[int] = mapped_column(Counter)
    sha256: Mapped[Digest]
