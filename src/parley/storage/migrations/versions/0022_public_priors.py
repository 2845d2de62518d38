"""A leaderboard may start from published results.

The way down takes the entries about them out of the audit log: its chain is made anew from the first one on.
"""

import hashlib

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
RATIO: sa.types.TypeEngine[float] = sa.Double()
TIME = sa.DateTime(timezone=True)
START = "0" * 64
PAGE = 1000

LOG = sa.table(
    "audit_log",
    sa.column("seq", COUNTER),
    *(sa.column(name, sa.String()) for name in ("kind", "content", "previous_sha256", "sha256")),
)
HEAD = sa.table("audit_head", sa.column("seq", COUNTER), sa.column("sha256", sa.String()))
IMPORTS = sa.table("audit_imports", sa.column("seq", COUNTER))

REFIT = "UPDATE worker_status SET status = 'running' WHERE worker_name = 'standings' AND status = 'idle'"
"""The stored tables are of the prior: the worker makes every one anew."""

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "public_priors",
        sa.Column("category", sa.String(length=64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("weight", RATIO, nullable=False),
        sa.Column("content", DOCUMENT, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("set_at", TIME, nullable=False),
        sa.Column("set_by", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("category", name=op.f("pk_public_priors")),
    )


def downgrade() -> None:
    op.drop_table("public_priors")
    op.execute(REFIT)
    _without_entries()


def _without_entries() -> None:
    """Take the entries of kind `prior` out, and link those after them anew, one by one: each moves down."""
    database = op.get_bind()
    first = database.execute(sa.select(sa.func.min(LOG.c.seq)).where(LOG.c.kind == "prior")).scalar()
    if first is None:
        return
    query = sa.select(LOG.c.sha256).where(LOG.c.seq == first - 1)
    previous = database.execute(query).scalar() or START
    at, seq = first - 1, first - 1
    while page := database.execute(
        sa.select(LOG).where(LOG.c.seq > at).order_by(LOG.c.seq).limit(PAGE)
    ).all():
        for entry in page:
            at = entry.seq
            where = LOG.c.seq == at
            if entry.kind == "prior":
                database.execute(sa.delete(LOG).where(where))
                continue
            seq += 1
            sha256 = hashlib.sha256((previous + entry.content).encode()).hexdigest()
            database.execute(
                sa.update(LOG).where(where).values(seq=seq, previous_sha256=previous, sha256=sha256)
            )
            if entry.kind == "import":
                database.execute(sa.update(IMPORTS).where(IMPORTS.c.seq == at).values(seq=seq))
            previous = sha256
    database.execute(sa.update(HEAD).values(seq=seq, sha256=previous))
