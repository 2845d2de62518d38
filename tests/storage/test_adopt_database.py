"""Tests of adopting a database of before the first release: it keeps its figures."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    Integer,
    MetaData,
    String,
    Table,
    inspect,
    select,
)

from parley.storage import schema
from parley.storage.database import Database
from parley.storage.tables.rows import OptionalJson
from tests.fakes.databases import ON_EVERY_KIND
from tools.adopt_database import ledger_to_calls

pytestmark = ON_EVERY_KIND

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
TRIED = {"status": String, "metrics": OptionalJson, "error": OptionalJson}
OLDER: dict[str, dict[str, Any]] = {
    "matches": {"id": String, "mode": String},
    "turns": {"id": String, "match_id": String},
    "replies": {"id": String, "path": String, "attempt": Integer, **TRIED},
    "reply_attempts": {"reply_id": String, "attempt": Integer, **TRIED},
    "ledger": {
        **dict.fromkeys(
            ("id", "owner_id", "purpose", "turn_id", "reply_id", "model_id", "provider_id"), String
        ),
        **dict.fromkeys(("attempt", "input_tokens", "output_tokens", "cost_micros"), Integer),
        "estimated": Boolean,
        "created_at": DateTime(timezone=True),
    },
}


def a_cost(number: int, **changes: Any) -> dict[str, Any]:
    usual = {
        "id": f"entry-{number}",
        "owner_id": "owner",
        "purpose": "reply",
        "turn_id": "turn",
        "reply_id": "reply",
        "attempt": 2,
        "model_id": "ada",
        "provider_id": "near",
        "input_tokens": 7,
        "output_tokens": 5,
        "cost_micros": 17,
        "estimated": False,
        "created_at": THEN,
    }
    return {**usual, **changes}


def make_older(connection: Connection) -> None:
    """Make the tables of then, as far as they matter, with five calls."""
    older = MetaData()
    tables = {
        name: Table(name, older, *(Column(column, kind) for column, kind in columns.items()))
        for name, columns in OLDER.items()
    }
    older.create_all(connection)
    metrics = {"ttft_ms": 20, "duration_ms": 300, "reasoning_tokens": 2}
    whole = {"path": "", "attempt": 2, "status": "completed", "metrics": metrics, "error": None}
    member = {**whole, "id": "member", "path": "assistant.0.answer", "attempt": 1, "status": "stopped"}
    cut = {"reply_id": "reply", "attempt": 1, "status": "failed", "metrics": None, "error": {"code": "cut"}}
    rows: dict[str, list[dict[str, Any]]] = {
        "matches": [{"id": "match", "mode": "chat"}],
        "turns": [{"id": "turn", "match_id": "match"}],
        "replies": [{**whole, "id": "reply"}, member],
        "reply_attempts": [cut],
        "ledger": [
            a_cost(1),
            a_cost(2, attempt=1, cost_micros=None, estimated=True),
            a_cost(3, reply_id="member", attempt=1),
            a_cost(4, reply_id="gone", provider_id="(cache)", input_tokens=0, output_tokens=0, cost_micros=0),
            a_cost(5, purpose="title", turn_id=None, reply_id=None, attempt=1),
        ],
    }
    for name, values in rows.items():
        connection.execute(tables[name].insert(), values)


async def test_the_ledger_becomes_the_table_of_calls(empty: Database) -> None:
    await empty.administer(make_older)
    assert await empty.administer(ledger_to_calls)
    calls = schema.metadata().tables["calls"]

    def look(connection: Connection) -> list[dict[str, Any]]:
        assert not inspect(connection).has_table("ledger")
        return [dict(row) for row in connection.execute(select(calls).order_by(calls.c.id)).mappings()]

    first, cut, member, cached, title = await empty.administer(look)
    assert first == {
        "id": "entry-1",
        "call_id": "entry-1",
        "started_at": THEN,
        "owner_id": "owner",
        "space_id": "owner",
        "key_id": None,
        "payer": "installation",
        "payer_id": "",
        "purpose": "reply",
        "mode": "chat",
        "turn_id": "turn",
        "reply_id": "reply",
        "attempt": 2,
        "model_id": "ada",
        "provider_id": "near",
        "outcome": "completed",
        "code": None,
        "first_token_ms": 20,
        "duration_ms": 300,
        "input_tokens": 7,
        "output_tokens": 5,
        "reasoning_tokens": 2,
        "cached_tokens": 0,
        "cost_micros": 17,
        "estimated": False,
        "from_cache": False,
    }
    assert (cut["outcome"], cut["code"], cut["cost_micros"], cut["estimated"]) == (
        "failed",
        "cut",
        None,
        True,
    )
    assert (member["mode"], member["outcome"]) == (None, "stopped"), "nobody knows an ensemble's own mode"
    assert (cached["provider_id"], cached["from_cache"], cached["outcome"]) == (None, True, "completed")
    assert (title["purpose"], title["mode"], title["duration_ms"]) == ("title", None, 0)
    assert not await empty.administer(ledger_to_calls), "once"
