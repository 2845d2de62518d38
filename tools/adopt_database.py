"""Lets this version open a database of before the first release, and keeps what is in it.

    python tools/adopt_database.py sqlite:////path/to/data/parley.db
    python tools/adopt_database.py postgresql://user@host/name

Stop Parley first. The tables may be those of the last of the 25 revisions of then, or of any later day. Columns and
tables that are missing are added, the ledger becomes the table of calls, and templates become prompts. Votes that were
imported stay votes: they count as before, and cannot be removed as an import can.
"""

import asyncio
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    MetaData,
    Select,
    Subquery,
    Table,
    and_,
    case,
    func,
    insert,
    inspect,
    literal,
    null,
    select,
    text,
    union_all,
)

from parley.application import built_in_tables
from parley.features.lab.prompts.body import PromptBody, PromptMessage
from parley.features.lab.prompts.service import version_row
from parley.features.lab.tables import PromptRow, PromptVersionRow
from parley.storage import schema
from parley.storage.database import Database

LAST = "0025"
"""The last revision of before the first release."""

ADDED = {
    ("replies", "parts"): None,
    ("reply_attempts", "parts"): None,
    ("sessions", "space_id"): "owner_id",
    ("presets", "space_id"): "owner_id",
    ("turns", "author_id"): "owner_id",
    ("turns", "replica_id"): None,
    ("attachments", "encoding"): None,
    ("kept_models", "sources"): "'{}'",
    ("calls", "payer"): "'installation'",
    ("calls", "payer_id"): "''",
    ("assets", "made"): None,
    ("assets", "source_id"): None,
    ("auto_policies", "local_only"): "'0'",
    ("allowance_grants", "reported"): "'0'",
    ("auto_policies", "presets"): "'{}'",
    ("sessions", "sealed"): "'0'",
}
"""Columns that were added to the tables before the release, with the column that each takes its values from, or a
value in quotes. Without one it is null.
"""


async def adopt(address: str) -> str:
    """Bring the database to this version; return what was done. Raises Unavailable."""
    database = Database(address.replace("postgresql://", "postgresql+asyncpg://"))
    try:
        revision = None if database.is_missing() else await schema.current_revision(database)
        if revision not in (LAST, schema.HEAD):
            return f"Nothing was changed: the database is at revision {revision}, not {LAST}."
        is_changed = await database.administer(_change)
    finally:
        await database.close()
    if not is_changed:
        return f"Nothing was changed: the database is at revision {schema.HEAD} already."
    return f"The database is at revision {schema.HEAD} now. Start Parley."


def _change(connection: Connection) -> bool:
    """Change what is of an older day; return whether anything was."""
    is_stamped = connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema.HEAD
    if not is_stamped:
        connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": schema.HEAD})
    return any(
        [
            not is_stamped,
            add_columns(connection),
            ledger_to_calls(connection),
            create_missing(connection),
            create_missing_indexes(connection),
            drop_packed_imports(connection),
            templates_to_prompts(connection),
        ]
    )


