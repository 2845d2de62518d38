"""Tests of crashes and stops: a real process is killed in mid-stream and started again."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import Client, EventStream, kinds, read_all, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("sqlite")

FAST, SLOW = "ada", "bob"
GRACE_S = 40
"""How long a server waits for streams that do not end by themselves."""

FAST_TEXT, SLOW_TEXT = "A quick answer.", "A slow answer that takes its time."


@pytest.fixture
async def upstream() -> AsyncIterator[ScriptedUpstream]:
    async with ScriptedUpstream() as up:
        up.reply(FAST_TEXT, model=FAST)
        up.reply("A slow answer ", "that takes ", "its time.", hold_after=1, model=SLOW)
        yield up


@pytest.fixture
def start(tmp_path: Path, upstream: ScriptedUpstream):
    models = write_models(tmp_path / "models.yaml", upstream.url, (FAST, SLOW))
    with processes(tmp_path, models) as begin:
        yield begin


async def ready(server: ParleyProcess) -> Client:
    await asyncio.to_thread(server.wait_until_ready)
    return Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False)


async def follow(client: Client, turn_id: str) -> list[dict[str, Any]]:
    """Follow a turn as the page does: connect again until its end has come."""
    async with asyncio.timeout(40):
        while True:
            async with client.stream("GET", f"/api/turns/{turn_id}/events") as response:
                events = await EventStream(response).rest()
            if read_all(events).end:
                return events
            await asyncio.sleep(0.05)


def row(data: Path, query: str) -> Any:
    with closing(sqlite3.connect(f"file:{data / 'parley.db'}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


async def a_battle_in_mid_stream(client: Client, upstream: ScriptedUpstream, data: Path) -> tuple[Any, Any]:
    """Begin a battle; return (match, turn) once one seat's answer is stored and the other speaks."""
    stream = client.stream(
        "POST", "/api/sessions", json={"prompt": "Hi"}, headers={"Accept": "text/event-stream"}
    )
    async with stream as response:
        events = EventStream(response)
        snapshot = await events.until("turn.snapshot")
        await events.until_said()
    await upstream.wait_for_requests(2)
    async with asyncio.timeout(40):
        while row(data, "select count(*) from replies where status = 'completed'") != [(1,)]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return snapshot["match"], snapshot["turn"]


async def finishes_well(client: Client, upstream: ScriptedUpstream, match: Any, turn: Any) -> None:
    """The resumed turn ends with the right texts, both sides were asked anew, and a vote works."""
    await upstream.wait_for_requests(4)
    upstream.release()
    events = await follow(client, turn["id"])
    assert kinds(events)[-1] == "turn.completed"
    assert sorted(read_all(events).texts().values()) == sorted([FAST_TEXT, SLOW_TEXT])
    assert Counter(request.model for request in upstream.chats) == {FAST: 2, SLOW: 2}
    vote = (await client.post(f"/api/battles/{match['id']}/vote", json={"vote": "left"})).json()
    assert {vote["left"]["model_id"], vote["right"]["model_id"]} == {FAST, SLOW}
    shown = (await client.get(f"/api/turns/{turn['id']}")).json()
    by_model = {seat["name"]: seat["model"]["id"] for seat in shown["match"]["seats"]}
    texts = {by_model[reply["seat"]]: reply["text"] for reply in shown["turn"]["replies"]}
    assert texts == {FAST: FAST_TEXT, SLOW: SLOW_TEXT}


async def test_a_killed_server_goes_on_where_it_was(
    tmp_path: Path, upstream: ScriptedUpstream, start
) -> None:
    data = tmp_path / "data"
    first = start()
    async with await ready(first) as client:
        match, turn = await a_battle_in_mid_stream(client, upstream, data)
        await asyncio.to_thread(first.kill)
    second = start()
    async with await ready(second) as client:
        again = (await client.get(f"/api/turns/{turn['id']}")).json()
        assert again["turn"]["play"] == 2
        await finishes_well(client, upstream, match, turn)
    assert row(data, "pragma integrity_check") == [("ok",)]
    code, _ = await asyncio.to_thread(second.stop)
    assert code == 0
    third = start()
    async with await ready(third) as client:
        result = await client.post(f"/api/battles/{match['id']}/vote", json={"vote": "right"})
        assert result.status_code == 409, result.text
        assert result.json()["result"]["vote"] == "left"
    assert len(upstream.chats) == 4


