"""Tests of votes as files: out and in again, whole or not at all, whatever the file holds."""

import asyncio
import csv
import errno
import io
import math
import os
import threading
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import date, datetime
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet
from sqlalchemy import text

from parley.features.standings.runtime import StandingsRuntime
from parley.features.vote_files import imports as vote_imports
from parley.features.vote_files import routes, staging
from parley.features.vote_files.exports import VoteExports
from parley.features.vote_files.frames import write_frame
from parley.features.vote_files.imports import VoteImports
from parley.features.vote_files.reader import VoteFileReader
from parley.features.vote_files.records import vote_records
from parley.features.vote_files.repository import VoteFilesRepository
from parley.features.vote_files.schemas import ImportFailed
from parley.features.vote_history.service import VotesService
from parley.kernel.caller import inside
from parley.kernel.views import ModelCard
from parley.settings import Settings
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from parley.storage.vote_stages import COLUMNS
from tests.api.test_leaderboard import settled
from tests.fakes.ballot_box import BallotBox
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley, a_running_parley
from tests.storage.test_audit_imports import NOW, staged

KINDS = ("jsonl", "csv", "parquet")
NDJSON = {"Content-Type": "application/x-ndjson"}


def line(number: int, **more: Any) -> dict[str, Any]:
    """A row as LMArena's files have it."""
    return {
        "question_id": f"q{number}",
        "model_a": "ada",
        "model_b": "old-model",
        "winner": ("model_a", "model_b", "tie", "tie (bothbad)")[number % 4],
        "judge": f"arena_user_{number % 3}",
        "tstamp": 1_700_000_000.25 + number,
        **more,
    }


def lines(rows: Sequence[dict[str, Any]]) -> bytes:
    return msgspec.json.Encoder().encode_lines(rows)


async def bring(
    parley: RunningParley, data: bytes, status: int = 200, kind: str = "application/x-ndjson", **asked: Any
) -> Any:
    answer = await parley.client.post(
        "/api/votes/import", content=data, params=asked, headers={"Content-Type": kind}
    )
    assert answer.status_code == status, answer.text
    return answer.json()


async def export(parley: RunningParley, kind: str = "jsonl", **asked: Any) -> bytes:
    answer = await parley.client.get("/api/votes/export", params={"format": kind, **asked})
    assert answer.status_code == 200, answer.text
    return answer.content


async def rows_of(parley: RunningParley, query: str) -> list[tuple[Any, ...]]:
    read = await parley.application[Database].read(lambda session: session.execute(text(query)).all())
    return [tuple(row) for row in read]


async def check(parley: RunningParley, votes: int) -> None:
    report = await check_audit(parley.application[Database])
    assert (report.ok, report.votes) == (True, votes), report.broken


