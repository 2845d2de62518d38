"""Flags of voters say on how many prompts they rest, and whether an operator excluded the voter."""

import sqlalchemy as sa
from alembic import op

TIME = sa.DateTime(timezone=True)

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


def downgrade() -> None:
    op.execute("DELETE FROM voter_flags")
    with op.batch_alter_table("voter_flags") as table:
        for name in ("prompts", "examined_at", "excluded_at", "excluded_by"):
            table.drop_column(name)
        table.add_column(sa.Column("after", sa.Integer(), nullable=False))
