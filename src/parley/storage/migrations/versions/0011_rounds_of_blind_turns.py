"""Replies have a place in their turn, and say themselves how much of them a blind viewer has seen."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ORDER = """
UPDATE replies SET "order" = placed.place FROM (
    SELECT replies.id, row_number() OVER (
        PARTITION BY replies.turn_id
        ORDER BY replies.round, coalesce(seats."index", 1000), replies.path, replies.seat, replies.purpose
    ) - 1 AS place
    FROM replies JOIN turns ON turns.id = replies.turn_id
    LEFT JOIN seats ON seats.match_id = turns.match_id AND seats.name = replies.seat AND replies.path = ''
) AS placed WHERE placed.id = replies.id
"""
RELEASED = """
UPDATE replies SET released = turns.released FROM turns
WHERE turns.id = replies.turn_id AND replies.path = '' AND turns.released IS NOT NULL
"""
RELEASED_AT_ONCE = """
UPDATE turns SET released = seen.released FROM (
    SELECT turn_id, min(coalesce(released, 0)) AS released FROM replies
    WHERE path = '' GROUP BY turn_id HAVING max(released) IS NOT NULL
) AS seen WHERE seen.turn_id = turns.id
"""
"""What every reply of the turn has shown: a turn has one number, which may not show more of any."""


def upgrade() -> None:
    op.add_column("replies", sa.Column("order", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("replies", sa.Column("released", sa.Integer(), nullable=True))
    op.execute(ORDER)
    op.execute(RELEASED)
    op.drop_column("turns", "released")


def downgrade() -> None:
    op.add_column("turns", sa.Column("released", sa.Integer(), nullable=True))
    op.execute(RELEASED_AT_ONCE)
    op.drop_column("replies", "released")
    op.drop_column("replies", "order")
