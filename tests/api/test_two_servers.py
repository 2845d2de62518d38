"""Servers as processes on PostgreSQL: one works from start to restart, a second one on the same database is refused."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.fakes.databases import a_blank_database, connect
from tests.fakes.process import ParleyProcess, processes
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = pytest.mark.databases("postgresql")


@pytest.fixture
async def url() -> AsyncGenerator[str]:
    async with a_blank_database() as url:
        yield url


@pytest.fixture
async def upstream() -> AsyncGenerator[ScriptedUpstream]:
    async with ScriptedUpstream() as up:
        yield up


async def first_words_are_stored(url: str) -> None:
    outside = await connect(url.rpartition("/")[2])
    try:
        async with asyncio.timeout(40):
            while await outside.fetchval("select text from replies") != "Slow ":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        await outside.close()


async def ready(server: ParleyProcess) -> Client:
    await asyncio.to_thread(server.wait_until_ready)
    return Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False)


async def test_a_server_keeps_everything_in_postgresql(
    url: str, upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    models = write_models(tmp_path / "models.yaml", upstream.url, ("ada", "bob"))
    with processes(tmp_path, models) as start:
        server = await asyncio.to_thread(lambda: start(PARLEY_DATABASE_URL=url))
        async with await ready(server) as client:
            made = await client.post("/api/sessions", json={"prompt": "Hi"})
            assert made.is_success, made.text
            battle = made.json()
            vote = await client.post(f"/api/battles/{battle['match_id']}/vote", json={"vote": "left"})
            assert vote.status_code == 200, vote.text
        code, _ = await asyncio.to_thread(server.stop)
        assert code == 0, server.log.read_text("utf-8")
        assert not (tmp_path / "data" / "parley.db").exists()
        again = await asyncio.to_thread(lambda: start(PARLEY_DATABASE_URL=url))
        async with await ready(again) as client:
            listed = (await client.get("/api/sessions")).json()["sessions"]
            assert [card["id"] for card in listed] == [battle["session_id"]]
            second = await client.post(f"/api/battles/{battle['match_id']}/vote", json={"vote": "right"})
            assert second.status_code == 409


async def test_a_second_server_on_the_same_database_is_refused_and_plays_no_turn_of_the_first(
    url: str, upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    upstream.reply("Slow ", "answer.", hold_after=1)
    models = write_models(tmp_path / "models.yaml", upstream.url, ("ada",))
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with (
        processes(tmp_path / "first", models) as start,
        processes(tmp_path / "second", models) as start_beside,
    ):
        async with await ready(await asyncio.to_thread(lambda: start(PARLEY_DATABASE_URL=url))) as client:
            body = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}}
            asked = asyncio.create_task(client.post("/api/sessions", json=body))
            await upstream.wait_for_requests(1)
            await first_words_are_stored(url)
            beside = await asyncio.to_thread(lambda: start_beside(PARLEY_DATABASE_URL=url))
            code: int | None = None
            for _ in range(400):
                code = beside.process.poll()
                if code is not None or len(upstream.chats) > 1:
                    break
                await asyncio.sleep(0.1)
            upstream.release()
            answer = await asked
        assert (code, len(upstream.chats)) == (2, 1), "the second server was not refused"
        assert "Another Parley" in beside.log.read_text("utf-8")
        assert answer.json()["responses"]["assistant"]["content"] == "Slow answer."
