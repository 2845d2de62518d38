"""Foreign files that are made to harm: what can be read is read, the rest is named, and nothing grows beyond limits."""

import asyncio
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.features.session_files import entries as entries_module
from parley.features.session_files import one_at_a_time, reading
from parley.features.session_files.entries import READER, entries_of, read_entries
from parley.features.session_files.reading import ReadConversation, read_file
from parley.features.session_files.rows import rows_of
from parley.kernel.caller import inside
from parley.kernel.errors import Invalid
from parley.kernel.ids import random_id

TALK = {"messages": [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]}
NOW = "2026-01-02T03:04:05+00:00"


def kept(path: Path, body: object = None) -> tuple[list[str], list[str], str]:
    """Return the titles that were read, why others were not, and why the rest was not."""
    if body is not None:
        path.write_bytes(body if isinstance(body, bytes) else msgspec.json.encode(body))
    titles: list[str] = []
    reasons: list[str] = []
    try:
        for entry in read_file(path, "file.json", lambda _, text: text):
            if isinstance(entry, ReadConversation):
                titles.append(entry.conversation.title)
            else:
                reasons.append(entry.reason)
    except Invalid as error:
        return titles, reasons, error.title
    return titles, reasons, ""


def exported(title: str, *links: tuple[str, str | None]) -> bytes:
    """Return a line of the export of all data: a session of chats, each of a turn and the one it carries on from."""
    matches: list[dict[str, Any]] = []
    for index, (turn, before) in enumerate(links):
        continues = {"turn_id": before, "seat": "assistant"} if before else None
        seat = {"id": "s", "name": "assistant", "role": "assistant", "label": "Ada", "model": None}
        match = {
            "id": f"m{index}",
            "session_id": "x",
            "index": index,
            "mode": "chat",
            "status": "open",
            "blind": False,
            "paced": False,
            "brief": {},
            "ballot": None,
            "vote": None,
            "votes": [],
            "void": None,
            "created_at": NOW,
            "seats": [{**seat, "continues": continues}],
        }
        played = {
            "id": turn,
            "match_id": f"m{index}",
            "session_id": "x",
            "index": 0,
            "status": "completed",
            "input": {"type": "prompt", "text": f"Asked {turn}"},
            "play": 1,
            "round": 0,
            "replies": [],
            "notes": [],
            "interjections": [],
            "error": None,
            "created_at": NOW,
        }
        matches.append({"match": match, "turns": [played]})
    card = {
        "id": random_id(),
        "title": title,
        "mode": "chat",
        "archived": False,
        "pinned": False,
        "unvoted": False,
        "created_at": NOW,
        "updated_at": NOW,
    }
    line = {"kind": "session", "session": {"session": card, "matches": matches}}
    return msgspec.json.encode(line) + b"\n"


@pytest.mark.parametrize(
    "links",
    [
        [("a", "a")],
        [("a", "b"), ("b", "a")],
        [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("e", "a")],
        [("start", None), ("a", "c"), ("b", "a"), ("c", "b"), ("other", "start")],
    ],
    ids=["itself", "two", "three, and two that lead there", "apart from the beginning"],
)
def test_chats_that_continue_each_other_in_a_circle_are_named(
    tmp_path: Path, links: list[tuple[str, str | None]]
) -> None:
    body = exported("Before", ("a", None)) + exported("Circle", *links) + exported("After", ("a", None))
    assert kept(tmp_path / "file", body) == (
        ["Before", "After"],
        ["its chats continue each other in a circle"],
        "",
    )


@pytest.mark.parametrize("loop", [("a",), ("a", "b"), ("a", "b", "c")])
def test_messages_that_follow_each_other_in_a_circle_are_named(tmp_path: Path, loop: tuple[str, ...]) -> None:
    before = dict(zip(loop, (*loop[1:], loop[0]), strict=True))
    said = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["x"]}}
    tree = {name: {"message": said, "parent": at, "children": []} for name, at in before.items()}
    open_webui = {name: {"role": "user", "content": "x", "parentId": at} for name, at in before.items()}
    claude = [
        {"uuid": name, "sender": "human", "text": "x", "parent_message_uuid": at}
        for name, at in before.items()
    ]
    libre = [
        {"messageId": name, "isCreatedByUser": True, "text": "x", "parentMessageId": at}
        for name, at in before.items()
    ]
    files: list[dict[str, Any]] = [
        {"mapping": tree, "current_node": "a"},
        {"mapping": tree},
        {"chat": {"history": {"messages": open_webui, "currentId": "a"}}},
        {"chat": {"history": {"messages": open_webui}}},
        {"chat_messages": claude},
        {"conversationId": "l", "messages": libre},
    ]
    titles, reasons, _ = kept(tmp_path / "file", [*files, {**TALK, "title": "Fine"}])
    assert titles == ["Fine"]
    assert reasons == ["its messages form a loop"] * len(files)


def test_system_messages_between_questions_cost_what_they_are_long(tmp_path: Path) -> None:
    messages: list[dict[str, str]] = []
    for number in range(4_900):
        messages += [
            {"role": "system", "content": f"Rule {number}. {'x' * 600}"},
            {"role": "user", "content": "Why?"},
        ]
    path = tmp_path / "file"
    path.write_bytes(msgspec.json.encode([{"messages": messages}]))
    (entry,) = read_file(path, "file.json", lambda _, text: text)
    assert isinstance(entry, ReadConversation)
    assert entry.notes == ("system messages beyond 1,000,000 characters were left out",)
    conversation = entry.conversation
    rows = list(rows_of(conversation, inside("ada"), {None: "ada"}, datetime(2026, 1, 2, tzinfo=UTC)))
    size = sum(len(repr(row)) for row in rows)
    assert size < 2 * 1_000_000 + 10_000_000
    assert len(msgspec.json.encode(conversation)) < path.stat().st_size


