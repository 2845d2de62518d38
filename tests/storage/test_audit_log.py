"""Tests of the audit log: every vote has its entry, and whatever is changed afterwards is found."""

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import Connection, text

from parley.features.voting.repository import VotingRepository
from parley.kernel.ids import random_id
from parley.storage import audit_check
from parley.storage.audit_check import AuditReport, Break, check_audit
from parley.storage.audit_log import (
    START,
    append_categories,
    append_exclusion,
    lock_head,
    time_text,
)
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import VoteRow
from tests.fakes.databases import ON_EVERY_KIND

pytestmark = ON_EVERY_KIND

SAME = ", ".join(
    column.name for column in VoteRow.table.columns if column.name not in ("seq", "block", "id", "match_id")
)
"""The columns that a copy of a vote shares with it."""

NOW = datetime(2026, 1, 1, 12, 30, 15, 250, tzinfo=UTC)
FORGOTTEN = "UPDATE votes SET session_id = NULL, owner_id = NULL, reason = NULL, result = '{}'"


def a_vote(number: int, **changed: Any) -> VoteRow:
    values = {
        "id": f"{number:032x}",
        "kind": "blind",
        "turn_id": None,
        "rated": True,
        "match_id": f"{number:031x}m",
        "session_id": random_id(),
        "owner_id": random_id(),
        "voter_id": "f" * 32,
        "choice": ("left", "right", "tie", "both_bad")[number % 4],
        "reason": "Because “ä”.",
        "left_model_id": "ada",
        "right_model_id": "bob",
        "seats": {"right": "bob", "left": "ada"},
        "propensity": 1 / 3,
        "counted": True,
        "not_counted_reason": None,
        "processing_status": "pending",
        "result": {},
        "created_at": NOW + timedelta(microseconds=number),
        "categories": [],
        "excluded_reason": None,
        "categories_by": "rules",
        "prompt_sha256": None,
        "style": None,
        "read_ms": None,
        "origin": "here",
    }
    return VoteRow(**{**values, **changed})


async def cast(database: Database, *votes: VoteRow) -> None:
    def store(session: Transaction) -> None:
        repository = VotingRepository(session)
        for vote in votes:
            repository.insert_vote(repository.lock_audit(), vote)

    await database.write(store)