@asynccontextmanager
async def another_parley(folder: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(folder / "another") as other:
        yield other


CONTENT = (
    "select choice, left_model_id, right_model_id, counted, not_counted_reason, excluded_reason, categories,"
    " categories_by, prompt_sha256, style, read_ms, propensity, kind, created_at from votes order by seq"
)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_written_comes_in_again_as_the_same_votes(
    kind: str, parley: RunningParley, tmp_path: Path
) -> None:
    parley.upstream.reply("Fine, ", "*very* fine.")
    for vote in ("left", "tie", "both_bad"):
        battle = await parley.battle("How do I sort a list in Python?")
        await parley.vote(battle["battle_id"], vote, reason="=1+1, “so”")
    await bring(
        parley,
        lines(
            [
                line(1, parley_counted=False, parley_reason="identity_leak"),
                line(2, parley_counted=True, parley_excluded="spam"),
                line(3, anony=False),
                line(4, model_b="=cmd|' /C calc'!A0", category=["coding", "own-thing"]),
            ]
        ),
    )
    whole = await export(parley, kind)
    async with another_parley(tmp_path) as other:
        report = await bring(other, whole, kind="application/octet-stream", format=kind)
        assert (report["read"], report["imported"], report["bad"]) == (7, 7, 0)
        assert await rows_of(other, CONTENT) == await rows_of(parley, CONTENT)
        await check(other, 7)
        again = await export(other, kind)
        report = await bring(parley, again, kind="application/octet-stream", format=kind)
        assert (report["imported"], report["duplicates"]) == (0, 7)
        await check(parley, 7)


async def test_an_empty_installation_gets_the_same_table_from_an_export(
    parley: RunningParley, tmp_path: Path
) -> None:
    await BallotBox(models=("ada", "bob", "cleo")).cast(parley.application[Database], 80)
    await bring(
        parley, lines([line(1, parley_counted=False, parley_reason="too_fast"), line(2, winner="tie")])
    )
    parley.application[StandingsRuntime].wake()
    await settled(parley)
    whole = await export(parley)
    async with another_parley(tmp_path) as other:
        assert (await bring(other, whole))["imported"] == 82
        await settled(other)
        for asked in ("", "&method=elo", "&include_uncounted=true", "&category=coding"):
            path = f"/api/leaderboard?min_votes=0{asked}"
            here, there = await parley.get(path), await other.get(path)
            fields = (
                "rating",
                "rank",
                "rank_ub",
                "votes",
                "wins",
                "losses",
                "ties",
                "both_bad",
                "provisional",
            )
            tables = [
                {row["model"]["id"]: [row[name] for name in fields] for row in it["lines"]}
                for it in (here, there)
            ]
            assert tables[0] == tables[1], asked
            assert (here["votes"], here["uncounted"]) == (there["votes"], there["uncounted"])


async def test_texts_are_written_where_they_are_wished_for(parley: RunningParley) -> None:
    parley.upstream.reply("One.")
    battle = await parley.battle("First?")
    await parley.post(f"/api/battles/{battle['battle_id']}/messages", {"content": "Second?"})
    await parley.vote(battle["battle_id"], "left", reason="Clear.")
    (bare,) = msgspec.json.decode(b"[" + (await export(parley)).strip() + b"]")
    assert "conversation_a" not in bare
    assert bare["turn"] == 2
    (vote,) = msgspec.json.decode(b"[" + (await export(parley, texts=True)).strip() + b"]")
    assert vote["conversation_a"] == [
        {"role": "user", "content": "First?"},
        {"role": "assistant", "content": "One."},
        {"role": "user", "content": "Second?"},
        {"role": "assistant", "content": "One."},
    ]
    assert vote["parley_comment"] == "Clear."
    await parley.client.delete(f"/api/sessions/{battle['session_id']}")
    (gone,) = msgspec.json.decode(b"[" + (await export(parley, texts=True)).strip() + b"]")
    assert gone["conversation_a"] is None


async def test_texts_end_with_the_turn_that_was_judged(parley: RunningParley) -> None:
    seats = {"model_1": "ada", "model_2": "bob"}
    asked = {"prompt": "First?", "mode": "compare", "seats": seats}
    match = (await parley.post("/api/sessions", asked))["match_id"]
    await parley.post(f"/api/matches/{match}/vote", {"vote": "tie"})
    await parley.post(f"/api/matches/{match}/turns", {"input": {"type": "prompt", "text": "Second?"}})
    await parley.post(f"/api/matches/{match}/vote", {"vote": "tie"})
    votes = msgspec.json.decode(b"[" + b",".join((await export(parley, texts=True)).splitlines()) + b"]")
    prompts = [[it["content"] for it in vote["conversation_b"] if it["role"] == "user"] for vote in votes]
    assert prompts == [["First?"], ["First?", "Second?"]]


async def test_cells_are_no_formulas_and_uncounted_votes_can_be_left_out(parley: RunningParley) -> None:
    await bring(
        parley, lines([line(1, model_b="=1+1"), line(2, parley_counted=False, parley_reason="too_fast")])
    )
    table = list(csv.DictReader(io.StringIO((await export(parley, "csv")).decode())))
    assert len(table) == 2
    assert not [cell for row in table for cell in row.values() if cell and cell[0] in "=+-@"]
    counted = (await export(parley, include_uncounted=False)).splitlines()
    assert len(counted) == 1


async def test_votes_without_a_judge_stay_without_one(parley: RunningParley, tmp_path: Path) -> None:
    nobody, somebody = line(1), line(2)
    del nobody["judge"]
    await bring(parley, lines([nobody, somebody]))
    whole = await export(parley)
    judges = [msgspec.json.decode(row)["judge"] for row in whole.splitlines()]
    assert judges[0] is None
    assert judges[1] is not None
    async with another_parley(tmp_path) as other:
        assert (await bring(other, whole))["imported"] == 2
        assert (await bring(other, lines([nobody, somebody])))["duplicates"] == 2
        ((vote_id, voter_id),) = await rows_of(other, "select id, voter_id from votes where id = voter_id")
        assert vote_id == voter_id


async def test_a_salt_that_a_crash_left_empty_is_made_anew(parley: RunningParley) -> None:
    salt = parley.application[Settings].data_dir / vote_imports.SALT_FILE
    salt.touch()
    await bring(parley, lines([line(1)]))
    made = salt.read_bytes()
    assert len(made) == 32
    await bring(parley, lines([line(2)]))
    assert salt.read_bytes() == made
    assert len(set(await rows_of(parley, "select voter_id from votes"))) == 2


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("when", ["uploading", "reading"])
async def test_a_disk_that_is_full_is_explained(
    when: str, parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        if when == "reading":
            patched.setattr(vote_imports.StageWriter, "add", full)
        else:
            patched.setattr(routes, "receive_file", full)
        problem = await bring(parley, lines([line(1)]), 503)
    assert (problem["code"], "No space left" in problem["title"]) == ("import_interrupted", True)
    assert await rows_of(parley, "select id from votes") == []
    assert not list((parley.application[Settings].data_dir / "imports").iterdir())
    assert (await bring(parley, lines([line(1)])))["imported"] == 1


async def test_an_export_is_made_beside_the_event_loop(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bring(parley, lines([line(1)]))
    card, threads = parley.application[VoteExports]._card, set[int]()

    def noted(model_id: str) -> ModelCard:
        threads.add(threading.get_ident())
        return card(model_id)

    monkeypatch.setattr(parley.application[VoteExports], "_card", noted)
    assert await export(parley)
    assert threads
    assert threading.get_ident() not in threads, "replies that stream meanwhile would wait"


async def test_a_file_that_comes_twice_changes_nothing(parley: RunningParley) -> None:
    data = lines([line(number) for number in range(30)])
    first = await bring(parley, data)
    assert (first["imported"], first["duplicates"]) == (30, 0)
    second = await bring(parley, data + lines([line(30), line(30)]))
    assert (second["imported"], second["duplicates"]) == (1, 31)
    nameless = [{"model_a": "ada", "model_b": "bob", "winner": "tie"}] * 5
    assert (await bring(parley, lines(nameless)))["imported"] == 5
    assert (await bring(parley, lines(nameless)))["duplicates"] == 5
    await check(parley, 36)


@pytest.mark.parametrize("missing", ["tstamp", "question_id"])
@ON_EVERY_KIND
async def test_a_file_that_overlaps_with_one_before_doubles_nothing(
    missing: str, parley: RunningParley
) -> None:
    rows = [line(number) for number in range(8)]
    for row in rows:
        del row[missing]
    assert (await bring(parley, lines(rows[:5])))["imported"] == 5
    later = await bring(parley, lines([*rows[3:], *rows[:2]]))
    assert (later["imported"], later["duplicates"]) == (3, 4)
    await check(parley, 8)


def parquet_of(**columns: Any) -> bytes:
    given = {"model_a": ["ada"], "model_b": ["bob"], "winner": ["tie"], **columns}
    out = io.BytesIO()
    parquet.write_table(pa.table(given), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        (pa.array([1_718_000_000_123_456_789], pa.timestamp("ns")), "2024-06-10 06:13:20.123456"),
        (pa.array([1_718_000_000], pa.timestamp("s", tz="Asia/Tokyo")), "2024-06-10 06:13:20"),
        (pa.array([date(2024, 6, 10)]), "2024-06-10 00:00:00"),
    ],
    ids=["nanoseconds", "zone", "date"],
)
async def test_times_of_parquet_are_taken_as_they_are(given: Any, stored: str, parley: RunningParley) -> None:
    data = parquet_of(timestamp=given)
    assert (await bring(parley, data, kind="application/vnd.apache.parquet"))["imported"] == 1
    ((moment,),) = await rows_of(parley, "select created_at from votes")
    assert str(moment).startswith(stored)


async def test_a_time_that_no_calendar_has_is_reported_with_its_column(parley: RunningParley) -> None:
    data = parquet_of(tstamp=pa.array([1 << 61], pa.timestamp("us")))
    problem = await bring(parley, data, 422, kind="application/vnd.apache.parquet")
    assert "“tstamp”" in problem["title"]


async def test_messages_of_parts_are_read_as_their_text(parley: RunningParley) -> None:
    said = [{"type": "text", "text": "Write a function that sorts a list in Python"}]
    talk = [{"role": "user", "content": said}, {"role": "assistant", "content": said}]
    await bring(parley, lines([line(1, conversation_a=talk, conversation_b=talk)]))
    plain = [{**message, "content": said[0]["text"]} for message in talk]
    await bring(parley, lines([line(2, conversation_a=plain, conversation_b=plain)]))
    of_parts, of_texts = await rows_of(
        parley, "select categories, prompt_sha256, style from votes order by seq"
    )
    assert of_parts == of_texts
    assert "coding" in str(of_parts[0])


async def test_a_file_of_thousands_of_categories_is_refused(parley: RunningParley) -> None:
    rows = [line(number, category=[f"c{number}-{it}" for it in range(40)]) for number in range(20)]
    problem = await bring(parley, lines(rows), 422)
    assert problem["title"] == "The file names more than 500 categories."
    assert await rows_of(parley, "select id from votes") == []


async def test_what_is_one_vote_within_a_file_is_one_in_two_files_too(
    parley: RunningParley, tmp_path: Path
) -> None:
    same_id = [line(1, tstamp=1_700_000_000 + hour * 3600) for hour in range(3)]
    assert (await bring(parley, lines([*same_id, same_id[0]])))["imported"] == 3
    assert (await bring(parley, lines(same_id)))["duplicates"] == 3
    whole = await export(parley)
    async with another_parley(tmp_path) as other:
        assert (await bring(other, lines(same_id[:1])))["imported"] == 1
        assert (await bring(other, lines(same_id[1:])))["imported"] == 2
        assert (await bring(other, whole))["duplicates"] == 3
    async with another_parley(tmp_path / "third") as third:
        assert (await bring(third, whole))["imported"] == 3


async def test_models_are_found_by_id_name_and_the_providers_name_and_others_are_kept_as_retired(
    parley: RunningParley,
) -> None:
    named = [line(1, model_a="Bob", model_b="GPT 4 (März)"), line(2, model_a="cleo", model_b="GPT 4 (März)")]
    report = await bring(parley, lines(named))
    assert {it["name"]: (it["model_id"], it["new"]) for it in report["models"]} == {
        "Bob": ("bob", False),
        "cleo": ("cleo", False),
        "GPT 4 (März)": ("gpt-4-m-rz", True),
    }
    card = parley.application[VotesService]._card("gpt-4-m-rz")
    assert (card.name, card.enabled) == ("GPT 4 (März)", False)


async def test_bad_rows_are_reported_and_nothing_goes_in_unless_the_good_ones_are_wished_for(
    parley: RunningParley,
) -> None:
    rows = [
        line(0),
        line(1, winner="both"),
        line(2, model_b="ada"),
        line(3, model_a=None),
        line(4, tstamp=-5.0),
        line(5, parley_counted=True, parley_propensity=7),
        line(6, model_b="a\u0007b"),
        line(7, conv_metadata={"sum_assistant_a_tokens": -1}),
        line(8, category=[{"x": 1}]),
        line(9, parley_counted=True, parley_categories="coding"),
        line(10, category="method"),
        line(11, conv_metadata={"sum_assistant_a_tokens": "12"}),
    ]
    data = lines(rows) + b'{"model_a": NaN}\n[1]\n{"model_a": "\xff"}\n'
    refused = await bring(parley, data, 422)
    assert refused["code"] == "bad_rows"
    places = [(row["line"], row["field"]) for row in refused["result"]["bad_rows"]]
    assert places == [
        *((2, "winner"), (3, "model_b"), (4, "model_a"), (5, "tstamp"), (6, "parley_propensity")),
        *((7, "model_b"), (8, "conv_metadata"), (9, "category"), (10, "parley_categories")),
        *((11, "category"), (12, "conv_metadata"), (13, None), (14, None), (15, None)),
    ]
    assert await rows_of(parley, "select count(*) from votes") == [(0,)]
    skipped = await bring(parley, data, skip_bad=True)
    assert (skipped["imported"], skipped["bad"]) == (1, 14)
    dry = await bring(parley, lines([line(50)]), dry_run=True)
    assert (dry["imported"], dry["dry_run"]) == (1, True)
    await check(parley, 1)


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("v.csv", b"model_a,model_b,winners\na,b,tie\n", "did you mean “winners”?"),
        ("v.csv", b"", "The file is empty"),
        ("v.csv", b"model_a,model_a,model_b,winner\n", "twice"),
        ("v.csv", b'model_a,model_b,winner\na,b,"tie\n' + b"x" * (17 << 20), "longer than 16 MiB"),
        ("v.jsonl", b"PK\x03\x04 whatever", "ZIP archive"),
        ("v.jsonl", b"\x1f\x8b\x08 whatever", "compressed with gzip"),
        ("v.parquet", b"PAR1 nothing", "as Parquet"),
        ("v.jsonl", b'{"a": 1}\n', "no column “model_a”"),
    ],
)
async def test_files_that_are_none_are_refused_with_words(
    name: str, data: bytes, words: str, parley: RunningParley
) -> None:
    refused = await bring(parley, data, 422, kind="application/octet-stream", name=name)
    assert words in f"{refused['code']} {refused['title']} {refused.get('detail')}"
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []


