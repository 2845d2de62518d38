"""Several servers on one PostgreSQL and one Redis: each serves every turn, and goes on with those of a dead one."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.databases import a_blank_database
from tests.fakes.ports import free_port
from tests.fakes.process import ParleyProcess, processes
from tests.fakes.redis_server import a_redis_server
from tests.fakes.running import Client, write_models
from tests.fakes.upstream import ScriptedUpstream

pytestmark = [pytest.mark.databases("postgresql"), pytest.mark.slow]

SECRET = base64.b64encode(bytes(32)).decode()


@pytest.fixture
async def upstream() -> AsyncGenerator[ScriptedUpstream]:
    async with ScriptedUpstream() as up:
        yield up


@pytest.fixture
async def shared(tmp_path: Path) -> AsyncGenerator[dict[str, str]]:
    async with (
        a_blank_database() as url,
        a_redis_server(tmp_path, free_port()) as redis,
    ):
        yield {
            "PARLEY_DATABASE_URL": url,
            "PARLEY_REDIS_URL": redis,
            "PARLEY_SECRET_KEY": SECRET,
            "PARLEY_FILES_URL": f"file://{tmp_path / 'files'}",
        }


@pytest.fixture
def start(
    tmp_path: Path, upstream: ScriptedUpstream, shared: dict[str, str]
) -> Iterator[Callable[[str], ParleyProcess]]:
    models = write_models(tmp_path / "models.yaml", upstream.url, ("ada", "bob"))
    with ExitStack() as stack:

        def one(name: str) -> ParleyProcess:
            (tmp_path / name).mkdir()
            return stack.enter_context(processes(tmp_path / name, models))(**shared)

        yield one


async def two(start: Callable[[str], ParleyProcess]) -> tuple[ParleyProcess, ParleyProcess]:
    servers = [await asyncio.to_thread(start, name) for name in ("first", "second")]
    for server in servers:
        await asyncio.to_thread(server.wait_until_ready)
    return servers[0], servers[1]


def a_client(server: ParleyProcess) -> Client:
    return Client(base_url=server.base_url, timeout=50, trust_env=False, verify=False)


async def events(client: Client, turn_id: str) -> AsyncGenerator[dict[str, Any]]:
    async with client.stream("GET", f"/api/turns/{turn_id}/events") as response:
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                yield msgspec.json.decode(line.removeprefix("data: "))


async def begin_chat(client: Client) -> str:
    """Begin a chat without waiting for its answer; return the turn's id."""
    body = {"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}}
    headers = {"accept": "text/event-stream"}
    async with client.stream("POST", "/api/sessions", json=body, headers=headers) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                return msgspec.json.decode(line.removeprefix("data: "))["turn"]["id"]
    raise AssertionError("no turn began")


async def until(stream: AsyncGenerator[dict[str, Any]], words: str) -> None:
    """Read a stream until the words of its reply have come."""
    async with asyncio.timeout(40):
        async for event in stream:
            if words in str(event):
                return
    raise AssertionError(f"the stream ended without “{words}”")


async def test_a_turn_is_shown_and_stopped_at_a_server_that_does_not_play_it(
    start: Callable[[str], ParleyProcess], upstream: ScriptedUpstream
) -> None:
    upstream.reply("Slow ", "answer.", hold_after=1)
    first, second = await two(start)
    async with a_client(first) as here, a_client(second) as there:
        turn_id = await begin_chat(here)
        stream = events(there, turn_id)
        await until(stream, "Slow ")
        assert (await there.get(f"/api/turns/{turn_id}")).json()["turn"]["status"] == "running"
        stopped = await there.post(f"/api/turns/{turn_id}/stop")
        assert stopped.json()["turn"]["status"] == "stopped", stopped.text
        await until(stream, "turn.stopped")
        await stream.aclose()


async def test_a_turn_of_a_killed_server_goes_on_at_another(
    start: Callable[[str], ParleyProcess], upstream: ScriptedUpstream
) -> None:
    upstream.reply("Slow ", "answer.", hold_after=1)
    upstream.reply("A whole answer.")
    first, second = await two(start)
    async with a_client(first) as here, a_client(second) as there:
        turn_id = await begin_chat(here)
        stream = events(there, turn_id)
        await until(stream, "Slow ")
        await asyncio.to_thread(first.kill)
        await until(stream, "turn.completed")
        await stream.aclose()
        turn = (await there.get(f"/api/turns/{turn_id}")).json()["turn"]
        assert [reply["text"] for reply in turn["replies"]] == ["A whole answer."]
        assert len(upstream.chats) == 2
