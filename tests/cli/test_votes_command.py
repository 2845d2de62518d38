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
from parley.features.imports.schemas import BadRowView, ImportDone, ImportFailed, ImportReport
from parley.features.vote_files.model_names import MappedModelView
from parley.kernel.errors import Problem
from parley.settings import DATABASE_FILE
from parley.storage.folder_lock import leave_address, lock_folder
from tests.fakes.commands import Done, Run, runner
from tests.fakes.process import COMMAND

REPORT = ImportReport(
    read=30,
    imported=20,
    not_counted=2,
    duplicates=3,
    bad=0,
    bad_rows=[],
    models=[],
    preview=False,
    columns=[],
    ignored=[],
    categories=[],
    first_rows=[],
    import_id="some-id",
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


def stored(folder: Path) -> int:
    """Return the votes of imports that are complete."""
    with closing(sqlite3.connect(folder / "data" / DATABASE_FILE)) as database:
        ((votes,),) = database.execute("SELECT coalesce(sum(votes), 0) FROM imports WHERE state = 'ready'")
        return votes


def complaints(done: Done) -> list[str]:
    """Return what a command complained about; where it takes its time it reports its progress too."""
    return [line for line in done.stderr.splitlines() if " left" not in line]


def test_a_file_is_shown_imported_listed_and_removed(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "votes.jsonl", 7)
    shown = run("import", "votes.jsonl", "--preview")
    assert shown.stdout.startswith("7 votes in 7 rows, between 2 models.")
    assert stored(tmp_path) == 0
    done = run("import", "votes.jsonl", "--yes")
    assert complaints(done) == []
    assert done.stdout.startswith("✓ Imported 7 of 7 rows.")
    again = run("import", "votes.jsonl", "--yes", status=1)
    assert "Nothing was added: its 7 votes are there." in again.stderr
    (item,) = msgspec.json.decode(run("imports", "--json").stdout)["items"]
    assert (item["name"], item["votes"]) == ("votes.jsonl", 7)
    assert run("remove-import", item["id"], "--yes").stdout == "✓ Removed 7 votes of votes.jsonl.\n"
    assert stored(tmp_path) == 0


def test_bad_rows_stop_the_import_and_are_written_down_on_wish(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "votes.jsonl", 3)
    path.write_bytes(path.read_bytes() + b'{"model_a": "one"}\n')
    done = run("import", "votes.jsonl", "--yes", "--keep-bad", "bad.jsonl", status=1)
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
    assert "http://127.0.0.1:9321/api/imports?name=votes.jsonl" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_an_import_that_is_stopped_leaves_nothing_half_imported(
    stop: signal.Signals, run: Run, tmp_path: Path
) -> None:
    write(tmp_path / "votes.jsonl", 12_000)
    command = [*COMMAND, "votes", "import", "votes.jsonl", "--yes", "--data-dir", str(tmp_path / "data")]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    salt = tmp_path / "data" / "voters.salt"
    try:
        until = time.monotonic() + 40
        while not salt.exists() and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(stop)
        process.communicate(timeout=60)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if stored(tmp_path) == 0:
        run("import", "votes.jsonl", "--yes")
    assert stored(tmp_path) == 12_000
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE_FILE)) as database:
        assert database.execute("SELECT count(*) FROM imported_votes").fetchone() == (12_000,)


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
        "  To remove them again: parley votes remove-import some-id",
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
