"""Search finds words of answers across marks of Markdown: answers with marks are made searchable again."""

from alembic import op

AGAIN = """
    UPDATE turns SET searchable = false WHERE id IN (
        SELECT turn_id FROM search_replies
        WHERE text LIKE '%*%' OR text LIKE '%`%' OR text LIKE '%#%' OR text LIKE '%|%'
    )
"""

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Until Parley has read them again while it runs, they are found as before.
    op.execute(AGAIN)


def downgrade() -> None:
    """Leave them: an earlier version finds their words too."""
