"""Tests of the invariants' checks: each sees the violation that is planted for it, and nothing in a sound record."""

import asyncio
import hashlib
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.invariants import SECRET, InvariantBroken, Watch, in_the_record, one_end_each, secrets_shown
from tests.fakes.upstream import Hang, ScriptedUpstream, delta

TABLES = """
    create table matches (id text primary key, status text);
    create table turns (id text primary key, match_id text references matches(id), status text, play int);
    create table turn_events (turn_id text, seq int, kind text);
    create table replies (id text primary key, turn_id text, attempt int, status text, text text, reasoning text,
        metrics text);
    create table votes (seq integer primary key, id blob, match_id text, choice text, counted int);
    create table calls (reply_id text, attempt int, provider_id text, input_tokens int, output_tokens int,
        cost_micros int, estimated int);
    insert into matches values ('m', 'voted');
    insert into turns values ('t', 'm', 'completed', 1);
    insert into turn_events values ('t', 0, 'turn.started'), ('t', 1, 'reply.completed'), ('t', 2, 'turn.completed');
    insert into replies values ('r', 't', 1, 'completed', 'Well said.', 'Hm.',
        '{"input_tokens": 7, "output_tokens": 2, "cost_micros": 11, "estimated": false}');
    insert into calls values ('r', 1, 'near', 0, 0, 0, 0), ('r', 1, 'far', 7, 2, 11, 0);
    insert into votes values (1, x'76', 'm', 'left', 1);
"""
SILENT_BUT_DEAR = """
    insert into replies values ('s', 't', 1, 'failed', '', '', '{"input_tokens": 3, "cost_micros": 3}')
"""
VOTE = {"match_id": "m", "vote_id": "76", "vote": "left"}


def stream(
    text: str = "Well said.", reasoning: str = "Hm.", end: str = "turn.completed"
) -> list[dict[str, Any]]:
    """An open viewer's stream of the turn."""
    said = {"reply_id": "r", "attempt": 1, "offset": 0}
    return [
        {"kind": "turn.snapshot", "match": {"blind": False}, "turn": {"id": "t", "play": 1, "replies": []}},
        {"kind": "reply.started", "reply_id": "r", "seat": "assistant", "attempt": 1},
        {"kind": "reply.delta", **said, "channel": "reasoning", "end": len(reasoning), "text": reasoning},
        {"kind": "reply.delta", **said, "channel": "text", "end": len(text), "text": text},
        {"kind": "reply.completed", "reply_id": "r", "attempt": 1},
        {"kind": end, "turn_id": "t"},
    ]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "parley.db"
    with closing(sqlite3.connect(path)) as file:
        file.executescript(TABLES)
    return path


def with_audit_log(path: Path, *contents: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(
            "create table audit_log (seq int, vote_id text, kind text, content text, previous_sha256 text, sha256 text)"
        )
        before = "0" * 64
        for number, content in enumerate(contents):
            after = hashlib.sha256((before + content).encode()).hexdigest()
            row = (number + 1, "76", ("vote", "exclusion")[min(number, 1)], content, before, after)
            file.execute("insert into audit_log values (?, ?, ?, ?, ?, ?)", row)
            before = after


def wrong(path: Path, streams: Sequence[list[dict[str, Any]]] = ()) -> set[str]:
    """Which invariants do not hold."""
    problems = in_the_record(path, streams or [stream()], [VOTE])
    return {problem.partition(":")[0] for problem in problems}


def test_a_sound_record_is_sound(record: Path) -> None:
    assert in_the_record(record, [stream()], [VOTE]) == []
    with_audit_log(record, "a vote", "its exclusion")
    assert in_the_record(record, [stream()], [VOTE]) == []


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("delete from votes", {"I1"}),
        ("update votes set choice = 'right'", {"I1"}),
        ("insert into votes values (2, x'77', 'm', 'left', 1)", {"I1"}),
        ("update turns set status = 'running'", {"I3"}),
        ("delete from turn_events where seq = 2", {"I3"}),
        ("insert into turn_events values ('t', 3, 'turn.completed')", {"I3"}),
        ("update replies set text = 'Well said'", {"I3"}),
        ("update replies set reasoning = ''", {"I3"}),
        ("delete from replies", {"I3", "I4"}),
        ("update replies set status = 'streaming'", {"I3", "I4"}),
        ("update replies set status = 'incomplete'", {"I3", "I4"}),
        ("update matches set status = 'void'", {"I4"}),
        ("delete from calls", {"I6"}),
        ("insert into calls values ('r', 1, 'far', 7, 2, 11, 0)", {"I6"}),
        ("update calls set input_tokens = input_tokens + 1", {"I6"}),
        ("update calls set cost_micros = 12 where provider_id = 'far'", {"I6"}),
        ("update calls set estimated = 1 where provider_id = 'far'", {"I6"}),
        (SILENT_BUT_DEAR, {"I4", "I6"}),
        ("delete from matches", {"I7"}),
    ],
)
def test_a_violation_in_the_record_is_seen(record: Path, statement: str, broken: set[str]) -> None:
    with closing(sqlite3.connect(record)) as file, file:
        file.execute(statement)
    assert wrong(record) == broken