def test_the_same_system_message_before_each_question_holds_once(tmp_path: Path) -> None:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}] * 50
    path = tmp_path / "file"
    path.write_bytes(msgspec.json.encode({"messages": messages}))
    (entry,) = read_file(path, "file.json", lambda _, text: text)
    assert isinstance(entry, ReadConversation)
    conversation = entry.conversation
    assert {conversation.system_prompt(each.rules) for each in conversation.exchanges()} == {"Be brief."}


@pytest.mark.parametrize("start", [b"[", b'{"format": "parley-sessions", "version": 1, "sessions": ['])
def test_of_a_file_that_breaks_off_what_is_there_is_read(tmp_path: Path, start: bytes) -> None:
    whole = msgspec.json.encode([{**TALK, "title": title} for title in ("One", "Two", "Three")])
    titles, reasons, ending = kept(tmp_path / "file", start + whole[1:-20])
    assert (titles, reasons) == (["One", "Two"], [])
    assert ending == "file.json is not a JSON file of conversations: it breaks off."


def test_of_a_zip_with_a_bomb_the_other_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr("conversations-1.json", b" " * (40 << 20))
        for folder in ("a", "b"):
            whole.writestr(f"{folder}/conversations.json", msgspec.json.encode([{**TALK, "title": folder}]))
    titles, _, ending = kept(path)
    assert titles == ["a", "b"]
    assert ending.startswith("file.json: conversations-1.json is too large when unpacked")


@pytest.mark.slow
async def test_millions_of_tiny_conversations_need_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'{"sessions": [' + b"{}," * 3_000_000 + b"{}]}")
    limits = msgspec.structs.replace(READER, memory_mb=160)
    file = await read_entries(path, "file.json", tmp_path / "entries", limits)
    assert file.ending is not None
    assert file.ending.title == "file.json has more than 100,000 conversations."
    assert sum(1 for _ in entries_of(file)) == reading.CONVERSATIONS


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ({"memory_mb": 90}, "needs more than 90 MB of memory to read"),
        ({"seconds": 0.01}, "takes more than 0.01 seconds to read"),
    ],
)
async def test_a_process_at_its_limit_ends_in_words(tmp_path: Path, limit: dict[str, Any], why: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b'{"messages": "' + b"x" * 50_000_000 + b'"}')
    file = await read_entries(path, "f.json", tmp_path / "entries", msgspec.structs.replace(READER, **limit))
    assert file.ending is not None
    assert why in file.ending.title
    assert list(entries_of(file)) == []


async def test_what_was_read_before_a_process_was_stopped_stays(tmp_path: Path) -> None:
    path, entries = tmp_path / "file", tmp_path / "entries"
    path.write_bytes(msgspec.json.encode([{**TALK, "title": "One"}, {**TALK, "title": "Two"}]))
    file = await read_entries(path, "f.json", entries)
    entries.write_bytes(entries.read_bytes()[:-5])
    (entry,) = entries_of(file)
    assert isinstance(entry, ReadConversation)
    assert entry.conversation.title == "One"


async def test_a_cancelled_import_stops_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = tmp_path / "started"
    module = tmp_path / "slow_worker.py"
    module.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(started)!r}).write_text(str(os.getpid()))\n"
        "time.sleep(60)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(entries_module, "WORKER", "slow_worker")
    work = asyncio.create_task(read_entries(tmp_path, "f.json", tmp_path / "entries"))
    while not (started.exists() and started.read_text()):  # noqa: ASYNC110 - another process writes it
        await asyncio.sleep(0.01)
    process = Path("/proc") / started.read_text()
    if not process.parent.is_dir():
        pytest.skip("needs /proc")
    assert process.exists()
    work.cancel()
    await asyncio.wait((work,))
    assert work.cancelled()
    assert not process.exists()


def test_one_conversation_that_takes_too_long_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(fields: dict[str, object], digest: str, *, ours: bool) -> Any:
        if fields.get("title") == "Slow":
            until = time.process_time() + 30
            while time.process_time() < until:
                pass
        return read(fields, digest, ours=ours)

    read = reading.read_messages
    monkeypatch.setattr(reading, "read_messages", slow)
    monkeypatch.setattr(one_at_a_time, "SECONDS", 0.05)
    talks = [{**TALK, "title": title} for title in ("One", "Slow", "Two")]
    assert kept(tmp_path / "file", talks) == (
        ["One", "Two"],
        ["it takes more than 0.05 seconds to read"],
        "",
    )


@pytest.mark.parametrize("number", ["1e999999", "-1e999999", "9" * 100_000, "0." + "9" * 100_000])
def test_a_number_out_of_range_costs_at_most_its_conversation(tmp_path: Path, number: str) -> None:
    odd = (
        b'{"title": "Odd", "create_time": %b, "messages": [{"role": "user", "content": "x"}]}'
        % number.encode()
    )
    fine = msgspec.json.encode({**TALK, "title": "Fine"})
    titles, reasons, ending = kept(tmp_path / "file", b"[%b, %b]" % (odd, fine))
    assert (titles[-1], len(titles) + len(reasons), ending) == ("Fine", 2, "")
