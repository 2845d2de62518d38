"""Search: the prompts and titles that sessions are found by, folded, in a table of their own."""

import logging
import unicodedata
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError

DOCUMENT = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
PAGE = 1000

log = logging.getLogger(__name__)

SESSIONS = sa.table(
    "sessions",
    sa.column("id", sa.String()),
    sa.column("owner_id", sa.String()),
    sa.column("title", sa.String()),
)
TURNS = sa.table(
    "turns",
    sa.column("id", sa.String()),
    sa.column("session_id", sa.String()),
    sa.column("owner_id", sa.String()),
    sa.column("input", DOCUMENT),
    sa.column("created_at", sa.DateTime(timezone=True)),
)

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    texts = op.create_table(
        "search_texts",
        sa.Column("id", COUNTER, nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("owner_id", sa.String(length=32), nullable=False),
        sa.Column("is_title", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_search_texts_owner_id")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_search_texts_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_texts")),
    )
    op.create_index("ix_search_texts_session_id", "search_texts", ["session_id"])
    for rows in _prompts():
        op.bulk_insert(texts, rows)
    for rows in _titles(texts):
        op.bulk_insert(texts, rows)
    if op.get_bind().dialect.name == "postgresql":
        _make_index()


def downgrade() -> None:
    op.drop_table("search_texts")


def _make_index() -> None:
    """Make an index of groups of three letters, where the server has them and lets this user have them."""
    try:
        with op.get_bind().begin_nested():
            op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            op.execute("CREATE INDEX ix_search_texts_text ON search_texts USING gin (text gin_trgm_ops)")
    except DBAPIError as error:
        log.info("search reads every text, since there is no pg_trgm: %s", error.orig)


def _prompts() -> Iterator[list[dict[str, Any]]]:
    """The prompts of all turns, in their order."""
    ordered = sa.select(TURNS.c.id).order_by(TURNS.c.created_at, TURNS.c.id)
    ids = op.get_bind().execute(ordered).scalars().all()
    for start in range(0, len(ids), PAGE):
        page = ids[start : start + PAGE]
        found = {
            turn.id: turn for turn in op.get_bind().execute(sa.select(TURNS).where(TURNS.c.id.in_(page)))
        }
        turns = [found[turn_id] for turn_id in page]
        yield [_row(turn.session_id, turn.owner_id, turn.input.get("text", "")) for turn in turns]


def _titles(texts: sa.Table) -> Iterator[list[dict[str, Any]]]:
    """The titles that are not the beginning of a prompt: those that the person gave."""
    after = ""
    query = sa.select(SESSIONS).order_by(SESSIONS.c.id).limit(PAGE)
    while page := op.get_bind().execute(query.where(SESSIONS.c.id > after)).all():
        after = page[-1].id
        said: dict[str, list[str]] = {}
        ids = [session.id for session in page]
        of_page = sa.select(texts.c.session_id, texts.c.text).where(texts.c.session_id.in_(ids))
        for session_id, text in op.get_bind().execute(of_page):
            said.setdefault(session_id, []).append(text)
        yield [
            _row(session.id, session.owner_id, session.title, is_title=True)
            for session in page
            if not any(_folded(session.title.rstrip("…")) in text for text in said.get(session.id, []))
        ]


def _row(session_id: str, owner_id: str, text: str, *, is_title: bool = False) -> dict[str, Any]:
    return {"session_id": session_id, "owner_id": owner_id, "is_title": is_title, "text": _folded(text)}


def _folded(text: str) -> str:
    """A text as it was folded when this migration was written."""
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(unicodedata.normalize("NFKC", once.casefold()).split())
