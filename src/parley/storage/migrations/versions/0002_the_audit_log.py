"""The audit log: a chain of hashes over the votes, those that are there already among them."""

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

TIME = sa.DateTime(timezone=True)
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
START = "0" * 64
PAGE = 1000

VOTES = sa.table(
    "votes",
    sa.column("seq", COUNTER),
    sa.column("id", sa.String()),
    sa.column("kind", sa.String()),
    sa.column("match_id", sa.String()),
    sa.column("voter_id", sa.String()),
    sa.column("choice", sa.String()),
    sa.column("left_model_id", sa.String()),
    sa.column("right_model_id", sa.String()),
    sa.column("seats", DOCUMENT),
    sa.column("propensity", sa.Double()),
    sa.column("counted", sa.Boolean()),
    sa.column("not_counted_reason", sa.String()),
    sa.column("created_at", TIME),
)

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    log = op.create_table(
        "audit_log",
        sa.Column("seq", COUNTER, autoincrement=False, nullable=False),
        sa.Column("vote_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("previous_sha256", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_audit_log")),
        sa.UniqueConstraint("vote_id", "kind", name=op.f("uq_audit_log_vote_id_kind")),
    )
    head = op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seq", COUNTER, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_head")),
    )
    seq, sha256 = 0, START
    for page in _votes():
        entries: list[dict[str, Any]] = []
        for vote in page:
            content = _content(vote)
            previous, sha256 = sha256, hashlib.sha256((sha256 + content).encode()).hexdigest()
            seq += 1
            entries.append(
                {
                    "seq": seq,
                    "vote_id": vote.id,
                    "kind": "vote",
                    "content": content,
                    "previous_sha256": previous,
                    "sha256": sha256,
                    "created_at": vote.created_at,
                }
            )
        op.bulk_insert(log, entries)
    op.bulk_insert(head, [{"id": 1, "seq": seq, "sha256": sha256}])


def downgrade() -> None:
    op.drop_table("audit_head")
    op.drop_table("audit_log")


def _votes() -> Iterator[list[Any]]:
    after = 0
    query = sa.select(VOTES).order_by(VOTES.c.seq).limit(PAGE)
    while page := list(op.get_bind().execute(query.where(VOTES.c.seq > after)).all()):
        yield page
        after = page[-1].seq


def _content(vote: Any) -> str:
    """The content of an entry as it was when this migration was written."""
    moment: datetime = vote.created_at
    moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    content = {
        "entry": "vote/1",
        "vote_id": vote.id,
        "kind": vote.kind,
        "match_id": vote.match_id,
        "voter_id": vote.voter_id,
        "choice": vote.choice,
        "left_model_id": vote.left_model_id,
        "right_model_id": vote.right_model_id,
        "seats": vote.seats,
        "propensity": vote.propensity,
        "counted": vote.counted,
        "not_counted_reason": vote.not_counted_reason,
        "created_at": moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    }
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)  # noqa: TID251
