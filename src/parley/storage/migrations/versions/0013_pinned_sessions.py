"""Sessions can be pinned."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # The default stays: to drop it, SQLite would have to copy the table that all others hang on.
    op.add_column("sessions", sa.Column("pinned", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("sessions", "pinned")
