"""Votes take half the space on SQLite, and those of a voter are found by blocks, so imports do not slow down.

SQLite stores ids as their bytes and statuses as numbers; PostgreSQL keeps them as text. On both the seats of votes from
files follow from their two models, and indexes by model leave these votes out.
"""

import zlib
from typing import Any

import sqlalchemy as sa
from alembic import op

COUNTER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BLOCKS = "seq >> 18"
STATUSES = {"staged": 2, "pending": 4, "processed": 8}
HERE = "match_id IS NOT NULL"

INDEXES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "uq_votes_match_id_voter_id": (("match_id", "voter_id"), f"kind = 'blind' AND {HERE}"),
    "uq_votes_match_id_voter_id_turn_id": (
        ("match_id", "voter_id", "turn_id"),
        f"kind = 'open' AND {HERE} AND (excluded_reason IS NULL OR excluded_reason <> 'replaced')",
    ),
    "ix_votes_match_id": (("match_id",), HERE),
    "ix_votes_prompt_sha256_counted": (("prompt_sha256", "counted"), "prompt_sha256 IS NOT NULL"),
}
"""The indexes that stay as they are: SQLite makes them again with the table."""

BEFORE: dict[str, tuple[tuple[str, ...], str | None]] = {
    "ix_votes_voter_id_seq": (("voter_id", "seq"), None),
    "ix_votes_left_model_id_seq": (("left_model_id", "seq"), None),
    "ix_votes_right_model_id_seq": (("right_model_id", "seq"), None),
}
NOW: dict[str, tuple[tuple[str, ...], str | None]] = {
    "ix_votes_block_voter_id": (("block", "voter_id"), None),
    "ix_votes_left_model_id_seq": (("left_model_id", "seq"), HERE),
    "ix_votes_right_model_id_seq": (("right_model_id", "seq"), HERE),
}

FROM_FILES = (
    "origin = 'import' AND match_id IS NULL AND left_model_id IS NOT NULL AND right_model_id IS NOT NULL"
)
NARROWED = f"""
    UPDATE votes SET id = narrow_id(id), voter_id = narrow_id(voter_id), result = narrow_result(result),
    seats = CASE WHEN {FROM_FILES} AND seats = json_object('left', left_model_id, 'right', right_model_id)
    THEN NULL ELSE seats END
"""  # noqa: S608 - our own words
WIDENED = """
    UPDATE votes SET id = wide_id(id), voter_id = wide_id(voter_id), result = wide_result(result),
    seats = coalesce(seats, json_object('left', left_model_id, 'right', right_model_id))
"""
NARROWED_ON_SERVER = f"""
    UPDATE votes SET seats = NULL WHERE {FROM_FILES}
    AND seats = jsonb_build_object('left', left_model_id, 'right', right_model_id)
"""  # noqa: S608 - our own words
WIDENED_ON_SERVER = """
    UPDATE votes SET seats = jsonb_build_object('left', left_model_id, 'right', right_model_id) WHERE seats IS NULL
"""
IMPORTS = sa.table("audit_imports", sa.column("seq", COUNTER), sa.column("contents", sa.LargeBinary()))
BY_COLUMN = b"\x02"
ANSWER = '{"question_id":"'

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if not _is_sqlite():
        op.alter_column("votes", "seats", nullable=True)
        op.execute(NARROWED_ON_SERVER)
        _drop(*BEFORE)
    else:
        _drop(*INDEXES, *BEFORE, "ix_votes_pending_seq", "ix_votes_staged_seq", "ix_votes_unrated_seq")
        # The table is copied with a cast, which makes numbers of digits and nothing of words.
        _replace_statuses({word: str(number) for word, number in STATUSES.items()})
        with op.batch_alter_table("votes") as table:
            for name in ("id", "voter_id"):
                table.alter_column(name, existing_type=sa.String(length=32), type_=sa.LargeBinary(length=16))
            table.alter_column(
                "processing_status", existing_type=sa.String(length=64), type_=sa.SmallInteger()
            )
            table.alter_column("seats", existing_type=sa.JSON(), nullable=True)
        _with_functions()
        op.execute(NARROWED)
        _index_all(INDEXES)
        _index_some({name: str(number) for name, number in STATUSES.items()})
    # SQLite computes it when it is read.
    computed = sa.Computed(BLOCKS, persisted=not _is_sqlite())
    op.add_column("votes", sa.Column("block", COUNTER, computed))
    _index_all(NOW)


