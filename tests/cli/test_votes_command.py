"""`parley votes` as a person runs it, on a data folder of its own."""

import contextlib
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from parley.cli.votes import end_text
from parley.features.vote_files.schemas import (
    BadRowView,
    ImportDone,
    ImportFailed,
    ImportReport,
    MappedModelView,
)
from parley.kernel.errors import Problem
from parley.settings import DATABASE_FILE
from parley.storage.folder_lock import leave_address, lock_folder
from parley.storage.tables.narrow import STATUSES
from tests.fakes.commands import Done, Run, runner
from tests.fakes.process import COMMAND

REPORT = ImportReport(
    read=30, imported=20, not_counted=2, duplicates=3, bad=0, bad_rows=[], models=[], dry_run=False
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(tmp_path, monkeypatch, "votes")


def write(path: Path, votes: int) -> Path:
    rows = [
        {"question_id": number, "model_a": "one", "model_b": "two", "winner": "tie", "tstamp": 1.7e9 + number}
        for number in range(votes)
    ]
    path.write_bytes(msgspec.json.Encoder().encode_lines(rows))
    return path


def stored(folder: Path, *statuses: str) -> int:
    query = "SELECT processing_status FROM votes"
    numbers = [STATUSES[it] for it in statuses or STATUSES]
    with closing(sqlite3.connect(folder / "data" / DATABASE_FILE)) as database:
        return sum(status in numbers for (status,) in database.execute(query))


def complaints(done: Done) -> list[str]:
    """Return what a command complained about; where it takes its time it reports its progress too."""
    return [line for line in done.stderr.splitlines() if " left" not in line]


def test_votes_go_in_and_out_and_in_again(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "votes.jsonl", 7)
    done = run("import", "votes.jsonl")
    assert complaints(done) == []
    assert done.stdout.startswith("✓ Imported 7 of 7 rows.")
    assert run("export", "out.csv").stdout == "Wrote 7 votes to out.csv.\n"
    again = run("import", "out.csv", "--json")
    assert msgspec.json.decode(again.stdout)["report"]["duplicates"] == 7


def test_bad_rows_stop_the_import_and_are_written_down_on_wish(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "votes.jsonl", 3)
    path.write_bytes(path.read_bytes() + b'{"model_a": "one"}\n')
    done = run("import", "votes.jsonl", "--keep-bad", "bad.jsonl", status=1)
    assert complaints(done)[:2] == [
        "✗ 1 of 4 rows is not a valid vote, so nothing was imported.",
        "  line 4: model_b is missing",
    ]
    kept = msgspec.json.decode((tmp_path / "bad.jsonl").read_bytes())
    assert (kept["line"], kept["row"]) == (4, {"model_a": "one"})
    assert stored(tmp_path) == 0


def test_where_a_server_runs_the_command_says_how_to_send_it_the_file(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "votes.jsonl", 1)
    data = tmp_path / "data"
    with lock_folder(data), leave_address(data, "http://127.0.0.1:9321"):
        done = run("import", "votes.jsonl", status=2)
    assert "curl --data-binary @votes.jsonl" in done.stderr
    assert "http://127.0.0.1:9321/api/votes/import?name=votes.jsonl" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_an_import_that_is_stopped_leaves_nothing_half_imported(
    stop: signal.Signals, run: Run, tmp_path: Path
) -> None:
    write(tmp_path / "votes.jsonl", 12_000)
    command = [*COMMAND, "votes", "import", "votes.jsonl", "--data-dir", str(tmp_path / "data")]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    stages = tmp_path / "data" / "imports"
    try:
        until = time.monotonic() + 40
        while not list(stages.glob("*.part")) and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(stop)
        _, said = process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    visible = stored(tmp_path) - stored(tmp_path, "staged")
    assert visible in (0, 12_000)
    if stop is signal.SIGINT and visible == 0:
        assert process.returncode == 130
        assert b"Stopped" in said
        return
    run("import", "votes.jsonl")
    assert stored(tmp_path, "pending") == 12_000
    assert list(stages.iterdir()) == []


def test_the_end_is_explained() -> None:
    models = [
        MappedModelView(name="GPT 4", model_id="gpt-4", new=True),
        MappedModelView(name="Ada", model_id="ada", new=False),
    ]
    text = end_text(ImportDone(msgspec.structs.replace(REPORT, models=models)))
    assert text.splitlines() == [
        "✓ Imported 20 of 30 rows.",
        "  2 of them are saved but not counted.",
        "  Skipped 3 duplicates.",
        "  New models, added as retired: gpt-4.",
        "  “Ada” is the model ada.",
        "  Parley counts them when it starts again.",
    ]
    bad = msgspec.structs.replace(REPORT, bad=2, bad_rows=[BadRowView(3, "winner", "is nothing")])
    failed = end_text(ImportFailed(Problem(code="bad_rows", title="2 rows are not valid votes."), bad))
    assert failed.splitlines() == [
        "✗ 2 rows are not valid votes.",
        "  line 3: winner is nothing",
        "  … and 1 more (--keep-bad FILE writes all of them)",
        "Fix these rows, or add --skip-bad to import the others.",
    ]
