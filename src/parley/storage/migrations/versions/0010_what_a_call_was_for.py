"""The ledger tells what each call was for; a call outside a turn names neither turn nor reply."""

import sqlalchemy as sa
from alembic import op

LEDGER = sa.table(
    "ledger", *(sa.column(name, sa.String()) for name in ("id", "purpose", "turn_id", "reply_id"))
)
"""Only the calls for a vote's categories had one id, the vote's, for both turn and reply."""

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("ledger") as table:
        table.add_column(sa.Column("purpose", sa.String(length=64), nullable=False, server_default="reply"))
        table.alter_column("turn_id", existing_type=sa.String(length=32), nullable=True)
        table.alter_column("reply_id", existing_type=sa.String(length=32), nullable=True)
    op.execute(
        sa.update(LEDGER)
        .where(LEDGER.c.turn_id == LEDGER.c.reply_id)
        .values(purpose="categories", turn_id=None, reply_id=None)
    )
    with op.batch_alter_table("ledger") as table:
        table.alter_column(
            "purpose", existing_type=sa.String(length=64), existing_nullable=False, server_default=None
        )


def downgrade() -> None:
    """A call outside a turn gets its own id for both, by which the way up knows it again."""
    for name in ("turn_id", "reply_id"):
        column = LEDGER.c[name]
        op.execute(sa.update(LEDGER).where(column.is_(None)).values({name: LEDGER.c.id}))
    with op.batch_alter_table("ledger") as table:
        table.alter_column("reply_id", existing_type=sa.String(length=32), nullable=False)
        table.alter_column("turn_id", existing_type=sa.String(length=32), nullable=False)
        table.drop_column("purpose")
