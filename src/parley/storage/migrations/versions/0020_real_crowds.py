"""Flags of voters say on how many prompts they rest and whether the voter is excluded; lines, how alike votes are."""

import sqlalchemy as sa
from alembic import op

TIME = sa.DateTime(timezone=True)
RATIO: sa.types.TypeEngine[float] = sa.Double()

REFIT = "UPDATE worker_status SET status = 'running' WHERE worker_name = 'standings' AND status = 'idle'"
"""The stored intervals are of another kind: the worker makes every table anew."""

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Nobody is said to vote at random any more. All other flags are looked into within the hour.
    op.execute("DELETE FROM voter_flags WHERE pattern = 'random'")
    with op.batch_alter_table("voter_flags") as table:
        table.drop_column("after")
        table.add_column(sa.Column("prompts", sa.BigInteger(), nullable=False, server_default="0"))
        table.add_column(sa.Column("examined_at", TIME, nullable=True))
        table.add_column(sa.Column("excluded_at", TIME, nullable=True))
        table.add_column(sa.Column("excluded_by", sa.String(length=64), nullable=True))
    op.execute("UPDATE voter_flags SET examined_at = flagged_at")
    with op.batch_alter_table("voter_flags") as table:
        table.alter_column("prompts", server_default=None)
        table.alter_column("examined_at", existing_type=TIME, nullable=False)
    with op.batch_alter_table("model_stats") as table:
        table.add_column(sa.Column("widened", RATIO, nullable=False, server_default="1"))
        table.add_column(sa.Column("top_voter", RATIO, nullable=True))
    with op.batch_alter_table("model_stats") as table:
        table.alter_column("widened", server_default=None)
    op.execute(REFIT)


def downgrade() -> None:
    with op.batch_alter_table("model_stats") as table:
        table.drop_column("widened")
        table.drop_column("top_voter")
    with op.batch_alter_table("voter_flags") as table:
        for name in ("prompts", "examined_at", "excluded_at", "excluded_by"):
            table.drop_column(name)
        table.add_column(sa.Column("after", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("voter_flags") as table:
        table.alter_column("after", server_default=None)
    op.execute(REFIT)
