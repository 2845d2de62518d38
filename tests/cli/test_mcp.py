"""Tests of `parley mcp`: an agent's client finds the tools, and they ask a running Parley."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client

from parley import cli
from parley.cli.client import ApiClient
from parley.cli.mcp_tools import ModelTools, make_server
from parley.wire.http import HttpClient, WireOptions
from tests.fakes.running import RunningParley, a_running_parley


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path) as running:
        yield running


@pytest.fixture
async def client(parley: RunningParley) -> AsyncGenerator[ApiClient]:
    http = HttpClient(WireOptions(allow_loopback=True, allowed_origins=frozenset({parley.base_url})))
    yield ApiClient(http, parley.base_url)
    await http.close()


async def test_the_tools_are_described(client: ApiClient):
    tools = await make_server(client).list_tools()
    assert [tool.name for tool in tools] == ["models", "ask", "compare", "consortium", "leaderboard"]
    assert all(tool.description for tool in tools)


async def test_a_model_is_asked_and_several_are_compared(parley: RunningParley, client: ApiClient):
    parley.upstream.reply("Ada here", model="ada", times=9)
    parley.upstream.fail(400, model="bob", times=9)
    tools = ModelTools(client)
    assert {"id": "ada", "name": "Ada"} in await tools.models()
    assert await tools.ask("ada", "Hello", system="Be short", max_tokens=9) == "Ada here"
    sent = parley.upstream.chats[-1].json
    assert (sent["messages"][0], sent["max_tokens"]) == ({"role": "system", "content": "Be short"}, 9)
    ada, bob, gone = await tools.compare(["ada", "bob", "gone"], "Hello")
    assert (ada["answer"], bob["answer"]) == ("Ada here", None)
    assert "refused" in str(bob["error"])
    assert "no model “gone”" in str(gone["error"])


async def test_the_leaderboard_is_read(client: ApiClient):
    assert await ModelTools(client).leaderboard() == []


async def test_an_agent_reaches_it_over_standard_input_and_output(parley: RunningParley, tmp_path: Path):
    parley.upstream.reply("Ada here", times=9)
    arguments = [
        "-m",
        "parley",
        "mcp",
        "--url",
        f"{parley.base_url}/v1",
        "--data-dir",
        str(tmp_path / "other"),
    ]
    paths = {"PYTHONPATH": str(Path(cli.__file__).parents[2])}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=paths)

    async def session() -> Any:
        async with stdio_client(server) as streams, ClientSession(*streams) as client:
            await client.initialize()
            return await client.call_tool("ask", {"model": "ada", "prompt": "Hello"})

    result = await asyncio.wait_for(session(), 60)
    assert (result.content[0].text, bool(result.is_error)) == ("Ada here", False)
