"""Migrations with data in every table: down step by step, up again, and up from the first revision's dump."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from parley.engine.clock import WallClock
from parley.storage import schema
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from parley.storage.tables.declared import UtcDateTime
from parley.storage.tables.narrow import STATUSES
from parley.storage.tables.styles import unpacked_style
from parley.storage.tables.votes import seats_of
from tests.fakes import open_panel
from tests.fakes.running import RunningParley, a_running_parley

DUMPS = Path(__file__).parent.parent / "fixtures" / "databases"
Rows = dict[str, list[dict[str, Any]]]

GO_WITH_THEIR_TABLE = frozenset(
    (
        *("pair_counts", "latency_counts", "uncounted_counts", "model_use", "voter_flags"),
        *("model_stats", "rating_history", "worker_status", "presets", "reply_attempts"),
        *("providers", "kept_models", "search_replies", "session_tags", "templates"),
        *("attachments", "turn_attachments", "audit_imports", "public_priors"),
    )
)
"""What the way down drops for good, and what the standings' worker makes anew."""

CHAIN = frozenset(("audit_log", "audit_head"))
"""What no way down leaves as it is: entries that an older revision cannot read are made anew as it reads them."""

UNCOUNTED = {"processing_status": "pending"}
"""Without its counts, the worker begins with the first vote again."""

BEGIN_ANEW: dict[str, dict[str, Any]] = {
    "seats": {"settings": None},
    "turns": {"ended_at": None, "searchable": False},
    "votes": {
        "turn_id": None,
        "categories": [],
        "prompt_sha256": None,
        "style": None,
        "read_ms": None,
        **UNCOUNTED,
    },
}
"""Columns that the way down drops, and what they hold after the way up."""


async def fill(parley: RunningParley) -> str:
    """Leave something in every table; return the session that was voted in."""
    battle = await parley.post("/api/sessions", {"prompt": "Äpfel 🙂?"}, headers={"Idempotency-Key": "k"})
    await parley.vote(battle["match_id"], "left", reason="So „ist“ es.")
    parent = {"turn_id": battle["turn_id"], "seat": "left"}
    path = f"/api/sessions/{battle['session_id']}/matches"
    await parley.post(path, {"prompt": "Why?", "mode": "chat", "continue_from": parent})
    octets = {"Content-Type": "application/octet-stream"}
    file = await parley.post("/api/attachments", content=b"Some text", headers=octets)
    await parley.chat("Sum up", attachments=[{"sha256": file["sha256"]}])
    chat = await parley.chat("Hello", seat_settings={"assistant": {"temperature": 0.5}})
    await parley.post(f"/api/turns/{chat['turn_id']}/retry", {"seat": "assistant"})
    for _ in range(500):
        if (await parley.get("/api/leaderboard"))["worker"]["pending"] == 0:
            return battle["session_id"]
        await asyncio.sleep(0.02)
    raise AssertionError("the vote was not counted")


def fill_rest(connection: sa.Connection) -> None:
    """Leave a row in every table that `fill` has left empty."""
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    owner = connection.execute(sa.text("SELECT id FROM users")).scalar()
    session = connection.execute(sa.text("SELECT id FROM sessions")).scalar()
    for table in schema.metadata().sorted_tables:
        if connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0:
            row = {column.name: _some(column, owner, session, now) for column in table.columns}
            connection.execute(table.insert().values(row))
    connection.commit()


def _some(column: sa.Column[Any], owner: object, session: object, now: datetime) -> Any:
    if column.name in ("owner_id", "session_id"):
        return owner if column.name == "owner_id" else session
    if isinstance(column.type, UtcDateTime):
        return now
    kinds: dict[type, Any] = {str: "some", int: 3, bool: True, float: 0.5, bytes: b"some"}
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
        if _is_ours(table)
    }


def _is_ours(table: sa.Table) -> bool:
    """Return whether a table holds data: SQLite keeps its search index in tables as well."""
    return table.name != "alembic_version" and not table.name.startswith("search_index")


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


