"""Search finds words of answers across links, escaped signs and underlines, and “İ” as “i”: some are read again."""

from alembic import op

AGAIN = """
    UPDATE turns SET searchable = false WHERE id IN (
        SELECT turn_id FROM search_replies
        WHERE text LIKE '%](%' ESCAPE '|' OR text LIKE '%\\%' ESCAPE '|' OR text LIKE '%|_%' ESCAPE '|'
            OR text LIKE '%- %' ESCAPE '|' OR text LIKE '%+ %' ESCAPE '|' OR text LIKE '%i\u0307%' ESCAPE '|'
    )
"""
TEXTS = "UPDATE search_texts SET text = replace(text, 'i\u0307', 'i') WHERE text LIKE '%i\u0307%'"

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Until Parley has read them again while it runs, they are found as before.
    op.execute(AGAIN)
    op.execute(TEXTS)


def downgrade() -> None:
    """Leave them: an earlier version finds their words too."""