async def execute(database: Database, *statements: str) -> None:
    def run(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    await database.administer(run)


def as_id(database: Database, vote_id: str) -> str:
    """Return an id as a literal of SQL in the form in which a database has votes' ids."""
    return f"x'{vote_id}'" if database.is_sqlite else f"'{vote_id}'"


async def rows(database: Database, query: str) -> Sequence[Any]:
    return await database.read(lambda session: session.execute(text(query)).all())


@pytest.fixture
async def filled(database: Database) -> Database:
    """A database with eight votes; the sixth is not counted."""
    await cast(database, *(a_vote(number) for number in range(1, 6)))
    await cast(database, a_vote(6, counted=False, not_counted_reason="identity_leak"), a_vote(7), a_vote(8))
    return database


async def broken(database: Database, noted: str | None = None) -> Break:
    report = await check_audit(database, noted)
    assert not report.ok
    assert report.broken is not None
    return report.broken


async def test_an_empty_log_is_in_order(database: Database) -> None:
    report = await check_audit(database, START)
    assert report == AuditReport(
        ok=True, entries=0, votes=0, exclusions=0, head=START, noted_at=0, broken=None
    )


async def test_votes_and_their_entries_agree(filled: Database) -> None:
    report = await check_audit(filled)
    assert (report.ok, report.entries, report.votes, report.exclusions) == (True, 8, 8, 0)
    ((head,),) = await rows(filled, "SELECT sha256 FROM audit_head")
    assert report.head == head


async def test_an_entry_can_be_recomputed_without_parley(filled: Database) -> None:
    previous = "0" * 64
    entries = await rows(filled, "SELECT previous_sha256, content, sha256 FROM audit_log ORDER BY seq")
    for before, content, sha256 in entries:
        assert before == previous
        previous = hashlib.sha256((before + content).encode()).hexdigest()
        assert sha256 == previous
    assert entries[0][1] == (
        '{"categories":[],"categories_by":"rules",'
        '"choice":"right","counted":true,"created_at":"2026-01-01T12:30:15.000251Z","entry":"vote/3",'
        '"kind":"blind","left_model_id":"ada","match_id":"0000000000000000000000000000001m",'
        '"not_counted_reason":null,"origin":"here","prompt_sha256":null,"propensity":0.3333333333333333,'
        '"rated":true,"read_ms":null,"right_model_id":"bob","seats":{"left":"ada","right":"bob"},"style":null,'
        '"turn_id":null,"vote_id":"00000000000000000000000000000001",'
        '"voter_id":"ffffffffffffffffffffffffffffffff"}'
    )


async def test_votes_at_the_same_time_make_one_chain(database: Database) -> None:
    await asyncio.gather(*(cast(database, a_vote(number)) for number in range(1, 65)))
    report = await check_audit(database)
    assert (report.ok, report.votes) == (True, 64), report.broken


async def test_a_vote_that_is_rolled_back_leaves_no_entry(filled: Database) -> None:
    def fail(session: Transaction) -> None:
        repository = VotingRepository(session)
        repository.insert_vote(repository.lock_audit(), a_vote(9))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await filled.write(fail)
    await cast(filled, a_vote(10))
    report = await check_audit(filled)
    assert (report.ok, report.entries) == (True, 9)


async def test_what_may_be_forgotten_is_forgotten_without_a_break(filled: Database) -> None:
    status = "8" if filled.is_sqlite else "'processed'"
    await execute(filled, FORGOTTEN, f"UPDATE votes SET processing_status = {status}")
    assert (await check_audit(filled)).ok


async def test_an_exclusion_is_an_entry_of_its_own(filled: Database) -> None:
    excluded = a_vote(3).id
    await filled.write(
        lambda session: append_exclusion(session, lock_head(session), excluded, "a test of my own", NOW)
    )
    await execute(
        filled, f"UPDATE votes SET excluded_reason = 'a test of my own' WHERE id = {as_id(filled, excluded)}"
    )
    await cast(filled, a_vote(9))
    report = await check_audit(filled)
    assert (report.ok, report.votes, report.exclusions) == (True, 9, 1), report.broken
    await execute(filled, "UPDATE audit_log SET created_at = created_at WHERE kind = 'exclusion'")
    assert (await check_audit(filled)).ok
    await execute(filled, "UPDATE audit_log SET vote_id = 'x' WHERE kind = 'exclusion'")
    assert (await broken(filled)).fault == "entry_changed"


CHANGES = {
    "id": "'x'",
    "kind": "'open'",
    "match_id": "'x'",
    "turn_id": "'x'",
    "rated": "false",
    "voter_id": "'x'",
    "choice": "'left'",
    "left_model_id": "'bob'",
    "right_model_id": "NULL",
    "seats": """'{"left": "bob", "right": "ada"}'""",
    "propensity": "0.3333333333333334",
    "counted": "false",
    "not_counted_reason": "'identity_leak'",
    "created_at": "'2026-01-01 12:30:15.000999'",
}


@pytest.mark.parametrize("column", CHANGES)
async def test_a_changed_vote_is_named_with_what_was_changed(filled: Database, column: str) -> None:
    await execute(filled, f"UPDATE votes SET {column} = {CHANGES[column]} WHERE seq = 5")
    found = await broken(filled)
    assert found.seq == 5
    if column == "id":
        assert (found.fault, found.text) == ("vote_missing", f"Vote {a_vote(5).id} of entry 5 is missing.")
        return
    assert (found.fault, found.vote_id) == ("vote_changed", a_vote(5).id)
    assert found.text.startswith(f"Vote {a_vote(5).id} was changed after it was stored: its {column} is “")
    assert "entry 5 says “" in found.text


BESIDE = {
    "excluded_reason": "'flagged_voter'",
    "categories": """'["coding"]'""",
    "categories_by": "'person'",
    "origin": "'import'",
    "prompt_sha256": "'x'",
    "read_ms": "1",
    "style": """'{"left": {}, "right": {}}'""",
}


@pytest.mark.parametrize("column", BESIDE)
async def test_what_stands_beside_a_vote_and_in_no_entry_is_found(filled: Database, column: str) -> None:
    await execute(filled, f"UPDATE votes SET {column} = {BESIDE[column]} WHERE seq = 5")
    found = await broken(filled)
    assert (found.fault, found.vote_id) == ("state_changed", a_vote(5).id)
    assert f"its {column} is “" in found.text
    assert "the audit log says “" in found.text


async def test_other_categories_are_an_entry_of_their_own(filled: Database) -> None:
    def put(session: Transaction, categories: list[str]) -> None:
        append_categories(session, lock_head(session), a_vote(3).id, categories, "person", NOW)

    for categories in ("coding", "maths"):
        stored = f"categories = '[\"{categories}\"]', categories_by = 'person'"
        await filled.write(lambda session, name=categories: put(session, [name]))
        await execute(filled, f"UPDATE votes SET {stored} WHERE seq = 3")
        assert (await check_audit(filled)).ok
    await execute(filled, "UPDATE votes SET categories = '[\"coding\"]' WHERE seq = 3")
    assert (await broken(filled)).fault == "state_changed"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE votes SET counted = 3 WHERE seq = 5",
        "UPDATE votes SET created_at = replace(created_at, ' ', 'T') WHERE seq = 5",
        "UPDATE audit_log SET created_at = replace(created_at, ' ', 'T') WHERE seq = 5",
        "UPDATE audit_head SET id = 3",
        "UPDATE audit_head SET sha256 = CAST(x'ff' AS TEXT)",
    ],
)
async def test_a_value_that_parley_reads_as_another_is_found(sqlite: Database, statement: str) -> None:
    await cast(sqlite, *(a_vote(number) for number in range(1, 8)))
    await execute(sqlite, statement)
    assert (await broken(sqlite)).fault in ("vote_changed", "entry_changed", "wrong_end")


