"""Standings: counts, tables, history and the worker's state; what is made of each vote beside it."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

TIME = sa.DateTime(timezone=True)
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
RATIO: sa.types.TypeEngine[float] = sa.Double()
NAME = sa.String(length=64)
COUNTS = ("model_use", "uncounted_counts", "latency_counts", "pair_counts")
INDEXED = ("voter_id", "left_model_id", "right_model_id")

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_to_votes()
    _count_tables()
    _rating_tables()
    op.create_table(
        "worker_status",
        sa.Column("worker_name", NAME, nullable=False),
        sa.Column("version", COUNTER, nullable=False),
        sa.Column("status", NAME, nullable=False),
        sa.Column("last_run_at", TIME, nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("votes_processed", sa.BigInteger(), nullable=False),
        sa.Column("last_vote_seq", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("worker_name", name=op.f("pk_worker_status")),
    )


def downgrade() -> None:
    for table in ("worker_status", "rating_history", "model_stats", *COUNTS):
        op.drop_table(table)
    op.execute("UPDATE votes SET processing_status = 'pending'")
    op.drop_column("turns", "ended_at")
    op.drop_index("ix_votes_prompt_sha256_counted", table_name="votes")
    for column in INDEXED:
        op.drop_index(f"ix_votes_{column}_seq", table_name="votes")
    for column in _derived():
        op.drop_column("votes", column.name)


def _derived() -> list[sa.Column[Any]]:
    """What is made of a vote; those that are there already begin as if nothing had been made of them."""
    return [
        sa.Column("excluded_reason", NAME, nullable=True),
        sa.Column("categories", DOCUMENT, nullable=False, server_default="[]"),
        sa.Column("categories_by", NAME, nullable=False, server_default="rules"),
        sa.Column("prompt_sha256", NAME, nullable=True),
        sa.Column("style", DOCUMENT, nullable=True),
        sa.Column("read_ms", sa.BigInteger(), nullable=True),
        sa.Column("origin", NAME, nullable=False, server_default="here"),
    ]


def _add_to_votes() -> None:
    for column in _derived():
        op.add_column("votes", column)
    for column in INDEXED:
        op.create_index(f"ix_votes_{column}_seq", "votes", [column, "seq"])
    op.create_index("ix_votes_prompt_sha256_counted", "votes", ["prompt_sha256", "counted"])
    op.add_column("turns", sa.Column("ended_at", TIME, nullable=True))


def _count_tables() -> None:
    op.create_table(
        "pair_counts",
        sa.Column("category", NAME, nullable=False),
        sa.Column("left_model_id", NAME, nullable=False),
        sa.Column("right_model_id", NAME, nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("win", sa.BigInteger(), nullable=False),
        sa.Column("loss", sa.BigInteger(), nullable=False),
        sa.Column("tie", sa.BigInteger(), nullable=False),
        sa.Column("both_bad", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "category", "left_model_id", "right_model_id", "counted", name=op.f("pk_pair_counts")
        ),
    )
    op.create_table(
        "latency_counts",
        sa.Column("model_id", NAME, nullable=False),
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("replies", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("model_id", "bucket", name=op.f("pk_latency_counts")),
    )
    op.create_table(
        "uncounted_counts",
        sa.Column("category", NAME, nullable=False),
        sa.Column("reason", NAME, nullable=False),
        sa.Column("votes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("category", "reason", name=op.f("pk_uncounted_counts")),
    )
    used = ("replies", "output_tokens", "spoken_tokens", "speaking_ms", "cost_micros", "priced")
    op.create_table(
        "model_use",
        sa.Column("model_id", NAME, nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in used),
        sa.PrimaryKeyConstraint("model_id", name=op.f("pk_model_use")),
    )


def _rating_tables() -> None:
    op.create_table(
        "model_stats",
        sa.Column("category", NAME, nullable=False),
        sa.Column("method", NAME, nullable=False),
        sa.Column("model_id", NAME, nullable=False),
        *_rated(),
        sa.Column("rank", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.BigInteger(), nullable=False)
            for name in ("wins", "losses", "ties", "both_bad")
        ),
        sa.Column("win_rate", RATIO, nullable=False),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        sa.Column("comparison_group", sa.Integer(), nullable=False),
        sa.Column("ttft_p50_ms", sa.Integer(), nullable=True),
        sa.Column("first_vote_at", TIME, nullable=False),
        sa.Column("last_vote_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("category", "method", "model_id", name=op.f("pk_model_stats")),
    )
    op.create_table(
        "rating_history",
        sa.Column("category", NAME, nullable=False),
        sa.Column("method", NAME, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("model_id", NAME, nullable=False),
        *_rated(),
        sa.PrimaryKeyConstraint("category", "method", "at", "model_id", name=op.f("pk_rating_history")),
    )


def _rated() -> list[sa.Column[Any]]:
    return [
        sa.Column("rating", RATIO, nullable=False),
        sa.Column("ci_lower", RATIO, nullable=True),
        sa.Column("ci_upper", RATIO, nullable=True),
        sa.Column("rank_ub", sa.Integer(), nullable=False),
        sa.Column("votes", sa.BigInteger(), nullable=False),
    ]