async def test_a_stop_with_open_streams_is_quick_and_the_turn_goes_on_later(
    tmp_path: Path, upstream: ScriptedUpstream, start
) -> None:
    first = start(PARLEY_STOP_GRACE=str(GRACE_S))
    async with await ready(first) as client:
        match, turn = await a_battle_in_mid_stream(client, upstream, tmp_path / "data")
        paths = (f"/api/turns/{turn['id']}/events", f"/api/sessions/{turn['session_id']}/events")

        async def watch(path: str) -> list[str]:
            async with client.stream("GET", path, timeout=50) as response:
                return kinds(await EventStream(response).rest())

        watching = [asyncio.create_task(watch(path)) for path in paths * 3]
        waiting = asyncio.create_task(
            client.post(
                "/api/sessions", json={"prompt": "Wait", "mode": "chat", "seats": {"assistant": SLOW}}
            )
        )
        await upstream.wait_for_requests(3)
        code, seconds = await asyncio.to_thread(first.stop)
        assert (code, seconds < GRACE_S) == (0, True), first.log.read_text("utf-8")
        for task in watching:
            assert not {"turn.completed", "turn.failed", "turn.stopped"} & set(await task)
        assert (await waiting).json()["status"] in ("interrupted", "running")
        assert "Traceback" not in first.log.read_text("utf-8")
    await upstream.wait_until_closed()
    second = start()
    async with await ready(second) as client:
        await upstream.wait_for_requests(6)
        upstream.release()
        events = await follow(client, turn["id"])
        assert sorted(read_all(events).texts().values()) == sorted([FAST_TEXT, SLOW_TEXT])
        assert Counter(request.model for request in upstream.chats) == {FAST: 2, SLOW: 4}
        vote = await client.post(f"/api/battles/{match['id']}/vote", json={"vote": "tie"})
        assert vote.status_code == 200


async def test_a_second_server_on_the_same_folder_refuses_clearly(start) -> None:
    await (await ready(start())).aclose()
    second = start()
    code = await asyncio.to_thread(second.process.wait, 90)
    said = second.log.read_text("utf-8")
    assert code == 2
    assert said.startswith("error: Another Parley is using the data folder")
    assert "--data-dir" in said
    assert "Traceback" not in said


async def test_a_start_that_cannot_be_is_explained(tmp_path: Path, start) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is not a database, " * 500)
    away = {"PARLEY_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "PARLEY_DATA_DIR": "one"}
    broken = {"PARLEY_DATABASE_URL": "sqlite:///broken.db", "PARLEY_DATA_DIR": "two"}
    cases = [
        (start(**away), "error: The database cannot be opened: "),
        (start(**broken), "error: The database cannot be opened: file is not a database"),
        (start(PARLEY_DATA_DIR="/dev/null/x"), "error: The data folder /dev/null/x cannot be used: "),
    ]
    for server, words in cases:
        code = await asyncio.to_thread(server.process.wait, 90)
        said = server.log.read_text("utf-8")
        assert "Traceback" not in said, said[-1500:]
        assert (code, said[: len(words)]) == (2, words)


async def test_a_resumed_turn_asks_each_seat_by_its_own_settings(upstream: ScriptedUpstream, start) -> None:
    careful = {"temperature": 0.2, "max_output_tokens": 50, "system_prompt": "Be careful."}
    chat = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": SLOW}}
    first = start()
    async with await ready(first) as client:
        body = {**chat, "seat_settings": {"assistant": careful}}
        asked = client.stream("POST", "/api/sessions", json=body, headers={"Accept": "text/event-stream"})
        async with asked as response:
            turn = (await EventStream(response).until("turn.snapshot"))["turn"]
            await upstream.wait_for_requests(1)
            await asyncio.to_thread(first.kill)
    second = start()
    async with await ready(second) as client:
        await upstream.wait_for_requests(2)
        upstream.release()
        assert kinds(await follow(client, turn["id"]))[-1] == "turn.completed"
    bodies = [request.json for request in upstream.chats]
    assert bodies[0] == bodies[1]
    assert (bodies[0]["temperature"], bodies[0]["messages"][0]["content"]) == (0.2, "Be careful.")
