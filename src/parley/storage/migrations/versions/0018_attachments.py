"""Questions can come with pictures and files."""

import sqlalchemy as sa
from alembic import op

TIME = sa.DateTime(timezone=True)

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "attachments",
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("media_type", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=True),
        sa.Column("thumbnail_sha256", sa.String(length=64), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.Column("pages", sa.Integer(), nullable=True),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("kept_until", TIME, nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_attachments_owner_id")),
        sa.PrimaryKeyConstraint("owner_id", "sha256", name=op.f("pk_attachments")),
    )
    op.create_index("ix_attachments_kept_until", "attachments", ["kept_until"])
    op.create_table(
        "turn_attachments",
        sa.Column("turn_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["owner_id", "sha256"],
            ["attachments.owner_id", "attachments.sha256"],
            name=op.f("fk_turn_attachments_owner_id_sha256"),
        ),
        sa.ForeignKeyConstraint(
            ["turn_id"], ["turns.id"], name=op.f("fk_turn_attachments_turn_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("turn_id", "sha256", name=op.f("pk_turn_attachments")),
    )
    op.create_index("ix_turn_attachments_owner_id_sha256", "turn_attachments", ["owner_id", "sha256"])


def downgrade() -> None:
    op.drop_table("turn_attachments")
    op.drop_table("attachments")
