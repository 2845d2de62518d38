"""`parley standings` as a person runs it, on a data folder of its own."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from parley.settings import DATABASE_FILE
from parley.storage.database import Database
from parley.storage.folder_lock import lock_folder
from tests.fakes.ballot_box import BallotBox
from tests.fakes.commands import Done, carry_out
from tests.fakes.databases import copy_empty


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with votes that nobody has counted."""
    folder = tmp_path / "data"
    folder.mkdir()

    async def fill() -> None:
        database = Database(f"sqlite:///{await copy_empty(folder / DATABASE_FILE)}")
        await BallotBox(uncounted=0).cast(database, 50)
        await database.close()

    asyncio.run(fill())
    return folder


def standings(data: Path, *arguments: str) -> Done:
    return carry_out("standings", *arguments, "--data-dir", str(data))


def test_the_table_is_empty_until_votes_are_counted_and_a_rebuild_counts_them(data: Path) -> None:
    before = standings(data, "show")
    assert (before.status, before.stderr) == (0, "")
    assert "50 votes are not counted yet" in before.stdout
    rebuilt = standings(data, "rebuild")
    assert (rebuilt.status, rebuilt.stderr) == (0, "")
    assert rebuilt.stdout.startswith("✓ Recounted 50 votes in ")
    shown = standings(data, "show").stdout
    assert "Overall, Bradley-Terry: 50 votes, 4 models." in shown
    assert standings(data).stdout == standings(data, "list").stdout == shown
    table = msgspec.json.decode(standings(data, "--json", "--category", "coding").stdout)
    assert all(line["rank_ub"] <= line["rank_lb"] for line in table["lines"])
    assert table["category"] == "coding"
    assert {line["model"]["id"] for line in table["lines"]} <= {"ada", "bob", "cleo", "dora"}


def test_own_categories_have_their_titles_and_are_known_before_their_first_vote(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [{"id": "law", "title": "Questions of law", "any": ["court"]}]
    monkeypatch.setenv("PARLEY_CATEGORIES", msgspec.json.encode(own).decode())
    shown = standings(data, "show", "--category", "law")
    assert (shown.status, shown.stderr) == (0, "")
    assert "Questions of law, Bradley-Terry: 0 votes" in shown.stdout


def test_a_rebuild_beside_a_running_server_says_what_to_do(data: Path) -> None:
    with lock_folder(data):
        refused = standings(data, "rebuild")
        assert refused.status != 0
        assert "/api/leaderboard/rebuild" in refused.stderr
        assert "/api/leaderboard/voters/some/exclude" in standings(data, "exclude", "some").stderr
        assert standings(data, "show").status == 0


def test_flagged_voters_are_listed_excluded_and_reinstated(data: Path) -> None:
    assert standings(data, "voters").stdout == "No voter is flagged.\n"
    voter, flagged = f"{1:032d}", "2026-03-01 12:00:00.000000"
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database, database:
        row = (voter, 1234.5, "pushes", "ada", 17, flagged, 12, flagged, None, None)
        database.execute(f"insert into voter_flags values ({', '.join('?' * len(row))})", row)
    listed = standings(data, "voters")
    assert (listed.status, listed.stderr) == (0, "")
    evidence = f"{voter}  pushes ada: 1.23e+03 to 1 from 17 votes on 12 prompts, flagged 2026-03-01 12:00 UTC"
    assert listed.stdout.splitlines() == [
        f"{evidence}. The votes count.",
        "A flag is a reason to check. Flagged votes count until you run: parley standings exclude VOTER",
    ]
    assert "is not excluded" in standings(data, "reinstate", voter).stderr
    assert "is not flagged" in standings(data, "exclude", "nobody").stderr
    excluded = standings(data, "exclude", voter)
    assert (excluded.status, excluded.stderr) == (0, "")
    assert excluded.stdout.startswith(f"{evidence}. Excluded 20")
    assert excluded.stdout.endswith(" by owner (command).\n")
    assert "Saved but not counted: " in standings(data, "show", "--min-votes", "0").stdout
    assert standings(data, "reinstate", voter).stdout == f"{evidence}. The votes count.\n"
    assert "Saved but not counted: " not in standings(data, "show", "--min-votes", "0").stdout


def test_a_rebuild_of_votes_that_the_audit_log_does_not_confirm_is_refused(data: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database, database:
        database.execute("update votes set choice = 'left' where choice = 'right'")
    refused = standings(data, "rebuild")
    assert refused.status != 0
    assert "the audit log does not match the votes" in refused.stderr


def test_what_is_wrong_is_named(data: Path) -> None:
    assert "did you mean “coding”?" in standings(data, "show", "--category", "codin").stderr
    assert "--method" in standings(data, "show", "--method", "glicko").stderr
    assert "There is no database yet." in standings(data.parent / "nowhere", "show").stderr


def test_health_tells_of_voters_as_text_and_as_json(data: Path) -> None:
    assert standings(data, "rebuild").status == 0
    shown = standings(data, "health", "--limit", "3")
    assert (shown.status, shown.stderr) == (0, "")
    assert "50 votes count. 0 duplicates do not." in shown.stdout
    assert "Time to vote: 9.0 s" in shown.stdout
    assert "3 of 5 voters." in shown.stdout
    found = msgspec.json.decode(standings(data, "health", "--json").stdout)
    assert found["health"]["voters"] == found["voters"]["total"] == len(found["voters"]["voters"]) == 5


def test_a_leaderboard_starts_from_published_results_until_they_are_removed(data: Path) -> None:
    assert standings(data, "prior", "show").stdout == "The leaderboard starts from no published results.\n"
    assert standings(data, "rebuild").status == 0
    before = standings(data, "show").stdout
    file = data.parent / "public.csv"
    file.write_text("model_a,model_b,wins_a,wins_b,ties\nADA,bob,90,10,0\ncleo,zed,5,5,5\n")
    options = (
        "prior",
        "set",
        str(file),
        "--weight",
        "40",
        "--source",
        "the public arena",
        "--map",
        "ADA=ada",
    )
    with lock_folder(data):
        beside = standings(data, *options).stderr.replace("\n", " ")
        assert "curl -X PUT --data-binary" in beside
        assert "/api/leaderboard/prior?name=public.csv&weight=40" in beside
        assert "&source=the+public+arena&map=ADA%3Dada'" in beside.replace(" ", "")
    found = standings(data, *options)
    assert (found.status, found.stderr) == (0, "")
    assert "starts from the public arena: counts as 40 votes (own votes: 50)." in found.stdout
    assert "100 of 115 published votes are between your models." in found.stdout
    assert "ADA is ada." in found.stdout
    assert "zed (15 votes)" in found.stdout
    shown = standings(data, "show").stdout
    assert shown != before
    assert "Starts from the public arena: counts as 40 votes (own votes: 50)." in shown
    document = msgspec.json.decode(standings(data, "prior", "show", "--json").stdout)
    assert (document["prior"]["weight"], document["prior"]["in_use"]) == (40.0, 40.0)
    file.write_text("model_a,model_b,wins_a,wins_b,ties\nada,bob,90,1O,0\n")
    assert "public.csv:2: wins_b is not a number of votes" in standings(data, *options).stderr
    assert standings(data, "prior", "remove").stdout == "The leaderboard starts from no published results.\n"
    assert standings(data, "show").stdout == before
    assert "starts from no published results" in standings(data, "prior", "remove").stderr
