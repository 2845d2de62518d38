"""Migrations with data in every table: down step by step, up again, and up from the first revision's dump."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from parley.storage import schema
from parley.storage.database import Database
from parley.storage.tables.declared import UtcDateTime
from tests.fakes.databases import Kind, a_blank_database, with_driver
from tests.fakes.house import RunningParley, a_running_parley

DUMPS = Path(__file__).parent.parent / "fixtures" / "databases"
Rows = dict[str, list[dict[str, Any]]]

GO_WITH_THEIR_TABLE = frozenset(
    (
        *("pair_counts", "latency_counts", "uncounted_counts", "model_use"),
        *("model_stats", "rating_history", "worker_status", "presets"),
    )
)
"""What the way down drops for good: presets, and what the standings' worker makes anew from the votes."""

UNCOUNTED = {"processing_status": "pending"}
"""Without its counts, the worker begins with the first vote again."""

BEGIN_ANEW: dict[str, dict[str, Any]] = {
    "turns": {"ended_at": None},
    "votes": {"categories": [], "prompt_sha256": None, "style": None, "read_ms": None, **UNCOUNTED},
}
"""Columns that the way down drops, and what they hold after the way up."""


@pytest.fixture
async def url(stored_in: Kind, tmp_path: Path) -> AsyncGenerator[str]:
    """The address of a database without tables."""
    if stored_in == "sqlite":
        yield f"sqlite:///{tmp_path / 'kept.db'}"
        return
    async with a_blank_database() as url:
        yield with_driver(url)


async def fill(parley: RunningParley) -> str:
    """Leave something in every table; return the session that was voted in."""
    battle = await parley.post("/api/sessions", {"prompt": "Äpfel 🙂?"}, headers={"Idempotency-Key": "k"})
    await parley.vote(battle["match_id"], "left", reason="So „ist“ es.")
    parent = {"turn_id": battle["turn_id"], "seat": "left"}
    path = f"/api/sessions/{battle['session_id']}/matches"
    await parley.post(path, {"prompt": "Why?", "mode": "chat", "continue_from": parent})
    await parley.chat("Hello")
    for _ in range(500):
        if (await parley.get("/api/leaderboard"))["worker"]["pending"] == 0:
            return battle["session_id"]
        await asyncio.sleep(0.02)
    raise AssertionError("the vote was not counted")


def fill_rest(connection: sa.Connection) -> None:
    """Leave a row in every table that `fill` has left empty."""
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    owner = connection.execute(sa.text("SELECT id FROM users")).scalar()
    for table in schema.metadata().sorted_tables:
        if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0:
            row = {column.name: _some(column, owner, now) for column in table.columns}
            connection.execute(table.insert().values(row))
    connection.commit()


def _some(column: sa.Column[Any], owner: object, now: datetime) -> Any:
    if column.name == "owner_id":
        return owner
    if isinstance(column.type, UtcDateTime):
        return now
    kinds: dict[type, Any] = {str: "some", int: 3, bool: True, float: 0.5}
    return kinds.get(column.type.python_type, {"a": 1})


def rows(connection: sa.Connection) -> Rows:
    """Return every row of every table, in the order of their keys."""
    found = sa.MetaData()
    found.reflect(connection)
    return {
        table.name: [
            dict(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key)).mappings()
        ]
        for table in found.sorted_tables
        if table.name != "alembic_version"
    }


def revisions(connection: sa.Connection) -> list[str]:
    """Return every revision, the newest first."""
    from alembic.script import ScriptDirectory

    return [
        step.revision
        for step in ScriptDirectory.from_config(schema.alembic_config(connection)).walk_revisions()
    ]


def to(revision: str):
    """Return what brings a database up or down to a revision."""

    def move(connection: sa.Connection) -> None:
        from alembic import command

        config = schema.alembic_config(connection)
        known = revisions(connection)
        current = (
            connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
            if sa.inspect(connection).has_table("alembic_version")
            else None
        )
        down = current is not None and (revision == "base" or known.index(revision) > known.index(current))
        (command.downgrade if down else command.upgrade)(config, revision)

    return move


def shared(before: Rows, after: Rows) -> tuple[Rows, Rows]:
    """Return what both have room for."""
    names = [name for name in before if name in after and before[name]]
    columns = {
        name: [key for key in before[name][0] if not after[name] or key in after[name][0]] for name in names
    }
    return tuple(  # pyright: ignore[reportReturnType]
        {name: [{key: row[key] for key in columns[name]} for row in side[name]] for name in names}
        for side in (before, after)
    )


def uncounted(kept: Rows) -> Rows:
    """Return the same with votes that the worker has not counted."""
    return {**kept, "votes": [{**row, **UNCOUNTED} for row in kept["votes"]]}