def add_columns(connection: Connection) -> bool:
    """Add the missing columns; return whether there were any."""
    tables, inspected = schema.metadata().tables, inspect(connection)
    missing = [
        (tables[table].c[column], source)
        for (table, column), source in ADDED.items()
        if inspected.has_table(table)
        and column not in {known["name"] for known in inspected.get_columns(table)}
    ]
    for column, source in missing:
        kind = column.type.compile(connection.dialect) + _default(source)
        connection.execute(text(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind}"))
        if source:
            connection.execute(text(f"UPDATE {column.table.name} SET {column.name} = {source}"))  # noqa: S608 - ours
    return bool(missing)


def _default(source: str | None) -> str:
    """Return what a new column has in rows that are there already, until it takes its values from the source."""
    if source is None:
        return ""
    return f" NOT NULL DEFAULT {source}" if source.startswith("'") else " NOT NULL DEFAULT ''"


def create_missing(connection: Connection) -> bool:
    """Create the missing tables; return whether there were any."""
    known = set(inspect(connection).get_table_names())
    missing = [table for table in schema.all_tables(built_in_tables()) if table.name not in known]
    schema.metadata().create_all(connection, tables=missing)
    return bool(missing)


def create_missing_indexes(connection: Connection) -> bool:
    """Create the missing indexes; return whether there were any."""
    known = inspect(connection)
    missing = [
        index
        for table in schema.all_tables(built_in_tables())
        for index in table.indexes
        if index.name not in {each["name"] for each in known.get_indexes(table.name)}
    ]
    for index in missing:
        index.create(connection, checkfirst=True)
    return bool(missing)


def ledger_to_calls(connection: Connection) -> bool:
    """Copy the ledger's rows into the table of calls and drop it; return whether there was one."""
    if not inspect(connection).has_table("ledger"):
        return False
    older = MetaData()
    older.reflect(connection, only=["ledger", "replies", "reply_attempts", "turns", "matches"])
    calls = schema.metadata().tables["calls"]
    calls.create(connection, checkfirst=True)
    rows = _as_calls(older.tables)
    connection.execute(insert(calls).from_select(rows.selected_columns.keys(), rows))
    older.tables["ledger"].drop(connection)
    return True


def templates_to_prompts(connection: Connection) -> bool:
    """Make each template the first version of a prompt; return whether there was the table of templates."""
    if not inspect(connection).has_table("templates"):
        return False
    older = MetaData()
    older.reflect(connection, only=["templates"], resolve_fks=False)
    templates = older.tables["templates"]
    for row in connection.execute(select(templates)).mappings():
        body = PromptBody(messages=(PromptMessage("user", row["text"]),)).with_all_variables()
        prompt = PromptRow(
            id=row["id"],
            owner_id=row["owner_id"],
            space_id=row.get("space_id") or row["owner_id"],
            name=row["name"],
            newest=1,
            model_id=None,
            checks=[],
            created_at=_in_utc(row["created_at"]),
            updated_at=_in_utc(row["updated_at"]),
        )
        version = version_row(prompt, body, prompt.owner_id, "", None)
        for kind, values in ((PromptRow, prompt), (PromptVersionRow, version)):
            connection.execute(insert(kind.table).values(msgspec.structs.asdict(values)))
    templates.drop(connection)
    return True


def _in_utc(time: datetime) -> datetime:
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def drop_packed_imports(connection: Connection) -> bool:
    """Drop the packed entries of imported votes, which stay votes; return whether there were any."""
    if not inspect(connection).has_table("audit_imports"):
        return False
    connection.execute(text("DROP TABLE audit_imports"))
    return True


def _as_calls(older: Mapping[str, Table]) -> Select[*tuple[Any, ...]]:
    """Return a SELECT of the ledger's rows as those of calls; times and ends are those of their replies."""
    ledger, matches, turns = (older[name].c for name in ("ledger", "matches", "turns"))
    tried = _attempts(older["replies"], older["reply_attempts"])
    is_cached = ledger.provider_id == "(cache)"
    columns: dict[str, ColumnElement[Any]] = {
        "id": ledger.id,
        "call_id": ledger.id,
        "started_at": ledger.created_at,
        "owner_id": ledger.owner_id,
        "space_id": ledger.owner_id,
        "key_id": null(),
        "purpose": ledger.purpose,
        "mode": case((tried.c.path == "", matches.mode), else_=null()),
        "turn_id": ledger.turn_id,
        "reply_id": ledger.reply_id,
        "attempt": ledger.attempt,
        "model_id": ledger.model_id,
        "provider_id": case((is_cached, null()), else_=ledger.provider_id),
        "outcome": case(
            (func.coalesce(tried.c.status, "completed") == "completed", "completed"),
            (tried.c.status.in_(("waiting", "streaming", "stopped")), "stopped"),
            else_="failed",
        ),
        "code": tried.c.code,
        "first_token_ms": tried.c.first_token_ms,
        "duration_ms": func.coalesce(tried.c.duration_ms, 0),
        "input_tokens": ledger.input_tokens,
        "output_tokens": ledger.output_tokens,
        "reasoning_tokens": case((is_cached, 0), else_=func.coalesce(tried.c.reasoning_tokens, 0)),
        "cached_tokens": literal(0),
        "cost_micros": ledger.cost_micros,
        "estimated": ledger.estimated,
        "from_cache": is_cached,
    }
    joined = (
        older["ledger"]
        .outerjoin(tried, and_(tried.c.id == ledger.reply_id, tried.c.attempt == ledger.attempt))
        .outerjoin(older["turns"], turns.id == ledger.turn_id)
        .outerjoin(older["matches"], matches.id == turns.match_id)
    )
    return select(*(column.label(name) for name, column in columns.items())).select_from(joined)


def _attempts(replies: Table, earlier: Table) -> Subquery:
    """Return every attempt of every reply: the latest are in the one table, earlier ones in the other."""

    def of(table: Table, reply_id: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
        columns = table.c
        return select(
            reply_id.label("id"),
            replies.c.path,
            columns.attempt,
            columns.status,
            columns.error["code"].as_string().label("code"),
            columns.metrics["ttft_ms"].as_integer().label("first_token_ms"),
            columns.metrics["duration_ms"].as_integer().label("duration_ms"),
            columns.metrics["reasoning_tokens"].as_integer().label("reasoning_tokens"),
        )

    before = of(earlier, earlier.c.reply_id).join(replies, replies.c.id == earlier.c.reply_id)
    return union_all(of(replies, replies.c.id), before).subquery("tried")


if __name__ == "__main__":
    print(asyncio.run(adopt(sys.argv[1])) if len(sys.argv) == 2 else __doc__)
