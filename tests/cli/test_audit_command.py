"""`parley audit verify` as a person runs it, on a data folder of its own."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.audit import report_text
from parley.features.standings.recount import confirm_elo
from parley.features.voting.repository import VotingRepository
from parley.settings import DATABASE_FILE
from parley.storage.audit_check import AuditReport
from parley.storage.database import Database
from tests.fakes.commands import Done, carry_out
from tests.fakes.databases import copy_empty
from tests.storage.test_audit_log import a_vote


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def three_votes(data: Path) -> Path:
    """A data folder with three votes; return the database's file."""
    data.mkdir()
    asyncio.run(_fill(data / DATABASE_FILE))
    return data / DATABASE_FILE


async def _fill(path: Path) -> None:
    database = Database(f"sqlite:///{await copy_empty(path)}")

    def store(session: Any) -> None:
        repository = VotingRepository(session)
        for number in (1, 2, 3):
            repository.insert_vote(repository.lock_audit(), a_vote(number))

    await database.write(store)
    await confirm_elo(database)
    await database.close()


def verify(data: Path, *arguments: str) -> Done:
    return carry_out("audit", "verify", "--data-dir", str(data), *arguments)


def test_what_is_in_order_is_reported_with_the_head(data: Path, three_votes: Path) -> None:
    done = verify(data)
    assert (done.status, done.stderr) == (0, "")
    report = msgspec.json.decode(verify(data, "--json").stdout)
    assert done.stdout.splitlines() == [
        "✓ 3 votes match the audit log.",
        f"  Head: {report['head']} (entry 3)",
        "  Store this hash elsewhere. It is the only way to detect later that the last votes were removed.",
        "✓ Counts, Elo and tables match the votes.",
        "  3 votes are not counted yet.",
    ]
    assert report["standings"] == {"ok": True, "votes": 3, "waiting": 3, "unseen": [], "wrong": None}
    noted = verify(data, "--head", f" {report['head'].upper()} ")
    assert "The hash from --head is that of entry 3." in noted.stdout


def test_a_break_is_explained_and_by_the_exit_code(data: Path, three_votes: Path) -> None:
    with closing(sqlite3.connect(three_votes)) as database, database:
        database.execute("update votes set choice = 'left' where seq = 2")
    done = verify(data)
    assert done.status == 1
    first, second = done.stdout.splitlines()
    assert first == (
        f"✗ Vote {a_vote(2).id} was changed after it was stored: its choice is “left”, entry 2 says “tie”."
    )
    assert second == "The 1 entry before it is intact."
    report = msgspec.json.decode(verify(data, "--json").stdout)
    assert (report["ok"], report["broken"]["fault"], report["broken"]["seq"]) == (False, "vote_changed", 2)


def test_what_is_kept_and_is_not_what_the_votes_come_to_is_reported(data: Path, three_votes: Path) -> None:
    with closing(sqlite3.connect(three_votes)) as database, database:
        database.execute("update elo set rating = 1600 where model_id = 'ada'")
    done = verify(data)
    assert done.status == 1
    assert "✗ The Elo of ada is 1600.0, and the votes come to " in done.stdout
    assert "parley standings rebuild" in done.stdout


def test_a_noted_head_that_is_gone_is_reported(data: Path, three_votes: Path) -> None:
    done = verify(data, "--head", "a" * 64)
    assert done.status == 1
    assert done.stdout.startswith("✗ The hash that you noted is not in the chain: entries were removed")


@pytest.mark.parametrize("head", ["", "abc", "x" * 64])
def test_what_is_no_hash_is_refused(data: Path, head: str) -> None:
    done = verify(data, "--head", head)
    assert done.status == 2
    assert "64 hex digits" in done.stderr


def test_without_a_database_there_is_nothing_to_verify_and_none_is_made(data: Path) -> None:
    done = verify(data)
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.startswith("error: There is no database yet.")
    assert not data.exists()


def test_an_older_database_is_not_touched(data: Path, three_votes: Path) -> None:
    with closing(sqlite3.connect(three_votes)) as database, database:
        database.execute("update alembic_version set version_num = '0025'")
        database.execute("drop table audit_log")
    done = verify(data)
    assert done.status == 2
    assert done.stderr.startswith("error: The database is at revision 0025")
    assert "parley serve" in done.stderr


def test_exclusions_are_reported() -> None:
    report = AuditReport(
        ok=True, entries=1_200_001, votes=1_200_000, exclusions=1, head="f" * 64, noted_at=0, broken=None
    )
    assert report_text(report).splitlines()[:3] == [
        "✓ 1,200,000 votes match the audit log.",
        "  1 vote was excluded later, with a reason.",
        "  The hash from --head is that of entry 0.",
    ]
