"""Flags of voters say on how many prompts they rest and whether the voter is excluded; lines, how alike votes are."""

import sqlalchemy as sa
from alembic import op

TIME = sa.DateTime(timezone=True)
RATIO: sa.types.TypeEngine[float] = sa.Double()

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Flags are made anew: the evidence of before counted votes on one prompt as independent.
    op.execute("DELETE FROM voter_flags")
    with op.batch_alter_table("voter_flags") as table:
        table.drop_column("after")
        table.add_column(sa.Column("prompts", sa.BigInteger(), nullable=False))
        table.add_column(sa.Column("examined_at", TIME, nullable=False))
        table.add_column(sa.Column("excluded_at", TIME, nullable=True))
        table.add_column(sa.Column("excluded_by", sa.String(length=64), nullable=True))
    with op.batch_alter_table("model_stats") as table:
        table.add_column(sa.Column("widened", RATIO, nullable=False, server_default="1"))
        table.add_column(sa.Column("top_voter", RATIO, nullable=True))
    with op.batch_alter_table("model_stats") as table:
        table.alter_column("widened", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("model_stats") as table:
        table.drop_column("widened")
        table.drop_column("top_voter")
    op.execute("DELETE FROM voter_flags")
    with op.batch_alter_table("voter_flags") as table:
        for name in ("prompts", "examined_at", "excluded_at", "excluded_by"):
            table.drop_column(name)
        table.add_column(sa.Column("after", sa.Integer(), nullable=False))
