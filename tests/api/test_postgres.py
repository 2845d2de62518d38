"""One way through the whole contract on each database: SQLite, and PostgreSQL where one is there."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from parley.kernel.ids import random_id
from tests.fakes.house import RunningParley, a_running_parley, kinds, read_all

SERVER = os.getenv("PARLEY_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432")  # noqa: TID251


@asynccontextmanager
async def own_database() -> AsyncIterator[str]:
    """A PostgreSQL database that nobody else uses, dropped afterwards."""
    try:
        async with asyncio.timeout(5):
            connection = await asyncpg.connect(f"{SERVER}/test")
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        pytest.skip(f"NO POSTGRESQL at {SERVER}, so nothing was tested on it: {error}")
    name = f"parley_{random_id()[:12]}"
    await connection.execute(f"CREATE DATABASE {name}")
    try:
        yield f"{SERVER}/{name}"
    finally:
        await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await connection.close()


@pytest.fixture(params=["sqlite", "postgresql"])
async def stored(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[RunningParley]:
    async with AsyncExitStack() as open_things:
        settings = {}
        if request.param == "postgresql":
            settings["database_url"] = await open_things.enter_async_context(own_database())
        running = await open_things.enter_async_context(a_running_parley(tmp_path, **settings))
        assert running.house.database.is_sqlite is (request.param == "sqlite")
        yield running


async def test_the_whole_way_of_a_session(stored: RunningParley) -> None:
    parley = stored
    parley.upstream.reply("An ", "answer\x00.", reasoning=["Hm."])
    key = {"Idempotency-Key": "k"}
    events = await parley.events("POST", "/api/sessions", {"prompt": "Hi\x00 there"}, headers=key)
    assert kinds(events)[-2:] == ["ballot.opened", "turn.completed"]
    assert set(read_all(events).texts().values()) <= {"An answer\ufffd.", "An answer\x00."}
    match, turn = events[0]["match"], events[0]["turn"]
    same = await parley.post("/api/sessions", {"prompt": "Hi\x00 there"}, headers=key)
    assert same["turn_id"] == turn["id"]
    await parley.post("/api/sessions", {"prompt": "Other"}, 422, headers=key)
    await parley.post(f"/api/battles/{match['id']}/messages", {"content": "More"})
    path = f"/api/battles/{match['id']}/vote"
    votes = await asyncio.gather(
        *(parley.visitor().post(path, json={"vote": "left", "reason": "So\x00."}) for _ in range(6))
    )
    assert sorted(vote.status_code for vote in votes) == [200] + [409] * 5
    vote = next(vote.json() for vote in votes if vote.status_code == 200)
    assert (vote["left"]["elo_after"], vote["right"]["elo_after"]) == (1516.0, 1484.0)
    parent = {"turn_id": turn["id"], "seat": "left"}
    body = {"prompt": "Why?", "mode": "chat", "continue_from": parent, "brief": {"system_prompt": "\x00"}}
    await parley.post(f"/api/sessions/{match['session_id']}/matches", body)
    for number in range(4):
        await parley.chat(f"Chat {number}")
    seen, cursor = [], None
    while True:
        page = await parley.get(
            "/api/sessions", params={"limit": 2, **({"cursor": cursor} if cursor else {})}
        )
        seen += [card["title"] for card in page["sessions"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == ["Chat 3", "Chat 2", "Chat 1", "Chat 0", "Hi\ufffd there"]
    found = await parley.get("/api/sessions", params={"search": "MORE\x00"})
    assert [card["id"] for card in found["sessions"]] == [match["session_id"]]
    await parley.post("/api/sessions", {"prompt": "x", "mode": "m" * 300}, 422)
    await parley.get("/api/turns/%00", 404)
    await parley.get("/api/sessions/" + "x" * 300, 404)
    view = await parley.get(f"/api/sessions/{match['session_id']}")
    assert [len(record["turns"]) for record in view["matches"]] == [2, 1]
    await parley.client.delete(f"/api/sessions/{match['session_id']}")
    assert await parley.house.sessions.purge() == 0
    assert len((await parley.get("/api/sessions"))["sessions"]) == 4


async def test_keys_and_follow_ups_that_race(stored: RunningParley) -> None:
    parley = stored
    body = {"prompt": "Hi", "mode": "chat"}
    parley.upstream.reply("Slow ", "answer.", delay=0.05)
    first = await asyncio.gather(
        *(
            parley.visitor().post("/api/sessions", json=body, headers={"Idempotency-Key": "r"})
            for _ in range(5)
        )
    )
    assert {answer.json()["status"] for answer in first} == {"completed"}
    assert len({answer.json()["turn_id"] for answer in first}) == 1
    path = f"/api/matches/{first[0].json()['match_id']}/turns"
    following = await asyncio.gather(
        *(parley.visitor().post(path, json={"input": {"text": "On"}}) for _ in range(5))
    )
    assert sorted(answer.status_code for answer in following) == [200, 409, 409, 409, 409]
    assert len(parley.upstream.chats) == 2
