"""Providers and models can be kept in the database."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

TIME = sa.DateTime(timezone=True)
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "providers",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("entry", DOCUMENT, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=True),
        sa.Column("key_variable", sa.String(length=200), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("retired_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_providers")),
    )
    op.create_table(
        "kept_models",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("entry", DOCUMENT, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("retired_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_kept_models")),
    )


def downgrade() -> None:
    op.drop_table("kept_models")
    op.drop_table("providers")
