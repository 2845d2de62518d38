"""Sessions have tags, and are found whether they are archived or not."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session_tags",
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_session_tags_owner_id")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_session_tags_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session_id", "name", name=op.f("pk_session_tags")),
    )
    op.create_index("ix_session_tags_owner_id_name", "session_tags", ["owner_id", "name"])
    op.create_index("ix_sessions_owner_latest", "sessions", ["owner_id", "updated_at", "id"])


def downgrade() -> None:
    op.drop_index("ix_sessions_owner_latest", "sessions")
    op.drop_table("session_tags")
