"""Tests of retention: what is older than its kind is to be stored goes, after a preview, and nothing else."""

from sqlalchemy import text

from parley.application import built_in_tables
from parley.features.retention.kept import KEPT, RULED
from parley.features.retention.service import Retention
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from parley.storage.tables.rows import METADATA
from tests.fakes.running import RunningParley


async def a_session(parley: RunningParley, *, old: bool, **change: object) -> str:
    """Return the id of a session with a question; an old one was last changed years ago."""
    session_id = (await parley.chat())["session_id"]
    if change:
        answer = await parley.client.patch(f"/api/sessions/{session_id}", json=change)
        assert answer.status_code == 200
    if old:
        query = text("UPDATE sessions SET updated_at = '2020-01-01 00:00:00.000000' WHERE id = :id")
        await parley.application[Database].write(lambda db: db.execute(query, {"id": session_id}))
    return session_id


async def ids_of(parley: RunningParley) -> set[str]:
    return {each["id"] for each in (await parley.get("/api/sessions"))["sessions"]}


async def set_rule(parley: RunningParley, kind: str, days: int | None) -> None:
    answer = await parley.client.put(f"/api/retention/{kind}", json={"days": days})
    assert answer.status_code == 200


async def test_only_what_is_older_goes_and_the_preview_counts_it(parley: RunningParley) -> None:
    old, new = await a_session(parley, old=True), await a_session(parley, old=False)
    pinned = await a_session(parley, old=True, pinned=True)
    preview = await parley.get("/api/retention/sessions/preview?days=30")
    assert preview == {"goes": 1, "total": 2}
    assert await parley.application[Retention].apply() == {}  # without a rule nothing goes
    await set_rule(parley, "sessions", 30)
    assert await parley.application[Retention].apply() == {"sessions": preview["goes"]}
    assert await ids_of(parley) == {new, pinned}
    await parley.get(f"/api/sessions/{old}", 404)


async def test_archived_sessions_can_have_a_shorter_rule(parley: RunningParley) -> None:
    archived = await a_session(parley, old=True, archived=True)
    open_one = await a_session(parley, old=True)
    await set_rule(parley, "archived-sessions", 7)
    assert await parley.application[Retention].apply() == {"archived-sessions": 1}
    await parley.get(f"/api/sessions/{archived}", 404)
    assert open_one in await ids_of(parley)


async def test_votes_stay_without_their_texts(parley: RunningParley) -> None:
    battle = await parley.battle()
    await parley.vote(battle["battle_id"], reason="It is shorter.")
    query = text("UPDATE sessions SET updated_at = '2020-01-01 00:00:00.000000'")
    await parley.application[Database].write(lambda db: db.execute(query))
    await set_rule(parley, "sessions", 30)
    await parley.application[Retention].apply()
    rows = await parley.application[Database].read(
        lambda db: db.execute(text("SELECT choice, session_id, reason FROM votes")).all()
    )
    assert len(rows) == 1
    assert (rows[0].session_id, rows[0].reason) == (None, None)


async def test_a_removed_rule_deletes_nothing_more(parley: RunningParley) -> None:
    await set_rule(parley, "sessions", 30)
    await set_rule(parley, "sessions", None)
    kept = await a_session(parley, old=True)
    assert await parley.application[Retention].apply() == {}
    assert kept in await ids_of(parley)
    kinds = {each["kind"]: each["days"] for each in (await parley.get("/api/retention"))["kinds"]}
    assert set(kinds.values()) == {None}
    assert {"sessions", "archived-sessions", "library", "vote-reasons", "lab-runs"} == set(kinds)


async def test_bad_rules_are_refused_by_their_field(parley: RunningParley) -> None:
    for days in (0, -1, 4000, "x", True):
        answer = await parley.client.put("/api/retention/sessions", json={"days": days})
        assert (answer.status_code, answer.json()["field"]) == (422, "days"), days
    answer = await parley.client.put("/api/retention/votes", json={"days": 3})
    assert answer.status_code == 404


def test_every_table_has_a_rule_or_is_named_with_the_reason() -> None:
    assert built_in_tables()
    named = [table for tables in (*RULED.values(), *(kept.tables for kept in KEPT)) for table in tables]
    assert sorted(named) == sorted(METADATA.tables)


async def test_what_has_no_rule_is_listed_with_its_reason(parley: RunningParley) -> None:
    kept = {each["nouns"]: each for each in (await parley.get("/api/retention"))["others"]}
    assert "chain of hashes" in kept["The audit log"]["why"]
    assert kept["Answers of the Responses API"]["days"] == 30


async def test_reasons_of_votes_go_and_the_votes_stay_provable(parley: RunningParley) -> None:
    for reason in ("It is shorter.", "It is longer."):
        battle = await parley.battle()
        await parley.vote(battle["battle_id"], reason=reason)
    database = parley.application[Database]
    first = text("SELECT seq, created_at FROM votes ORDER BY seq")
    seq, voted_at = await database.read(lambda db: db.execute(first).all()[0])
    move = text("UPDATE votes SET created_at = :at WHERE seq = :seq")
    await database.write(lambda db: db.execute(move, {"at": "2020-01-01 00:00:00.000000", "seq": seq}))
    assert await parley.get("/api/retention/vote-reasons/preview?days=30") == {"goes": 1, "total": 2}
    await set_rule(parley, "vote-reasons", 30)
    assert await parley.application[Retention].apply() == {"vote-reasons": 1}
    rows = await database.read(lambda db: db.execute(text("SELECT reason, result FROM votes")).all())
    assert sorted(row.reason or "" for row in rows) == ["", "It is longer."]
    assert "It is shorter." not in repr(rows)
    await database.write(lambda db: db.execute(move, {"at": voted_at, "seq": seq}))
    assert (await check_audit(database, None)).ok


async def test_things_of_no_conversation_go_from_the_library(parley: RunningParley) -> None:
    for name in ("old.txt", "new.txt"):
        answer = await parley.client.post(
            f"/api/library?name={name}",
            content=name.encode(),
            headers={"content-type": "application/octet-stream"},
        )
        assert answer.status_code < 300, answer.text
    old = text("UPDATE assets SET created_at = '2020-01-01 00:00:00.000000' WHERE title = 'old.txt'")
    await parley.application[Database].write(lambda db: db.execute(old))
    assert await parley.get("/api/retention/library/preview?days=30") == {"goes": 1, "total": 2}
    await set_rule(parley, "library", 30)
    assert await parley.application[Retention].apply() == {"library": 1}
    assert [each["title"] for each in (await parley.get("/api/library"))["assets"]] == ["new.txt"]