def as_words(kept: Rows) -> Rows:
    """Return the same with ballots, styles and votes as every revision knows them, whatever a database narrows."""

    def words(ballot: Any) -> list[str]:
        return (ballot or {"choices": []})["choices"] if not isinstance(ballot, list) else ballot

    return {
        **kept,
        "matches": [{**row, "ballot": words(row["ballot"])} for row in kept["matches"]],
        "votes": [_widened(row) for row in kept["votes"]],
    }


def _widened(vote: dict[str, Any]) -> dict[str, Any]:
    statuses = {number: word for word, number in STATUSES.items()}
    ids = {name: it.hex() for name in ("id", "voter_id") if isinstance(it := vote[name], bytes)}
    seats = seats_of(vote["seats"], vote["left_model_id"], vote["right_model_id"])
    status = statuses.get(vote["processing_status"], vote["processing_status"])
    style = {"style": unpacked_style(vote["style"])} if "style" in vote else {}
    return {**vote, **ids, **style, "seats": seats, "processing_status": status}


def without_chain(kept: Rows) -> Rows:
    """Return the same without the audit log, and without whether the worker has tables to make anew."""
    return {
        name: [{**row, "status": None} for row in side] if name == "worker_status" else side
        for name, side in kept.items()
        if name not in CHAIN
    }


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
        now = await database.administer(rows)
        before, after = shared(as_words(uncounted(full)), as_words(uncounted(now)))
        assert without_chain(before) == without_chain(after)
    for revision in steps[-2::-1]:
        await database.administer(to(revision))
    kept = {
        name: []
        if name in GO_WITH_THEIR_TABLE
        else [{**row, **BEGIN_ANEW.get(name, {})} for row in full[name]]
        for name in full
    }
    now = as_words(await database.administer(rows))
    assert without_chain(now) == without_chain(as_words(kept))
    report = await check_audit(database)
    assert (report.ok, report.votes) == (True, len(full["votes"])), report.broken
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
    kept = asked_just_now(msgspec.json.decode(dump.read_bytes()))  # noqa: ASYNC240
    database = Database(url)
    await database.administer(to(dump.stem))
    await database.administer(lambda connection: load(connection, kept))
    old = await database.administer(rows)
    await schema.migrate(database)
    now = await database.administer(rows)
    before, after = shared(as_words(old), as_words(now))
    assert without_chain(before) == without_chain(after)
    entries = old.get("audit_log", [])
    assert now["audit_log"][: len(entries)] == entries, "the upgrade only adds to the audit log"
    assert (await check_audit(database)).ok
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


async def test_what_an_upgrade_added_to_the_audit_log_goes_with_its_way_down(url: str) -> None:
    kept = msgspec.json.decode((DUMPS / "0006.json").read_bytes())
    database = Database(url)
    await database.administer(to("0006"))
    await database.administer(lambda connection: load(connection, kept))
    old = await database.administer(rows)
    for _ in range(2):
        await schema.migrate(database)
        assert len((await database.administer(rows))["audit_log"]) > len(old["audit_log"]) > 0
        await database.administer(to("0006"))
        found = await database.administer(rows)
        assert without_chain(found) == without_chain(old)
        assert {name: found[name] for name in CHAIN} == {name: old[name] for name in CHAIN}
    await database.close()


