"""Contestants: what the model ids of a preset that sits like a model begin with."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("presets", sa.Column("slug", sa.String(length=48), nullable=True))
    op.create_index(op.f("ix_presets_slug"), "presets", ["slug"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_presets_slug"), table_name="presets")
    op.drop_column("presets", "slug")
