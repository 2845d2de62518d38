"""Tests of a real server of tools: listed, called, failing, ending and connected again."""

import os
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from pydantic import ValidationError

from parley.features.tools.mcp_server import McpServer
from parley.kernel.errors import Unavailable
from parley.kernel.toolbox import ToolScene
from parley.wire.tool_servers import ToolServerSetting
from tests.fakes.mcp_signed import SignedServer

SCENE = ToolScene(owner_id="owner", asker_id="owner", session_id="session", turn_id="turn", question="?")
PROGRAM = Path(__file__).parents[1] / "fakes" / "mcp_notes.py"


@pytest.fixture
async def notes() -> AsyncGenerator[McpServer]:
    server = McpServer(ToolServerSetting(name="notes", command=(sys.executable, str(PROGRAM))))
    try:
        yield server
    finally:
        await server.close()


@pytest.mark.slow
async def test_tools_of_a_program_are_listed_called_and_fail_in_words(notes: McpServer) -> None:
    tools = {tool.tool.name: tool.reads_only for tool in await notes.tools("owner", None)}
    assert tools["notes_read_notes"] is True
    assert tools["notes_add_note"] is False
    assert (await notes.run(SCENE, "notes_add_note", {"text": "milk"})).text == "1 notes"
    assert (await notes.run(SCENE, "notes_read_notes", {})).text == "milk"
    failed = await notes.run(SCENE, "notes_fail", {})
    assert failed.error is not None
    assert "the shelf is locked" in failed.error.title


@pytest.mark.slow
async def test_a_program_that_ends_is_started_again_by_the_next_call(notes: McpServer) -> None:
    await notes.tools("owner", None)
    with pytest.raises(Unavailable) as lost:
        await notes.run(SCENE, "notes_crash", {})
    assert lost.value.leaf_code == "tool_server_unreachable"
    assert (await notes.run(SCENE, "notes_read_notes", {})).text == "no notes"


@pytest.mark.slow
async def test_what_only_reads_is_called_again_over_a_new_connection_and_what_writes_is_not(
    notes: McpServer,
) -> None:
    await notes.tools("owner", None)
    first = await end_program(notes)
    assert (await notes.run(SCENE, "notes_read_notes", {})).text == "no notes"
    assert await end_program(notes) != first
    with pytest.raises(Unavailable):
        await notes.run(SCENE, "notes_add_note", {"text": "tea"})
    assert (await notes.run(SCENE, "notes_read_notes", {})).text == "no notes"


async def end_program(server: McpServer) -> int:
    """Kill the program; return the number of its process."""
    number = int((await server.run(SCENE, "notes_process", {})).text)
    os.kill(number, signal.SIGKILL)
    return number


async def test_calls_go_on_each_time_an_http_server_starts_again_on_its_port() -> None:
    served = SignedServer(signed=False)
    server = McpServer(ToolServerSetting(name="far", url=served.url))
    for times in range(3):
        async with served.running():
            assert (await server.run(SCENE, "far_whoami", {})).text == "nobody"
            assert (await server.run(SCENE, "far_add_note", {"text": "x"})).text == f"{times + 1} notes"
        with pytest.raises(Unavailable) as gone:
            await server.run(SCENE, "far_whoami", {})
        assert gone.value.leaf_code == "tool_server_unreachable"
    await server.close()


@pytest.mark.parametrize("tool", ["far_whoami", "far_add_note"])
async def test_a_call_in_a_session_that_the_server_has_lost_is_made_once_in_a_new_one(tool: str) -> None:
    served = SignedServer(signed=False)
    served.keeps_sessions = True
    server = McpServer(ToolServerSetting(name="far", url=served.url))
    arguments: dict[str, object] = {"text": "x"} if tool == "far_add_note" else {}
    async with served.running():
        assert (await server.run(SCENE, tool, arguments)).error is None
        for _ in range(2):
            lost, served.sessions = served.sessions, set()
            assert lost, "the server has sessions"
            assert (await server.run(SCENE, tool, arguments)).error is None
            assert served.sessions
            assert not lost & served.sessions
    assert len(served.notes) in (0, 3), "no note was written twice"
    await server.close()


async def test_a_program_that_is_not_there_is_named() -> None:
    server = McpServer(ToolServerSetting(name="gone", title="Gone", command=(f"{os.sep}nowhere",)))
    with pytest.raises(Unavailable, match="Can't reach the tool server “Gone”"):
        await server.tools("owner", None)
    await server.close()


async def test_a_server_at_an_address_that_is_never_allowed_is_refused() -> None:
    server = McpServer(ToolServerSetting(name="meta", url="http://169.254.169.254/mcp"))
    with pytest.raises(Unavailable, match="not allowed to reach"):
        await server.tools("owner", None)
    await server.close()


def test_a_server_has_an_address_or_a_program() -> None:
    with pytest.raises(ValidationError, match="either a url or a command"):
        ToolServerSetting(name="both", url="https://example.org", command=("x",))
    with pytest.raises(ValidationError, match="lower-case"):
        ToolServerSetting(name="Bad name", command=("x",))