async def test_replies_get_their_place_and_what_was_seen_of_a_blind_turn_goes_up_and_down(url: str) -> None:
    kept = msgspec.json.decode((DUMPS / "0007.json").read_bytes())
    battle = next(match for match in kept["matches"] if match["blind"])
    turn = next(turn for turn in kept["turns"] if turn["match_id"] == battle["id"])
    stopped = [{**row, "released": 17, "status": "stopped"} if row is turn else row for row in kept["turns"]]
    # Replies are stored in any order; their seats say which comes first.
    shuffled = {**kept, "turns": stopped, "replies": kept["replies"][::-1]}
    database = Database(url)
    await database.administer(to("0007"))
    await database.administer(lambda connection: load(connection, shuffled))

    async def replies() -> list[tuple[str, int, int | None]]:
        mine = [row for row in (await database.administer(rows))["replies"] if row["turn_id"] == turn["id"]]
        return sorted((row["seat"], row["order"], row["released"]) for row in mine)

    async def released() -> list[int | None]:
        await database.administer(to("0007"))
        return [
            row["released"] for row in (await database.administer(rows))["turns"] if row["id"] == turn["id"]
        ]

    await schema.migrate(database)
    assert await replies() == [("left", 0, 17), ("right", 1, 17)]
    assert await released() == [17]
    await schema.migrate(database)
    assert await replies() == [("left", 0, 17), ("right", 1, 17)]

    def forget(connection: sa.Connection) -> None:
        connection.execute(sa.text("UPDATE replies SET released = NULL WHERE seat = 'right'"))

    await database.administer(forget)
    assert await released() == [0], "one number for the turn may not show more of any reply"
    await database.close()


async def test_a_call_for_categories_belongs_to_no_turn_after_the_way_up_down_and_up(url: str) -> None:
    database = Database(url)
    await database.administer(to("0007"))
    call = {
        **dict.fromkeys(("owner_id", "model_id", "provider_id"), "some"),
        **dict.fromkeys(("attempt", "input_tokens", "output_tokens", "cost_micros"), 1),
        "estimated": False,
        "created_at": "2026-03-01T12:00:00+00:00",
    }
    ledger = [
        {**call, "id": "1", "turn_id": "turn", "reply_id": "reply"},
        {**call, "id": "2", "turn_id": "vote", "reply_id": "vote"},
    ]
    await database.administer(lambda connection: load(connection, {"ledger": ledger}))

    async def entries() -> list[tuple[str, ...]]:
        kept = (await database.administer(rows))["ledger"]
        return [(row["id"], row.get("purpose", ""), row["turn_id"], row["reply_id"]) for row in kept]

    for _ in range(2):
        await database.administer(to("0010"))
        assert await entries() == [("1", "reply", "turn", "reply"), ("2", "categories", None, None)]
        await database.administer(to("0007"))
        assert await entries() == [("1", "", "turn", "reply"), ("2", "", "2", "2")]
    await database.close()


@pytest.mark.parametrize(("column", "value"), [("rated", "false"), ("turn_id", "'x'")])
async def test_what_an_entry_of_before_says_without_words_is_held_against_its_vote(
    url: str, column: str, value: str
) -> None:
    kept = msgspec.json.decode((DUMPS / "0007.json").read_bytes())
    database = Database(url)
    await database.administer(to("0007"))
    await database.administer(lambda connection: load(connection, kept))
    await schema.migrate(database)
    assert (await check_audit(database)).ok

    def change(connection: sa.Connection) -> None:
        connection.execute(sa.text(f"UPDATE votes SET {column} = {value} WHERE kind = 'blind'"))
        connection.commit()

    await database.administer(change)
    broken = (await check_audit(database)).broken
    assert broken is not None
    assert f"its {column} is" in broken.text
    await database.close()


