"""Tests of the entries that imported votes share: whatever is changed is found, and goes with the way down."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from parley.features.vote_files import records
from parley.features.vote_files.records import vote_records
from parley.features.vote_files.repository import VoteFilesRepository
from parley.features.vote_files.staging import StagedVote
from parley.storage import audit_check
from parley.storage.audit_check import check_audit
from parley.storage.audit_state import restore_beside
from parley.storage.database import Database, Transaction
from parley.storage.vote_stages import Stage, StageWriter
from tests.fakes.databases import ON_EVERY_KIND
from tests.storage.test_audit_log import a_vote, as_id, cast, execute, rows

pytestmark = ON_EVERY_KIND

NOW = datetime(2026, 5, 1, tzinfo=UTC)
VOTES = 23


def staged(number: int) -> StagedVote:
    return StagedVote(
        id=f"{number:032x}",
        source=f"q{number}",
        voter_id=f"{number % 5:032x}",
        owner_id=None,
        kind="blind" if number % 7 else "open",
        choice="left",
        comment=None,
        left="ada",
        right="bob",
        propensity=1 / 3,
        counted=True,
        not_counted_reason=None,
        excluded_reason="broken" if number == 5 else None,
        seconds=1_735_689_600.0 + number,
        categories=["coding", "maths"],
        categories_by="rules",
        prompt_sha256="a" * 64,
        style=(number, 1, 2, 3, number, 1, 2, 3) if number % 2 else None,
        read_ms=number,
    )


@pytest.fixture
async def imported(database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Database:
    """A database with a vote, an import of several entries, and another vote."""
    monkeypatch.setattr(records, "VOTES_TOGETHER", 10)
    await cast(database, a_vote(1001))
    made = vote_records([staged(number) for number in range(1, VOTES + 1)], NOW)
    with StageWriter(tmp_path / "0123.votes") as writer:
        writer.add(made.columns, made.packed)
        writer.finish([])
    stage = Stage(tmp_path / "0123.votes")
    (part,) = stage.parts()

    def store(transaction: Transaction) -> None:
        repository = VoteFilesRepository(transaction)
        repository.stage(stage.read(part, rows=not database.is_sqlite), "staged", NOW)
        repository.publish()

    await database.write(store, attached=stage.path)
    await cast(database, a_vote(1002))
    return database


async def test_many_imported_votes_share_an_entry_and_agree_with_it(
    imported: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_check, "PAGE", 3)
    report = await check_audit(imported)
    assert (report.ok, report.votes, report.exclusions) == (True, VOTES + 2, 1), report.broken
    assert report.entries == 2 + 3 + 1
    kinds = [kind for (kind,) in await rows(imported, "SELECT kind FROM audit_log ORDER BY seq")]
    assert kinds == ["vote", "import", "import", "import", "exclusion", "vote"]


@pytest.mark.parametrize(
    ("statement", "fault", "vote"),
    [
        ("UPDATE votes SET choice = 'right' WHERE id = {}", "vote_changed", 17),
        ("UPDATE votes SET voter_id = {} WHERE id = {}", "vote_changed", 17),
        ("UPDATE votes SET read_ms = 1 WHERE id = {}", "state_changed", 17),
        ("UPDATE votes SET style = NULL WHERE id = {}", "state_changed", 17),
        ("UPDATE votes SET excluded_reason = NULL WHERE id = {}", "state_changed", 5),
        ("DELETE FROM votes WHERE id = {}", "vote_missing", 17),
        ("UPDATE votes SET seq = 5000 WHERE id = {}", "vote_missing", 17),
    ],
)
async def test_a_changed_imported_vote_is_named(
    imported: Database, statement: str, fault: str, vote: int
) -> None:
    await execute(imported, statement.replace("{}", as_id(imported, f"{vote:032x}")))
    broken = (await check_audit(imported)).broken
    assert broken is not None
    assert (broken.fault, broken.vote_id) == (fault, f"{vote:032x}")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM audit_imports WHERE seq = 3",
        "UPDATE audit_imports SET contents = (SELECT contents FROM audit_imports WHERE seq = 2) WHERE seq = 3",
        "UPDATE audit_imports SET last_vote_seq = first_vote_seq WHERE seq = 3",
        "UPDATE audit_log SET kind = 'findings' WHERE seq = 3",
    ],
)
async def test_a_changed_entry_of_an_import_is_found(imported: Database, statement: str) -> None:
    await execute(imported, statement)
    assert not (await check_audit(imported)).ok


async def test_what_stands_beside_an_imported_vote_is_restored(imported: Database) -> None:
    await execute(
        imported, "UPDATE votes SET style = NULL, read_ms = 1, excluded_reason = NULL WHERE match_id IS NULL"
    )
    assert await imported.write(restore_beside) >= VOTES - 1
    assert (await check_audit(imported)).ok
