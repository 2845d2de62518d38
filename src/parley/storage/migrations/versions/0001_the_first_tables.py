"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

RATIO: sa.types.TypeEngine[float] = sa.Double()
TIME = sa.DateTime(timezone=True)
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "elo",
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("rating", RATIO, nullable=False),
        sa.Column("votes", sa.Integer(), nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("model_id", name=op.f("pk_elo")),
    )
    op.create_table(
        "ledger",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("turn_id", sa.String(length=32), nullable=False),
        sa.Column("reply_id", sa.String(length=32), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("provider_id", sa.String(length=200), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), nullable=True),
        sa.Column("estimated", sa.Boolean(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledger")),
    )
    op.create_index("ix_ledger_turn_id", "ledger", ["turn_id"])

    op.create_table(
        "models",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("card", DOCUMENT, nullable=False),
        sa.Column("first_seen_at", TIME, nullable=False),
        sa.Column("retired_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
    )
    op.create_table(
        "receipts",
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("request_sha256", sa.String(length=64), nullable=False),
        sa.Column("result", DOCUMENT, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("owner_id", "key", name=op.f("pk_receipts")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("voter_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("voter_id", name=op.f("uq_users_voter_id")),
    )
    op.create_table(
        "votes",
        sa.Column(
            "seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=True),
        sa.Column("owner_id", sa.String(length=32), nullable=True),
        sa.Column("voter_id", sa.String(length=32), nullable=False),
        sa.Column("choice", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("left_model_id", sa.String(length=64), nullable=True),
        sa.Column("right_model_id", sa.String(length=64), nullable=True),
        sa.Column("seats", DOCUMENT, nullable=False),
        sa.Column("propensity", RATIO, nullable=True),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("not_counted_reason", sa.String(length=64), nullable=True),
        sa.Column("processing_status", sa.String(length=64), nullable=False),
        sa.Column("result", DOCUMENT, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_votes")),
        sa.UniqueConstraint("id", name=op.f("uq_votes_id")),
        sa.UniqueConstraint("match_id", "voter_id", name=op.f("uq_votes_match_id_voter_id")),
    )
    op.create_index("ix_votes_processing_status_seq", "votes", ["processing_status", "seq"])

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("mode", sa.String(length=64), nullable=False),
        sa.Column("archived", sa.Boolean(), nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_sessions_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_deleted_at", "sessions", ["deleted_at"])
    op.create_index("ix_sessions_owner_listing", "sessions", ["owner_id", "archived", "updated_at", "id"])

    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("mode", sa.String(length=64), nullable=False),
        sa.Column("brief", DOCUMENT, nullable=False),
        sa.Column("brief_version", sa.Integer(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("paced", sa.Boolean(), nullable=False),
        sa.Column("ballot", DOCUMENT, nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("void", DOCUMENT, nullable=True),
        sa.Column("propensity", RATIO, nullable=True),
        sa.Column("parent_turn_id", sa.String(length=32), nullable=True),
        sa.Column("parent_seat", sa.String(length=64), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_matches_owner_id")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_matches_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("session_id", "index", name=op.f("uq_matches_session_id_index")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_seats_match_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("match_id", "name", name=op.f("uq_seats_match_id_name")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("index", sa.Integer(), nullable=False),
        sa.Column("input", DOCUMENT, nullable=False),
        sa.Column("input_sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("play", sa.Integer(), nullable=False),
        sa.Column("released", sa.Integer(), nullable=True),
        sa.Column("error", DOCUMENT, nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_turns_match_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_turns_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint("match_id", "index", name=op.f("uq_turns_match_id_index")),
    )
    op.create_index("ix_turns_session_id", "turns", ["session_id"])
    op.create_index("ix_turns_status", "turns", ["status"])

    op.create_table(
        "replies",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("turn_id", sa.String(length=32), nullable=False),
        sa.Column("parent_reply_id", sa.String(length=32), nullable=True),
        sa.Column("path", sa.String(length=200), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=64), nullable=False),
        sa.Column("purpose", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reasoning", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=True),
        sa.Column("messages_sha256", sa.String(length=64), nullable=False),
        sa.Column("finish_reason", sa.String(length=64), nullable=True),
        sa.Column("metrics", DOCUMENT, nullable=True),
        sa.Column("error", DOCUMENT, nullable=True),
        sa.Column("timeline", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_replies_turn_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_replies")),
        sa.UniqueConstraint(
            "turn_id",
            "path",
            "round",
            "seat",
            "purpose",
            name=op.f("uq_replies_turn_id_path_round_seat_purpose"),
        ),
    )
    op.create_table(
        "turn_events",
        sa.Column("turn_id", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("data", DOCUMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_turn_events_turn_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("turn_id", "seq", name=op.f("pk_turn_events")),
    )


def downgrade() -> None:
    op.drop_table("turn_events")
    op.drop_table("replies")
    op.drop_index("ix_turns_status", table_name="turns")
    op.drop_index("ix_turns_session_id", table_name="turns")

    op.drop_table("turns")
    op.drop_table("seats")
    op.drop_table("matches")
    op.drop_index("ix_sessions_owner_listing", table_name="sessions")
    op.drop_index("ix_sessions_deleted_at", table_name="sessions")

    op.drop_table("sessions")
    op.drop_index("ix_votes_processing_status_seq", table_name="votes")

    op.drop_table("votes")
    op.drop_table("users")
    op.drop_table("receipts")
    op.drop_table("models")
    op.drop_index("ix_ledger_turn_id", table_name="ledger")

    op.drop_table("ledger")
    op.drop_table("elo")
