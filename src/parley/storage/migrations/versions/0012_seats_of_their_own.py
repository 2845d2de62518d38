"""Seats of their own: how each is asked and in which turns, what it carries on, and what it said in earlier attempts.

On the way down a match carries on what its first seat does: revisions before know one conversation for all seats.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
LINEAGE = ("parent_turn_id", "parent_seat")
SEATS = sa.table("seats", *(sa.column(name, sa.String()) for name in ("match_id", "index", *LINEAGE)))
MATCHES = sa.table("matches", *(sa.column(name, sa.String()) for name in ("id", *LINEAGE)))


def _of_match(name: str) -> sa.ScalarSelect[str]:
    return sa.select(MATCHES.c[name]).where(MATCHES.c.id == SEATS.c.match_id).scalar_subquery()


def _of_first_seat(name: str) -> sa.ScalarSelect[str]:
    carries_on = sa.and_(SEATS.c.match_id == MATCHES.c.id, SEATS.c.parent_turn_id.is_not(None))
    return sa.select(SEATS.c[name]).where(carries_on).order_by(SEATS.c.index).limit(1).scalar_subquery()


def upgrade() -> None:
    op.add_column("seats", sa.Column("settings", DOCUMENT, nullable=True))
    op.add_column("seats", sa.Column("from_turn", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("until_turn", sa.Integer(), nullable=True))
    with op.batch_alter_table("seats") as table:
        table.alter_column("from_turn", server_default=None)
    op.add_column("seats", sa.Column("parent_turn_id", sa.String(length=32), nullable=True))
    op.add_column("seats", sa.Column("parent_seat", sa.String(length=64), nullable=True))
    op.execute(sa.update(SEATS).values({name: _of_match(name) for name in LINEAGE}))
    for name in LINEAGE:
        op.drop_column("matches", name)
    op.create_table(
        "reply_attempts",
        sa.Column("reply_id", sa.String(length=32), nullable=False),
        sa.Column("attempt", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("model_id", sa.String(length=64), nullable=False),
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
            ["reply_id"], ["replies.id"], name=op.f("fk_reply_attempts_reply_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reply_id", "attempt", name=op.f("pk_reply_attempts")),
    )
    op.add_column("presets", sa.Column("seat_settings", DOCUMENT, nullable=True))


def downgrade() -> None:
    op.drop_column("presets", "seat_settings")
    op.drop_table("reply_attempts")
    op.add_column("matches", sa.Column("parent_turn_id", sa.String(length=32), nullable=True))
    op.add_column("matches", sa.Column("parent_seat", sa.String(length=64), nullable=True))
    op.execute(sa.update(MATCHES).values({name: _of_first_seat(name) for name in LINEAGE}))
    for name in LINEAGE:
        op.drop_column("seats", name)
    op.drop_column("seats", "until_turn")
    op.drop_column("seats", "from_turn")
    op.drop_column("seats", "settings")