async def test_of_several_preferences_on_a_match_the_last_survives_the_way_down(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_panel.install(monkeypatch)
    async with a_running_parley(tmp_path, database_url=url) as parley:
        await parley.vote((await parley.battle())["match_id"])
        seats = {"a": "ada", "b": "bob", "c": "cleo"}
        begun = await parley.post("/api/sessions", {"prompt": "Why?", "mode": "panel", "seats": seats})
        for choice in ("a", "c"):
            await parley.post(f"/api/matches/{begun['match_id']}/vote", {"vote": choice})
    database = Database(url)
    full = await database.administer(rows)
    ballots = {row["id"]: row["ballot"] for row in full["matches"]}
    assert {ballot["rated"] for ballot in ballots.values()} == {True, False}
    await database.administer(to("0007"))
    old = await database.administer(rows)
    assert [(row["kind"], row["choice"]) for row in old["votes"]] == [("blind", "left"), ("open", "c")]
    assert {row["ballot"][0] for row in old["matches"]} == {"left", "none"}
    assert {seat["elo_after"] for seat in old["votes"][1]["result"]["seats"].values()} == {1500.0}
    await schema.migrate(database)
    now = await database.administer(rows)
    assert [(row["rated"], row["turn_id"]) for row in now["votes"]] == [(True, None), (False, None)]
    battle = next(row for row in now["matches"] if row["mode"] == "battle")
    assert battle["ballot"] == ballots[battle["id"]]
    assert (await check_audit(database)).ok
    await database.close()


async def test_inputs_that_an_older_parley_does_not_know_become_those_it_knows(url: str) -> None:
    kept = msgspec.json.decode((DUMPS / "0006.json").read_bytes())
    newer = [
        ({"type": "steer", "text": "Be brief."}, {"type": "prompt", "text": "Be brief."}),
        ({"type": "ask", "seat": "a", "text": "Why?"}, {"type": "prompt", "text": "Why?"}),
        ({"type": "skip", "seat": None}, {"type": "continue"}),
        ({"type": "synthesise"}, {"type": "continue"}),
        ({"type": "prompt", "text": "Äpfel 🙂?"}, {"type": "prompt", "text": "Äpfel 🙂?"}),
    ]
    first = kept["turns"][0]
    kept["turns"] += [
        {**first, "id": f"t{place}", "index": 10 + place, "input": given}
        for place, (given, _) in enumerate(newer)
    ]
    database = Database(url)
    await database.administer(to("0006"))
    await database.administer(lambda connection: load(connection, kept))
    await schema.migrate(database)
    known = await database.administer(revisions)
    await database.administer(to(known[known.index("0009") + 1]))
    turns = {row["id"]: row["input"] for row in (await database.administer(rows))["turns"]}
    assert [turns[f"t{place}"] for place in range(len(newer))] == [older for _, older in newer]
    await database.close()


def asked_just_now(kept: Rows) -> Rows:
    """Return a dump whose idempotency keys are new: they are remembered for a day."""
    now = datetime.fromtimestamp(WallClock().now(), UTC).isoformat()
    return {**kept, "receipts": [{**row, "created_at": now} for row in kept["receipts"]]}


def load(connection: sa.Connection, kept: Rows) -> None:
    """Insert the rows of a dump."""
    found = sa.MetaData()
    found.reflect(connection)
    for table in reversed(found.sorted_tables):
        if _is_ours(table):
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
    def plain(value: Any) -> Any:
        if isinstance(value, datetime):
            return value.replace(tzinfo=UTC).isoformat()
        return value.hex() if isinstance(value, bytes) else value

    return {key: plain(value) for key, value in row.items()}


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        asyncio.run(write_dumps(Path(temporary)))


async def test_what_seats_carry_on_goes_down_with_their_match_and_up_again(url: str) -> None:
    kept = msgspec.json.decode((DUMPS / "0006.json").read_bytes())
    (onward,) = [match for match in kept["matches"] if match["parent_turn_id"]]
    database = Database(url)
    await database.administer(to("0006"))
    await database.administer(lambda connection: load(connection, kept))
    await schema.migrate(database)
    up = await database.administer(rows)
    lineage = {seat["match_id"]: (seat["parent_turn_id"], seat["parent_seat"]) for seat in up["seats"]}
    assert lineage.pop(onward["id"]) == (onward["parent_turn_id"], onward["parent_seat"])
    assert set(lineage.values()) == {(None, None)}
    await database.administer(to("0007"))
    down = {match["id"]: match for match in (await database.administer(rows))["matches"]}
    for match in kept["matches"]:
        assert down[match["id"]]["parent_turn_id"] == match["parent_turn_id"]
        assert down[match["id"]]["parent_seat"] == match["parent_seat"]
    await database.close()
