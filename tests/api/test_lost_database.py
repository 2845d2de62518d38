"""Commands on a data folder that has lost its database or its lock file: they stop, and say what to do."""

import asyncio
from pathlib import Path

import pytest

from tests.fakes.commands import runner
from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import write_models

pytestmark = pytest.mark.databases("sqlite")

COMMANDS = (
    ("serve", "--no-open", "--port", "0"),
    ("votes", "export", "votes.jsonl"),
    ("audit", "verify"),
    ("standings", "show"),
    ("standings", "rebuild"),
    ("consortium", "list"),
)


@pytest.fixture
def start(tmp_path: Path):
    models = write_models(tmp_path / "models.yaml", "http://127.0.0.1:9", ("ada", "bob"))
    with processes(tmp_path, models) as begin:
        yield begin


@pytest.mark.parametrize("left", ["missing", "empty"])
def test_every_command_stops_where_the_database_is_lost(
    start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: str
) -> None:
    data = tmp_path / "data"
    server: ParleyProcess = start().wait_until_ready()
    server.stop()
    (data / "parley.db").unlink()
    if left == "empty":
        (data / "parley.db").touch()
    before = sorted(it.name for it in data.iterdir())
    run = runner(tmp_path, monkeypatch, blank=True)
    for command in COMMANDS:
        done = run(*command, status=2)
        words = (done.stdout + done.stderr).replace("\n", " ")
        assert f"parley.db is {left}" in words, (command, words)
        assert "To restore" in words
        assert "To start from scratch" in words
        assert "usage" not in words.lower()
    doctor = run("doctor", status=None)
    assert f"is {left}" in " ".join((doctor.stdout + doctor.stderr).split())
    kept = [it.name for it in data.iterdir() if not it.name.endswith(".lock")]
    assert sorted(kept) == [name for name in before if not name.endswith(".lock")]
    assert not (data / "parley.db").exists() or not (data / "parley.db").stat().st_size


async def test_a_second_server_is_refused_although_the_lock_file_was_removed(start, tmp_path: Path) -> None:
    first: ParleyProcess = await asyncio.to_thread(start)
    await asyncio.to_thread(first.wait_until_ready)
    for lock in (tmp_path / "data").glob("*.lock"):
        lock.unlink()
    second: ParleyProcess = await asyncio.to_thread(start)
    assert await asyncio.to_thread(second.process.wait, 50) == 2
    assert "Another Parley is using the data folder" in second.log.read_text("utf-8")
    assert first.process.poll() is None
