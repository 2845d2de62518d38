"""Tests of the process that reads a large file: the same votes, the same errors, and it ends with whoever began it."""

import asyncio
import collections
import os
import signal
import subprocess
import sys
import time
from contextlib import aclosing, closing
from pathlib import Path

import msgspec
import pytest

from parley.features.vote_files.pieces import Piece, PieceReader, Tally, read_ahead
from parley.features.vote_files.reading_process import ReadingProcess
from parley.features.vote_files.reading_worker import ReadTask, open_reader
from parley.kernel.errors import Invalid
from parley.text.categories.own import OwnCategory

OWN = OwnCategory(id="cooking", title="Cooking", description="", any=("bread",))


def task_of(path: Path, at_most: int = 100, bad_file: Path | None = None) -> ReadTask:
    return ReadTask(
        path=str(path),
        kind="jsonl",
        name="votes.jsonl",
        models={"ada": ("Ada",)},
        salt=b"salt",
        own_voters={"me": "owner"},
        categories=(OWN,),
        bad_file=None if bad_file is None else str(bad_file),
        limits=None,
        at_most=at_most,
    )


def votes_file(folder: Path, rows: int) -> Path:
    path = folder / "v.jsonl"
    with path.open("wb") as file:
        for number in range(rows):
            row = {
                "model_a": "Ada",
                "model_b": f"new-{number % 3}",
                "winner": "tie" if number != 7 else "?",
                "judge": "me" if number % 2 else f"judge {number}",
                "tstamp": 1.7e9 + number // 2 * 2,
                "question_id": f"q{number // 2}" if number % 4 else None,
                "conversation_a": [{"role": "user", "content": "How do I bake bread?"}],
                "conv_metadata": {"sum_assistant_a_tokens": number, "header_count_b": {"h1": 2, "h2": 0.5}},
            }
            file.write(msgspec.json.encode(row) + b"\n")
    return path


def read(reader: PieceReader, at_most: int = 100) -> list[Piece]:
    async def all_pieces() -> list[Piece]:
        return [it async for it in read_ahead(reader, at_most)]

    return asyncio.run(all_pieces())


def is_gone(pid: int) -> bool:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_another_process_reads_the_same_as_this_one(tmp_path: Path) -> None:
    path = votes_file(tmp_path, 1_000)
    here = read(open_reader(task_of(path, bad_file=tmp_path / "here")))
    there = read(ReadingProcess(task_of(path, bad_file=tmp_path / "there")))
    votes = [[vote for piece in pieces for vote in piece.votes] for pieces in (here, there)]
    assert votes[0] == votes[1]
    assert len(votes[0]) > 900
    assert votes[0][1].owner_id == "owner"
    assert "cooking" in votes[0][0].categories
    ends = [msgspec.structs.replace(pieces[-1], votes=[]) for pieces in (here, there)]
    assert ends[0] == ends[1]
    assert [(it.line, it.field) for it in ends[0].bad_rows] == [(8, "winner")]
    assert [card.id for card in ends[0].cards] == ["new-0", "new-1", "new-2"]
    assert (tmp_path / "here").read_bytes() == (tmp_path / "there").read_bytes() != b""
    tally = Tally()
    for piece in there:
        tally.add(piece, {votes[0][0].id})
    report = tally.report(dry_run=False)
    assert report.read == 1_000
    assert report.imported + report.duplicates + report.bad == 1_000


def test_a_file_that_is_refused_there_is_refused_here_with_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_bytes(b'{"a": 1}\n')
    said: list[tuple[str, str, str | None, str]] = []
    for reader in (open_reader(task_of(path)), ReadingProcess(task_of(path))):
        with pytest.raises(Invalid) as raised:
            read(reader)
        error = raised.value
        said.append((error.field, error.title, error.detail, error.leaf_code))
    assert said[0] == said[1]
    assert "model_a" in said[0][1]


def test_bad_rows_that_cannot_be_written_are_an_error_of_the_system(tmp_path: Path) -> None:
    path, nowhere = votes_file(tmp_path, 20), tmp_path / "no" / "where"
    with pytest.raises(FileNotFoundError) as raised:
        read(ReadingProcess(task_of(path, bad_file=nowhere)))
    assert raised.value.filename == str(nowhere)


def test_a_process_that_is_killed_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with closing(ReadingProcess(task_of(votes_file(tmp_path, 20_000)))) as reader:
        assert reader.piece(100).votes
        os.kill(reader.pid, signal.SIGKILL)
        with pytest.raises(Invalid, match=r"votes\.jsonl cannot be read: the process that reads it ended"):
            collections.deque(iter(lambda: reader.piece(100), None))


async def test_the_process_ends_with_the_reading(tmp_path: Path) -> None:
    reader = ReadingProcess(task_of(votes_file(tmp_path, 20_000)))
    async with aclosing(read_ahead(reader, 100)) as pieces:
        assert (await anext(pieces)).votes
    with pytest.raises(ProcessLookupError):
        os.kill(reader.pid, 0)


def test_the_process_ends_with_the_one_that_began_it(tmp_path: Path) -> None:
    task = tmp_path / "task"
    task.write_bytes(msgspec.msgpack.encode(task_of(votes_file(tmp_path, 20_000))))
    program = (
        "import os, sys, msgspec; from pathlib import Path\n"
        "from parley.features.vote_files.reading_process import ReadingProcess\n"
        "from parley.features.vote_files.reading_worker import ReadTask\n"
        "reader = ReadingProcess(msgspec.msgpack.decode(Path(sys.argv[1]).read_bytes(), type=ReadTask))\n"
        "reader.piece(100); print(reader.pid, flush=True); os._exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(task)], stdout=subprocess.PIPE, check=False)
    assert done.returncode == 9
    assert is_gone(int(done.stdout))