@pytest.mark.databases("sqlite")
async def test_a_line_without_end_is_refused_with_bounded_memory(parley: RunningParley) -> None:
    import tracemalloc

    async def endless() -> AsyncGenerator[bytes]:
        yield lines([line(1)]) + b'{"model_a": "'
        for _ in range(200):
            yield b"x" * (1 << 20)
        yield b"\n" + lines([line(2)])

    tracemalloc.start()
    answer = await parley.client.post(
        "/api/votes/import", content=endless(), params={"skip_bad": True}, headers=NDJSON
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    report = answer.json()
    assert (report["imported"], report["bad"]) == (2, 1)
    assert report["bad_rows"] == [{"line": 2, "field": None, "why": "it is longer than 16 MiB"}]
    assert peak < 100 << 20


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


async def test_lmarenas_own_columns_are_understood(parley: RunningParley) -> None:
    row = {
        "id": "abc",
        "model_a": "ada",
        "model_b": "bob",
        "winner": "both_bad",
        "timestamp": "2025-06-01T10:00:00",
        "language": "German",
        "is_code": True,
        "turn": 2,
        "category_tag": {
            "math_v0.1": {"math": True},
            "criteria_v0.1": dict.fromkeys("abcdef", True),
            "if_v0.1": {"if": False, "score": 1},
        },
        "conv_metadata": {
            "sum_assistant_a_tokens": 10,
            "header_count_a": {"h1": 1, "h2": 2},
            "sum_assistant_b_tokens": 5,
            "bold_count_b": {"**": 3},
        },
    }
    await bring(parley, lines([row]))
    assert await rows_of(parley, "select choice, origin from votes") == [("both_bad", "import")]
    (vote,) = [msgspec.json.decode(it) for it in (await export(parley)).splitlines()]
    assert vote["question_id"] == "abc"
    assert vote["category"] == ["coding", "hard-prompts", "language-de", "maths", "multi-turn"]
    assert vote["conv_metadata"]["header_count_a"] == 3
    assert vote["conv_metadata"]["bold_count_b"] == 3
    assert math.isclose(vote["tstamp"], 1748772000.0)


async def test_the_upload_must_be_a_file(parley: RunningParley) -> None:
    refused = await bring(parley, b"{}", 415, kind="application/json")
    assert refused["code"] == "file_required"
    unknown = await bring(parley, b"{}", 422, kind="application/octet-stream")
    assert unknown["field"] == "format"
    wrong = await parley.get("/api/votes/export", 422, params={"format": "xml"})
    assert wrong["field"] == "format"


@pytest.mark.databases("sqlite")
async def test_a_model_that_only_a_file_knew_may_join_the_catalog_and_has_its_votes(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, models=("ada", "bob")) as parley:
        await bring(parley, lines([line(1)]))
        assert not parley.application[VotesService]._card("old-model").enabled
    async with a_running_parley(tmp_path, models=("ada", "old-model")) as parley:
        card = parley.application[VotesService]._card("old-model")
        assert (card.name, card.enabled) == ("Old-model", True)
        assert len((await export(parley)).splitlines()) == 1


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
    again = await bring(parley, lines(rows))
    assert (again["imported"], again["duplicates"]) == (0, 300)
    refused = await bring(parley, b'{"a": 1}\n', 422)
    assert "no column" in refused["title"]
    assert list((parley.application[Settings].data_dir / "imports").iterdir()) == []
    await check(parley, 300)


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