TAMPERED: list[tuple[str, str, tuple[str, ...], str, int | None]] = [
    ("a vote is gone", "vote_missing", ("DELETE FROM votes WHERE seq = 4",), "is missing", 4),
    ("an entry is gone", "entry_missing", ("DELETE FROM audit_log WHERE seq = 4",), "Entry 4", 4),
    ("the first entry is gone", "entry_missing", ("DELETE FROM audit_log WHERE seq = 1",), "Entry 1", 1),
    (
        "the last entry is gone",
        "wrong_end",
        ("DELETE FROM audit_log WHERE seq = 8",),
        "should end with entry 8",
        7,
    ),
    (
        "the last vote is gone with its entry",
        "wrong_end",
        ("DELETE FROM audit_log WHERE seq = 8", "DELETE FROM votes WHERE seq = 8"),
        "ends with entry 7",
        7,
    ),
    (
        "a vote was put in",
        "vote_without_entry",
        (
            (
                f"INSERT INTO votes ({SAME}, seq, id, match_id) "
                f"SELECT {SAME}, 99, 'x', 'x' FROM votes WHERE seq = 2"
            ),
        ),
        "Vote x has no entry.",
        None,
    ),
    (
        "an entry was put in at the end",
        "wrong_end",
        (
            (
                "INSERT INTO audit_log SELECT 9, 'x', kind, content, sha256, previous_sha256, created_at "
                "FROM audit_log WHERE seq = 8"
            ),
        ),
        "ends with entry 9",
        9,
    ),
    (
        "the content of an entry was changed",
        "entry_changed",
        ("UPDATE audit_log SET content = replace(content, 'right', 'left') WHERE seq = 5",),
        "hash",
        5,
    ),
    (
        "the hash of an entry was changed",
        "entry_changed",
        ("UPDATE audit_log SET sha256 = previous_sha256 WHERE seq = 3",),
        "hash",
        3,
    ),
    (
        "the hash before was changed",
        "wrong_order",
        ("UPDATE audit_log SET previous_sha256 = sha256 WHERE seq = 3",),
        "does not follow entry 2",
        3,
    ),
    (
        "the time of an entry was changed",
        "entry_changed",
        ("UPDATE audit_log SET created_at = '2027-01-01 00:00:00.000000' WHERE seq = 3",),
        "its created_at",
        3,
    ),
    (
        "the kind of an entry was changed",
        "entry_changed",
        ("UPDATE audit_log SET kind = 'exclusion' WHERE seq = 3",),
        "its entry",
        3,
    ),
    (
        "two entries changed places",
        "wrong_order",
        tuple(
            f"UPDATE audit_log SET seq = {new} WHERE seq = {old}" for old, new in ((2, 99), (3, 2), (99, 3))
        ),
        "does not follow entry 1",
        2,
    ),
    (
        "two votes changed places",
        "wrong_order",
        tuple(f"UPDATE votes SET seq = {new} WHERE seq = {old}" for old, new in ((2, 99), (3, 2), (99, 3))),
        "comes before",
        3,
    ),
    ("the end was moved", "wrong_end", ("UPDATE audit_head SET seq = 7",), "should end with entry 7", 8),
    (
        "the end's hash was changed",
        "wrong_end",
        ("UPDATE audit_head SET sha256 = 'x'",),
        "a different hash",
        8,
    ),
    ("the end is lost", "wrong_end", ("DELETE FROM audit_head",), "is missing", 8),
]


