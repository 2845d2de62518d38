"""Search finds words of replies: their texts, folded, with an index of groups of three letters.

Turns of before wait for it as new ones do: the application reads them into the table once it runs.
"""

import logging

import sqlalchemy as sa
from alembic import op
from sqlalchemy.exc import DBAPIError

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

INDEX = """
CREATE VIRTUAL TABLE search_index USING fts5(
    text, content='search_replies', content_rowid='id', columnsize=0, tokenize='trigram'
)
"""
GROUPS = "CREATE VIRTUAL TABLE search_index_terms USING fts5vocab('search_index', 'row')"
TRIGGERS = (
    """
    CREATE TRIGGER search_replies_inserted AFTER INSERT ON search_replies BEGIN
        INSERT INTO search_index (rowid, text) VALUES (new.id, new.text);
    END
    """,
    """
    CREATE TRIGGER search_replies_deleted AFTER DELETE ON search_replies BEGIN
        INSERT INTO search_index (search_index, rowid, text) VALUES ('delete', old.id, old.text);
    END
    """,
)

log = logging.getLogger(__name__)


def upgrade() -> None:
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    # The default stays: to drop it, SQLite would have to copy the table.
    op.add_column("turns", sa.Column("searchable", sa.Boolean(), nullable=False, server_default=sa.false()))
    waiting = sa.text("searchable = 0" if on_sqlite else "NOT searchable")
    op.create_index(
        "ix_turns_unsearchable", "turns", ["created_at"], sqlite_where=waiting, postgresql_where=waiting
    )
    op.create_table(
        "search_replies",
        sa.Column("id", COUNTER, nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("turn_id", sa.String(length=32), nullable=False),
        sa.Column("reply_id", sa.String(length=32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_search_replies_owner_id")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_search_replies_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_replies")),
    )
    op.create_index("ix_search_replies_session_id", "search_replies", ["session_id"])
    op.create_index("ix_search_replies_turn_id", "search_replies", ["turn_id"])
    _make_index(on_sqlite=on_sqlite)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE IF EXISTS search_index_terms")
        op.execute("DROP TABLE IF EXISTS search_index")
    op.drop_table("search_replies")
    op.drop_index("ix_turns_unsearchable", "turns")
    op.drop_column("turns", "searchable")


def _make_index(*, on_sqlite: bool) -> None:
    """Make the index where the database can: an old SQLite knows no trigrams, a server may refuse its extension."""
    statements = (INDEX, GROUPS, *TRIGGERS) if on_sqlite else (_ON_SERVER,)
    try:
        with op.get_bind().begin_nested():
            for statement in statements:
                op.execute(statement)
    except DBAPIError as error:
        log.info("search reads every reply, since the database has no index of trigrams: %s", error.orig)


_ON_SERVER = "CREATE INDEX ix_search_replies_text ON search_replies USING gin (text gin_trgm_ops)"
