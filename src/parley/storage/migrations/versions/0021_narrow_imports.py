"""Imported votes take a third of the space: many share an entry of the audit log, and indexes leave them out.

Votes that are stored already stay as they are. The way down gives each imported vote its own entry, so the chain is
made anew from the first such entry on.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator
from typing import Any, cast

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

TIME = sa.DateTime(timezone=True)
DOCUMENT = sa.JSON(none_as_null=True).with_variant(postgresql.JSONB(none_as_null=True), "postgresql")
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PAGE = 1000
START = "0" * 64
FEATURES = ("tokens", "headers", "lists", "bold")

REPLACED = {
    "uq_votes_match_id_voter_id": (
        ("match_id", "voter_id"),
        "kind = 'blind'",
        "kind = 'blind' AND match_id IS NOT NULL",
    ),
    "uq_votes_match_id_voter_id_turn_id": (
        ("match_id", "voter_id", "turn_id"),
        "kind = 'open' AND (excluded_reason IS NULL OR excluded_reason <> 'replaced')",
        "kind = 'open' AND match_id IS NOT NULL AND (excluded_reason IS NULL OR excluded_reason <> 'replaced')",
    ),
    "ix_votes_prompt_sha256_counted": (("prompt_sha256", "counted"), None, "prompt_sha256 IS NOT NULL"),
}
"""The columns of each index, which votes it had, and which it has now."""

ADDED = {
    "ix_votes_match_id": ("match_id", "match_id IS NOT NULL"),
    "ix_votes_pending_seq": ("seq", "processing_status = 'pending'"),
    "ix_votes_staged_seq": ("seq", "processing_status = 'staged'"),
}
UNRATED, UNRATED_ON_SERVER = sa.text("rated = 0"), sa.text("NOT rated")

LOG = sa.table(
    "audit_log",
    sa.column("seq", COUNTER),
    *(sa.column(name, sa.String()) for name in ("vote_id", "kind", "content", "previous_sha256", "sha256")),
    sa.column("created_at", TIME),
)
HEAD = sa.table("audit_head", sa.column("seq", COUNTER), sa.column("sha256", sa.String()))
IMPORTS = sa.table("audit_imports", sa.column("seq", COUNTER), sa.column("contents", sa.LargeBinary()))
VOTES = sa.table(
    "votes",
    sa.column("seq", COUNTER),
    sa.column("id", sa.String()),
    sa.column("created_at", TIME),
    sa.column("style", DOCUMENT),
)

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_imports",
        sa.Column("seq", COUNTER, autoincrement=False, nullable=False),
        sa.Column("first_vote_seq", COUNTER, nullable=False),
        sa.Column("last_vote_seq", COUNTER, nullable=False),
        sa.Column("contents", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_audit_imports")),
    )
    op.create_index("ix_audit_imports_first_vote_seq", "audit_imports", ["first_vote_seq"])
    _drop(*REPLACED, "ix_votes_processing_status_seq", "ix_votes_unrated_seq")
    with op.batch_alter_table("votes") as table:
        table.alter_column("match_id", existing_type=sa.String(length=32), nullable=True)
    for name, (columns, _, now) in REPLACED.items():
        _index(name, columns, now)
    for name, (column, now) in ADDED.items():
        _index(name, (column,), now)
    _index_unrated()


def downgrade() -> None:
    _drop(*REPLACED, *ADDED, "ix_votes_unrated_seq")
    op.execute("UPDATE votes SET match_id = id WHERE match_id IS NULL")
    _unpack_styles()
    _unpack_imports()
    op.drop_index("ix_audit_imports_first_vote_seq", "audit_imports")
    op.drop_table("audit_imports")
    with op.batch_alter_table("votes") as table:
        table.alter_column("match_id", existing_type=sa.String(length=32), nullable=False)
    for name, (columns, before, _) in REPLACED.items():
        _index(name, columns, before)
    op.create_index("ix_votes_processing_status_seq", "votes", ["processing_status", "seq"])
    _index_unrated()


def _drop(*names: str) -> None:
    for name in names:
        op.drop_index(name, table_name="votes")


def _index(name: str, columns: tuple[str, ...], where: str | None) -> None:
    only = None if where is None else sa.text(where)
    unique = name.startswith("uq_")
    op.create_index(name, "votes", list(columns), unique=unique, sqlite_where=only, postgresql_where=only)


def _index_unrated() -> None:
    op.create_index(
        "ix_votes_unrated_seq", "votes", ["seq"], sqlite_where=UNRATED, postgresql_where=UNRATED_ON_SERVER
    )


def _unpack_styles() -> None:
    """Write styles as objects by side and feature."""
    after, query = 0, sa.select(VOTES.c.seq, VOTES.c.style).order_by(VOTES.c.seq).limit(PAGE)
    while rows := op.get_bind().execute(query.where(VOTES.c.seq > after)).all():
        after = rows[-1].seq
        for seq, stored in rows:
            if isinstance(stored, list):
                numbers = cast("list[int]", stored)
                left, right = numbers[: len(FEATURES)], numbers[len(FEATURES) :]
                fresh = {
                    "left": dict(zip(FEATURES, left, strict=True)),
                    "right": dict(zip(FEATURES, right, strict=True)),
                }
                op.execute(sa.update(VOTES).where(VOTES.c.seq == seq).values(style=fresh))


def _unpack_imports() -> None:
    """Give each imported vote its own entry; entries after the first import get new numbers and hashes."""
    connection = op.get_bind()
    first = connection.execute(sa.select(sa.func.min(LOG.c.seq)).where(LOG.c.kind == "import")).scalar()
    if first is None:
        return
    before = sa.select(LOG.c.sha256).where(LOG.c.seq == first - 1)
    seq, previous = first - 1, connection.execute(before).scalar() or START
    # The new entries grow beyond the old ones, which are moved out of their way first.
    most = 1 + (connection.execute(sa.select(sa.func.max(LOG.c.seq))).scalar() or 0)
    op.execute(sa.update(LOG).where(LOG.c.seq >= first).values(seq=-LOG.c.seq))
    for old in range(first, most):
        for entry in _entries(old):
            seq, prior = seq + 1, previous
            previous = hashlib.sha256((prior + entry["content"]).encode()).hexdigest()
            connection.execute(
                sa.insert(LOG).values(**entry, seq=seq, previous_sha256=prior, sha256=previous)
            )
    op.execute(sa.update(HEAD).values(seq=seq, sha256=previous))


def _entries(old: int) -> Iterator[dict[str, Any]]:
    """Yield an entry, or those of all votes of an import."""
    connection = op.get_bind()
    row = connection.execute(sa.select(LOG).where(LOG.c.seq == -old)).one()
    # A vote has one entry at any time.
    connection.execute(sa.delete(LOG).where(LOG.c.seq == -old))
    if row.kind != "import":
        yield {name: getattr(row, name) for name in ("vote_id", "kind", "content", "created_at")}
        return
    packed: bytes = connection.execute(sa.select(IMPORTS.c.contents).where(IMPORTS.c.seq == old)).scalar_one()
    for line in zlib.decompress(packed).decode().split("\n"):
        said: dict[str, Any] = json.loads(line)  # noqa: TID251
        said["match_id"] = said["match_id"] or said["vote_id"]
        content = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # noqa: TID251
        at = sa.select(VOTES.c.created_at).where(VOTES.c.id == said["vote_id"])
        created_at = connection.execute(at).scalar_one()
        yield {"vote_id": said["vote_id"], "kind": "vote", "content": content, "created_at": created_at}
