"""Turns may begin with more than a prompt or leave to go on; the way down makes those of what there was before."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
TURNS = sa.table("turns", sa.column("id", sa.String()), sa.column("input", DOCUMENT))
WITH_WORDS = ("steer", "add", "ask")
WITHOUT = ("skip", "synthesise")

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing was missing."""


def downgrade() -> None:
    """Words become a prompt, what has none becomes leave to go on: an older Parley can read nothing else."""
    kind = TURNS.c.input["type"].as_string()
    newer = sa.select(TURNS).where(kind.in_((*WITH_WORDS, *WITHOUT)))
    for turn in op.get_bind().execute(newer).all():
        words = turn.input["type"] in WITH_WORDS
        older = {"type": "prompt", "text": turn.input["text"]} if words else {"type": "continue"}
        op.execute(sa.update(TURNS).where(TURNS.c.id == turn.id).values(input=older))