def test_votes_on_half_answers_that_do_not_count_are_no_violation(record: Path) -> None:
    with closing(sqlite3.connect(record)) as file, file:
        file.execute("update votes set counted = 0")
        file.execute("update matches set status = 'void'")
    assert wrong(record) == set()


@pytest.mark.parametrize(
    "statement",
    [
        "delete from audit_log",
        "update audit_log set content = 'another vote' where seq = 1",
        "update audit_log set vote_id = 'w' where seq = 1",
        "delete from audit_log where seq = 1",
    ],
)
def test_a_broken_audit_log_is_seen(record: Path, statement: str) -> None:
    with_audit_log(record, "a vote", "its exclusion")
    with closing(sqlite3.connect(record)) as file, file:
        file.execute(statement)
    assert wrong(record) == {"I2"}


def test_a_damaged_file_is_seen(record: Path) -> None:
    with closing(sqlite3.connect(record)) as file, file:
        file.execute("create table filler (id integer primary key, text text unique)")
        rows = [(number, f"{number:08}" * 8) for number in range(2000)]
        file.executemany("insert into filler values (?, ?)", rows)
        page = file.execute("pragma page_size").fetchone()[0]
    raw = bytearray(record.read_bytes())
    raw[-2 * page + 8 : -2 * page + 200] = bytes(192)
    record.write_bytes(raw)
    assert "I7" in wrong(record)


@pytest.mark.parametrize(
    "events",
    [
        stream(text="Well said"),
        stream(text="Well said. And more."),
        stream(reasoning="Hm"),
        stream(end="turn.failed"),
        stream()[:-1],
        stream()[1:],
        [*stream(), {"kind": "turn.completed", "turn_id": "t"}],
        [*stream()[:-1], {"kind": "reply.failed", "reply_id": "r", "status": "failed"}, stream()[-1]],
        [event | {"offset": 1} if event["kind"] == "reply.delta" else event for event in stream()],
    ],
    ids=[
        "shorter",
        "longer",
        "thoughts",
        "other end",
        "no end",
        "no snapshot",
        "two ends",
        "two replies' ends",
        "gap",
    ],
)
def test_a_stream_that_tells_something_else_is_seen(record: Path, events: list[dict[str, Any]]) -> None:
    assert wrong(record, [events]) == {"I3"}


def test_what_a_blind_viewer_was_shown_of_a_failed_turn_is_a_beginning(record: Path) -> None:
    events = [event for event in stream(text="Well")[:-1] if event.get("channel") != "reasoning"]
    events[0]["match"]["blind"] = True
    events = [*(event for event in events if event["kind"] != "reply.completed"), {"kind": "turn.failed"}]
    assert in_the_record(record, [events]) == []
    events[2] = {**events[2], "text": "Will"}
    assert wrong(record, [events]) == {"I3"}


def test_streams_are_looked_at_alone() -> None:
    assert one_end_each([stream()]) == []
    assert one_end_each([stream(), stream()[:-1]]) != []


@pytest.mark.parametrize("text", [SECRET, f"x{SECRET}y", SECRET[:12]])
def test_a_key_that_is_shown_is_found(text: str) -> None:
    assert secrets_shown([b"nothing", text.encode()])
    assert secrets_shown([b"nothing", b"s3cret"]) == []


async def test_what_is_left_behind_is_seen(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fakes.invariants.LEFT_AFTER_S", 0.1)
    async with ScriptedUpstream() as upstream:
        watch = Watch.begin(upstream)
        await watch.check(record)

        forgotten = asyncio.create_task(asyncio.sleep(60), name="forgotten")
        await left_behind(watch, record, "the task forgotten is left")
        forgotten.cancel()
        await asyncio.gather(forgotten, return_exceptions=True)

        one, other = socket.socketpair()
        await left_behind(watch, record, "2 sockets are left")
        one.close()
        other.close()

        child = a_child()
        await left_behind(watch, record, f"the child {child.pid} is left")
        child.kill()
        child.wait()

        _, writer = await asyncio.open_connection(upstream.host, upstream.port)
        await left_behind(watch, record, "1 upstream connections are left")
        upstream.stream(delta(content="on and on"), Hang())
        writer.write(b"POST /v1/chat/completions HTTP/1.1\r\n\r\n")
        await upstream.wait_for_requests(1)
        with pytest.raises(InvariantBroken, match="still sending"):
            await watch.check_asked()
        writer.close()
        await writer.wait_closed()
        await watch.check(record)


def a_child() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])


async def left_behind(watch: Watch, record: Path, words: str) -> None:
    with pytest.raises(InvariantBroken, match=words):
        await watch.check(record)


async def test_a_key_in_a_log_or_a_file_is_seen(record: Path) -> None:
    watch = Watch.begin()
    await watch.check(record, logs="all is well")
    with pytest.raises(InvariantBroken, match="I8"):
        await watch.check(record, logs=f"asked with {SECRET}")
    (record.parent / "notes.txt").write_text(SECRET)
    with pytest.raises(InvariantBroken, match="I8"):
        await watch.check(record)


async def test_what_was_wrong_before_is_not_reported_again(record: Path) -> None:
    with closing(sqlite3.connect(record)) as file, file:
        file.execute("delete from calls")
    await Watch.begin(database=record).check(record)
    with pytest.raises(InvariantBroken, match="I6"):
        await Watch.begin().check(record)