async def test_data_survive_the_way_down_and_up_again(url: str, tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, database_url=url) as parley:
        session = await fill(parley)
        seen = await parley.get(f"/api/sessions/{session}")
    database = Database(url)
    await database.administer(fill_rest)
    full = await database.administer(rows)
    assert [name for name, kept in full.items() if not kept] == [], "a table has no data in this test"
    steps = await database.administer(revisions)
    assert steps[0] == schema.HEAD
    for revision in steps[1:]:
        await database.administer(to(revision))
        before, after = shared(uncounted(full), uncounted(await database.administer(rows)))
        assert before == after
    for revision in steps[-2::-1]:
        await database.administer(to(revision))
    kept = {
        name: []
        if name in GO_WITH_THEIR_TABLE
        else [{**row, **BEGIN_ANEW.get(name, {})} for row in full[name]]
        for name in full
    }
    assert await database.administer(rows) == kept
    await database.close()
    async with a_running_parley(tmp_path, database_url=url) as parley:
        assert await parley.get(f"/api/sessions/{session}") == seen
        await parley.battle("It goes on")
    database = Database(url)
    await database.administer(to("base"))
    assert await database.administer(rows) == {}
    await database.close()


@pytest.mark.parametrize("dump", sorted(DUMPS.glob("*.json")), ids=lambda dump: dump.stem)
async def test_data_of_an_earlier_revision_survive_the_way_up(url: str, tmp_path: Path, dump: Path) -> None:
    kept = msgspec.json.decode(dump.read_bytes())  # noqa: ASYNC240
    database = Database(url)
    await database.administer(to(dump.stem))
    await database.administer(lambda connection: load(connection, kept))
    old = await database.administer(rows)
    await schema.migrate(database)
    before, after = shared(old, await database.administer(rows))
    assert before == after
    await database.close()
    async with a_running_parley(tmp_path, database_url=url) as parley:
        listed = await parley.get("/api/sessions")
        assert [card["title"] for card in listed["sessions"]] == ["Hello", "Äpfel 🙂?"]
        view = await parley.get(f"/api/sessions/{listed['sessions'][1]['id']}")
        assert [len(match["turns"]) for match in view["matches"]] == [1, 1]
        assert view["matches"][0]["turns"][0]["replies"][0]["text"] == "A scripted answer."
        key = {"Idempotency-Key": "k"}
        again = await parley.post("/api/sessions", {"prompt": "Äpfel 🙂?"}, headers=key)
        assert again["session_id"] == listed["sessions"][1]["id"]
        await parley.vote((await parley.battle("It goes on"))["match_id"])


def load(connection: sa.Connection, kept: Rows) -> None:
    """Insert the rows of a dump."""
    found = sa.MetaData()
    found.reflect(connection)
    for table in reversed(found.sorted_tables):
        if table.name != "alembic_version":
            connection.execute(table.delete())
    for table in found.sorted_tables:
        for row in kept.get(table.name, []):
            given = {key: value for key, value in row.items() if value is not None}
            values = {key: _typed(table.c[key].type, value) for key, value in given.items()}
            connection.execute(table.insert().values(values))
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT setval('votes_seq_seq', (SELECT max(seq) FROM votes))"))
        if "search_texts" in found.tables:
            counted = "SELECT setval('search_texts_id_seq', (SELECT max(id) FROM search_texts))"
            connection.execute(sa.text(counted))


def _typed(kind: sa.types.TypeEngine[Any], value: Any) -> Any:
    if isinstance(kind, sa.DateTime):
        moment = datetime.fromisoformat(value)
        return moment if getattr(kind, "timezone", False) else moment.astimezone(UTC).replace(tzinfo=None)
    return bytes.fromhex(value) if isinstance(kind, sa.LargeBinary) else value


async def write_dumps(folder: Path) -> None:
    """Write a dump of every revision that has none: `python -m tests.api.test_migrations`."""
    url = f"sqlite:///{folder / 'kept.db'}"
    async with a_running_parley(folder, database_url=url) as parley:
        await fill(parley)
    database = Database(url)
    await database.administer(fill_rest)
    DUMPS.mkdir(parents=True, exist_ok=True)
    for revision in await database.administer(revisions):
        await database.administer(to(revision))
        kept = await database.administer(rows)
        raw = msgspec.json.encode({name: [_plain(row) for row in side] for name, side in kept.items()})
        path = DUMPS / f"{revision}.json"
        if not path.exists():
            path.write_bytes(msgspec.json.format(raw) + b"\n")
    await database.close()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    def told(value: Any) -> Any:
        if isinstance(value, datetime):
            return value.replace(tzinfo=UTC).isoformat()
        return value.hex() if isinstance(value, bytes) else value

    return {key: told(value) for key, value in row.items()}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(write_dumps(Path(temporary)))