def downgrade() -> None:
    _repack_lines()
    _drop(*NOW)
    op.drop_column("votes", "block")
    if not _is_sqlite():
        op.execute(WIDENED_ON_SERVER)
        op.alter_column("votes", "seats", nullable=False)
    else:
        _drop(*INDEXES, "ix_votes_pending_seq", "ix_votes_staged_seq", "ix_votes_unrated_seq")
        _with_functions()
        op.execute(WIDENED)
        with op.batch_alter_table("votes") as table:
            for name in ("id", "voter_id"):
                table.alter_column(name, existing_type=sa.LargeBinary(length=16), type_=sa.String(length=32))
            table.alter_column(
                "processing_status", existing_type=sa.SmallInteger(), type_=sa.String(length=64)
            )
            table.alter_column("seats", existing_type=sa.JSON(), nullable=False)
        _replace_statuses({str(number): word for word, number in STATUSES.items()})
        _index_all(INDEXES)
        _index_some({name: f"'{name}'" for name in STATUSES})
    _index_all(BEFORE)


def _repack_lines() -> None:
    """Pack what entries of imports say as earlier versions did: as lines."""
    # Every later version still reads what this one packed.
    from parley.storage.packed_votes import unpack_contents

    database = op.get_bind()
    for seq in database.execute(sa.select(IMPORTS.c.seq)).scalars().all():
        this = IMPORTS.c.seq == seq
        packed: bytes = database.execute(sa.select(IMPORTS.c.contents).where(this)).scalar_one()
        if packed[:1] != BY_COLUMN:
            continue
        lines = zlib.compress("\n".join(unpack_contents(packed)).encode(), 3)
        database.execute(sa.update(IMPORTS).where(this).values(contents=lines))


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _drop(*names: str) -> None:
    for name in names:
        op.drop_index(name, table_name="votes")


def _index_all(indexes: dict[str, tuple[tuple[str, ...], str | None]]) -> None:
    for name, (columns, where) in indexes.items():
        only = None if where is None else sa.text(where)
        unique = name.startswith("uq_")
        op.create_index(name, "votes", list(columns), unique=unique, sqlite_where=only, postgresql_where=only)


def _index_some(statuses: dict[str, str]) -> None:
    """Make SQLite's indexes of few votes, with statuses as literals."""
    for name in ("pending", "staged"):
        where = sa.text(f"processing_status = {statuses[name]}")
        op.create_index(f"ix_votes_{name}_seq", "votes", ["seq"], sqlite_where=where)
    op.create_index("ix_votes_unrated_seq", "votes", ["seq"], sqlite_where=sa.text("rated = 0"))


def _replace_statuses(words: dict[str, str]) -> None:
    for before, after in words.items():
        op.execute(
            sa.text(
                "UPDATE votes SET processing_status = :after WHERE processing_status = :before"
            ).bindparams(before=before, after=after)
        )


def _with_functions() -> None:
    driver: Any = op.get_bind().connection.driver_connection
    for convert in (narrow_id, wide_id, narrow_result, wide_result):
        driver.create_function(convert.__name__, 1, convert, deterministic=True)


def narrow_id(value: Any) -> Any:
    """Return the bytes of an id; anything else as it is."""
    text = value.decode() if isinstance(value, bytes) else str(value)
    data = _bytes(text)
    return text if data is None else data


def wide_id(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def narrow_result(value: Any) -> Any:
    if not isinstance(value, str) or not value.startswith(ANSWER):
        return value
    data = _bytes(value.removeprefix(ANSWER).removesuffix('"}'))
    return value if data is None else data


def wide_result(value: Any) -> Any:
    return f'{ANSWER}{value.hex()}"}}' if isinstance(value, bytes) else value


def _bytes(text: str) -> bytes | None:
    try:
        data = bytes.fromhex(text)
    except ValueError:
        return None
    return data if len(data) == 16 and data.hex() == text else None
