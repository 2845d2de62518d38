"""Tests of imports that take long: in pieces, beside other work, taken back, killed, and finished after a start."""

import asyncio
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.features.vote_files import imports as vote_imports
from parley.features.vote_files import staging
from parley.features.vote_files.frames import write_frame
from parley.features.vote_files.imports import VoteImports
from parley.features.vote_files.reader import VoteFileReader
from parley.features.vote_files.records import vote_records
from parley.features.vote_files.repository import VoteFilesRepository
from parley.features.vote_files.schemas import ImportFailed
from parley.features.vote_history.service import VotesService
from parley.kernel.caller import inside
from parley.settings import Settings
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from parley.storage.vote_stages import COLUMNS
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, a_running_parley
from tests.fakes.vote_lines import NDJSON, bring, check, export, line, lines, rows_of
from tests.storage.test_audit_imports import NOW, staged


@pytest.mark.parametrize("together", [0, 250])
async def test_what_was_being_stored_when_parley_was_killed_is_finished_at_the_next_start(
    together: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_running_parley(tmp_path) as parley:
        imports = parley.application[VoteImports]
        monkeypatch.setattr(imports._store, "_together", together)
        path = imports.new_upload()
        path.write_bytes(lines([line(number) for number in range(500)]))
        stored = 0
        stage = VoteFilesRepository.stage

        def dying(self: Any, part: Any, status: Any, now: Any) -> None:
            nonlocal stored
            stored += 1
            if stored == 3:
                raise MemoryError("as if killed")
            stage(self, part, status, now)

        monkeypatch.setattr(VoteFilesRepository, "stage", dying)
        with pytest.MonkeyPatch.context() as quiet:
            quiet.setattr(vote_imports.log, "error", lambda *_args, **_more: None)
            events = [
                event
                async for event in imports.run(
                    inside("owner"), path, "jsonl", "votes.jsonl", vote_imports.ImportOptions(batch_votes=100)
                )
            ]
        assert isinstance(events[-1], ImportFailed)
        assert events[-1].error.code == "import_interrupted"
        assert (await export(parley)) == b""
        assert await rows_of(parley, "select count(*) from votes") == [(200,)]
        monkeypatch.undo()
        (imports._stages / "0123.part").write_bytes(b"never finished")
        imports.open()
        await imports.finished()
        assert len((await export(parley)).splitlines()) == 500
        assert list(imports._stages.iterdir()) == []
        await check(parley, 500)


async def test_a_file_that_was_stored_when_parley_was_killed_is_not_stored_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_running_parley(tmp_path) as parley:
        imports = parley.application[VoteImports]
        with pytest.MonkeyPatch.context() as dying:

            def die(*_: object) -> None:
                raise MemoryError("as if killed")

            dying.setattr(imports._memory, "learn", die)
            dying.setattr(vote_imports.log, "error", lambda *_args, **_more: None)
            problem = await bring(parley, lines([line(number) for number in range(30)]), 503)
        assert problem["code"] == "import_interrupted"
        assert await rows_of(parley, "select count(*) from votes") == [(30,)]
        imports.open()
        await imports.finished()
        assert list(imports._stages.iterdir()) == []
        assert parley.application[VotesService]._card("old-model").name == "old-model"
        await check(parley, 30)


def as_earlier(row: tuple[Any, ...], *, is_sqlite: bool) -> list[Any]:
    """A row as stage files had it before they were databases."""
    values = dict(zip(COLUMNS, row, strict=True))
    ids = {} if is_sqlite else {name: values[name].hex() for name in ("id", "voter_id")}
    moment = datetime.fromisoformat(values["created_at"] + "Z")
    own = {"created_at": values["created_at"] if is_sqlite else moment}
    more = {"seats": None, "processing_status": 2 if is_sqlite else "staged", "origin": "import"}
    return [{**values, **ids, **own, **more}[name] for name in staging._EARLIER_COLUMNS]


async def test_a_stage_file_of_an_earlier_version_is_stored_after_the_upgrade(
    parley: RunningParley,
) -> None:
    imports, is_sqlite = parley.application[VoteImports], parley.application[Database].is_sqlite
    imports._stages.mkdir(parents=True, exist_ok=True)
    with (imports._stages / "0123.votes").open("wb") as file:
        for first in (1, 5):
            made = vote_records([staged(number) for number in range(first, first + 4)], NOW)
            rows = [as_earlier(row, is_sqlite=is_sqlite) for row in zip(*made.columns, strict=True)]
            record = {"type": "rows", "rows": rows, "packed": made.packed, "exclusions": []}
            write_frame(file, msgspec.msgpack.encode(record))
        write_frame(file, msgspec.msgpack.encode({"type": "models", "cards": [], "votes": 8}))
    imports.open()
    await imports.finished()
    assert list(imports._stages.iterdir()) == []
    await check(parley, 8)
    assert await rows_of(parley, "select count(*) from votes where excluded_reason = 'broken'") == [(1,)]


async def test_a_stage_file_of_an_unknown_version_is_kept_and_explained(
    parley: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    imports = parley.application[VoteImports]
    imports._stages.mkdir(parents=True, exist_ok=True)
    path = imports._stages / "0123.votes"
    with path.open("wb") as file:
        write_frame(file, msgspec.msgpack.encode({"type": "votes", "votes": []}))
    imports.open()
    await imports.finished()
    assert "another version of Parley wrote this file" in caplog.text
    assert list(imports._stages.iterdir()) == [path]


async def test_progress_is_reported_while_it_goes(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lines([line(number) for number in range(400)])
    headers = {**NDJSON, "Accept": "text/event-stream"}
    answer = await parley.client.post("/api/votes/import", content=data, headers=headers)
    events = [
        msgspec.json.decode(part.removeprefix(b"data: ")) for part in answer.content.split(b"\n\n") if part
    ]
    assert events[-1]["kind"] == "import.done"
    assert events[-1]["report"]["imported"] == 400
    shares = [event["done"] for event in events if event["kind"] == "import.progress"]
    assert shares == sorted(shares)
    assert {event["phase"] for event in events[:-1]} == {"reading", "storing"}
    failed = await parley.client.post("/api/votes/import", content=b"[]\n", headers=headers)
    event = msgspec.json.decode(failed.content.strip().rpartition(b"\n\n")[2].removeprefix(b"data: "))
    assert (event["kind"], event["error"]["code"]) == ("import.failed", "invalid_input")


async def test_an_import_that_nobody_waits_for_any_more_is_taken_back(parley: RunningParley) -> None:
    path = parley.application[VoteImports].new_upload()
    path.write_bytes(lines([line(number) for number in range(3000)]))
    run = parley.application[VoteImports].run(
        inside("owner"), path, "jsonl", "votes.jsonl", vote_imports.ImportOptions(batch_votes=500)
    )
    await anext(run)
    refused = await bring(parley, lines([line(1)]), 409)
    assert refused["code"] == "import_running"
    await run.aclose()
    assert await rows_of(parley, "select count(*) from votes") == [(0,)]
    assert [it for it in path.parent.iterdir() if it != path] == []
    path.unlink()
    assert (await bring(parley, lines([line(1)])))["imported"] == 1


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_client_that_leaves_while_its_file_is_read_takes_the_import_back(
    accept: str, parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, taken = VoteFileReader.take, list[int]()

    def slowly(self: VoteFileReader, at_most: int) -> list[Any]:
        time.sleep(0.02)
        taken.append(self.read)
        return take(self, min(at_most, 10))

    monkeypatch.setattr(VoteFileReader, "take", slowly)
    data = lines([line(number) for number in range(3000)])
    host, port = parley.base_url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /api/votes/import HTTP/1.1\r\nHost: {host}:{port}\r\nAccept: {accept}\r\n"
    head += f"Content-Type: application/x-ndjson\r\nOrigin: {parley.base_url}\r\nContent-Length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    while not taken:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    writer.transport.abort()
    async with asyncio.timeout(2):
        while parley.application[VoteImports]._reading:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert await rows_of(parley, "select count(*) from votes") == [(0,)]
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []
    monkeypatch.undo()
    assert (await bring(parley, lines([line(1)])))["imported"] == 1


@ON_EVERY_KIND
async def test_half_an_import_is_seen_by_nobody_and_votes_go_on_meanwhile(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    parley.upstream.reply("Yes.")
    battle = await parley.battle("Meanwhile?")
    path = parley.application[VoteImports].new_upload()
    path.write_bytes(lines([line(number) for number in range(900)]))
    run = parley.application[VoteImports].run(
        inside("owner"), path, "jsonl", "votes.jsonl", vote_imports.ImportOptions(batch_votes=100)
    )
    seen: set[int] = set()
    async for event in run:
        if getattr(event, "phase", None) == "storing":
            seen.add(len((await export(parley)).splitlines()))
            if battle:
                await parley.vote(battle["battle_id"])
                battle = None
            assert (await check_audit(parley.application[Database])).ok
    path.unlink()
    assert seen <= {0, 1, 900, 901}
    assert len((await export(parley)).splitlines()) == 901
    await check(parley, 901)


async def test_a_large_file_is_read_in_another_process_and_refused_by_its_lines(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote_imports, "READ_HERE_BYTES", 0)
    rows = [line(number) for number in range(300)]
    bad = await bring(parley, lines([*rows, line(300, winner="?")]), 422)
    assert bad["result"]["bad_rows"][0]["line"] == 301
    assert await rows_of(parley, "select count(*) from votes") == [(0,)]
    report = await bring(parley, lines([*rows, *rows[:10]]))
    assert (report["imported"], report["duplicates"]) == (300, 10)
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []
    await check(parley, 300)


async def test_a_large_file_without_a_column_is_refused_by_the_process_that_reads_it(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote_imports, "READ_HERE_BYTES", 0)
    refused = await bring(parley, b'{"a": 1}\n', 422)
    assert "no column" in refused["title"]
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []
