"""The tables as they are declared, the indexes for search, and the beginning of the audit log.

Until the first release this is the only revision, and it follows the declared tables. A release fixes it as it is then.
"""

import logging

from alembic import context, op
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from parley.storage.tables.audit import AuditHeadRow
from parley.storage.tables.rows import METADATA

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

START = "0" * 64

ON_SQLITE = (
    """
    CREATE VIRTUAL TABLE search_index USING fts5(
        text, content='search_replies', content_rowid='id', columnsize=0, tokenize='trigram'
    )
    """,
    "CREATE VIRTUAL TABLE search_index_terms USING fts5vocab('search_index', 'row')",
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
ON_SERVER = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX ix_search_texts_text ON search_texts USING gin (text gin_trgm_ops)",
    "CREATE INDEX ix_search_replies_text ON search_replies USING gin (text gin_trgm_ops)",
)

log = logging.getLogger(__name__)


def upgrade() -> None:
    connection = op.get_bind()
    METADATA.create_all(connection, tables=context.config.attributes["tables"], checkfirst=False)
    connection.execute(AuditHeadRow.table.insert().values(id=1, seq=0, sha256=START))
    _make_search_index(connection)


def _make_search_index(connection: Connection) -> None:
    """Index groups of three letters, unless SQLite is too old for it or a server's user may not."""
    try:
        with connection.begin_nested():
            for statement in ON_SQLITE if connection.dialect.name == "sqlite" else ON_SERVER:
                connection.exec_driver_sql(statement)
    except DBAPIError as error:
        log.info("search reads every text, since the database has no index of trigrams: %s", error.orig)