@pytest.mark.parametrize(
    ("fault", "statements", "words", "seq"),
    [case[1:] for case in TAMPERED],
    ids=[case[0].replace(" ", "_") for case in TAMPERED],
)
async def test_what_was_tampered_with_is_found(
    filled: Database, fault: str, statements: tuple[str, ...], words: str, seq: int | None
) -> None:
    await execute(filled, *statements)
    found = await broken(filled)
    assert (found.fault, found.seq) == (fault, seq), found.text
    assert words in found.text


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE votes SET created_at = 'yesterday' WHERE seq = 5",
        "UPDATE votes SET seats = 'no JSON' WHERE seq = 5",
        "UPDATE audit_log SET content = CAST(content AS BLOB) WHERE seq = 5",
        "UPDATE audit_log SET content = CAST(x'ff' AS TEXT) WHERE seq = 5",
        "UPDATE audit_log SET created_at = '' WHERE seq = 5",
    ],
)
async def test_what_cannot_be_read_any_more_is_a_break(sqlite: Database, statement: str) -> None:
    await cast(sqlite, *(a_vote(number) for number in range(1, 8)))
    await execute(sqlite, statement)
    found = await broken(sqlite)
    assert found.seq == 5
    assert found.fault in ("entry_changed", "vote_changed")


async def test_only_a_noted_head_tells_that_the_end_was_cut_off(filled: Database) -> None:
    noted = (await check_audit(filled)).head
    await cast(filled, a_vote(9))
    again = await check_audit(filled, noted)
    assert (again.ok, again.noted_at) == (True, 8)
    await execute(
        filled,
        "DELETE FROM votes WHERE seq > 7",
        "DELETE FROM audit_log WHERE seq > 7",
        "UPDATE audit_head SET seq = 7, sha256 = (SELECT sha256 FROM audit_log WHERE seq = 7)",
    )
    assert (await check_audit(filled)).ok, "the chain alone cannot tell"
    found = await broken(filled, noted)
    assert found.fault == "head_unknown"
    assert "removed or rehashed" in found.text


@pytest.mark.parametrize("page", [1, 3, 7, 8])
async def test_pages_make_no_difference(filled: Database, monkeypatch: pytest.MonkeyPatch, page: int) -> None:
    monkeypatch.setattr(audit_check, "PAGE", page)
    calls: list[tuple[int, int]] = []
    report = await check_audit(filled, progress=lambda done, every: calls.append((done, every)))
    assert (report.ok, report.entries) == (True, 8)
    assert calls[-1] == (16, 16)
    assert calls == sorted(calls)
    await execute(filled, "UPDATE votes SET choice = 'x' WHERE seq = 6")
    assert (await broken(filled)).seq == 6


async def test_votes_that_come_in_meanwhile_are_no_breaks(
    filled: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_check, "PAGE", 2)
    voting = asyncio.create_task(_keep_voting(filled))
    try:
        for _ in range(10):
            report = await check_audit(filled)
            assert report.ok, report.broken
    finally:
        voting.cancel()
    assert (await check_audit(filled)).votes > 8


async def _keep_voting(database: Database) -> None:
    """Vote on and on, but slower than the log is walked two entries at a time."""
    for number in range(100, 10_000):
        await cast(database, a_vote(number))
        await asyncio.sleep(0.03)


def test_a_time_in_an_entry_is_utc_with_six_digits() -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    assert time_text(datetime(2026, 3, 1, 2, 5, 9, 7, tzinfo=east)) == "2026-02-28T20:35:09.000007Z"
