"""Tools over HTTP: what only reads runs; what may change something asks once, and runs once."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.connectors.demo import catalog
from parley.features.tables.python_tool import PythonTool
from parley.features.tables.service import TablesService
from parley.features.tools.service import SessionToolbox
from parley.features.tools.sources import SourceTool
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolCallView, ToolResult
from tests.api.test_tables import ORDERS, ask, attach
from tests.fakes.running import RunningParley, a_running_parley

PARAMETERS: dict[str, object] = {"type": "object", "properties": {}}


class Desk:
    """A source with one tool that reads and one that writes; `ran` are the calls."""

    name = "desk"
    title = "Desk"

    def __init__(self) -> None:
        self.ran: list[tuple[str, dict[str, object]]] = []

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Both tools, in every session."""
        look = Tool(name="look_up", description="Look something up.", parameters=PARAMETERS)
        send = Tool(name="send_mail", description="Send a mail.", parameters=PARAMETERS)
        return (SourceTool(tool=look, reads_only=True), SourceTool(tool=send))

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """None."""
        return {}

    async def close(self) -> None:
        """Nothing to release."""

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Note the call."""
        self.ran.append((name, arguments))
        return ToolResult(text="done")


@pytest.fixture
async def parley(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[RunningParley]:
    monkeypatch.setattr(catalog, "DEMO_URL", "demo://?speed=1000")
    async with a_running_parley(tmp_path, demo_models="on") as running:
        yield running


@pytest.fixture
def desk(parley: RunningParley) -> Desk:
    desk = Desk()
    parley.application[SessionToolbox].add(desk)
    return desk


async def sessions(parley: RunningParley) -> list[dict[str, Any]]:
    return (await parley.get("/api/sessions"))["sessions"]


async def answer(parley: RunningParley, name: str, *, allowed: bool) -> None:
    """Answer the tool that waits, once its session is there."""
    async with asyncio.timeout(20):
        while not (there := await sessions(parley)):  # noqa: ASYNC110 - the server is asked
            await asyncio.sleep(0.05)
    path = f"/api/sessions/{there[0]['id']}/tools/{name}"
    assert (await parley.client.put(path, json={"allowed": allowed})).status_code == 204


async def test_a_tool_that_only_reads_runs(parley: RunningParley, desk: Desk) -> None:
    turn = await ask(parley, 'Use look_up with {"word": "ticket"}')
    assert desk.ran == [("look_up", {"word": "ticket"})]
    assert "done" in turn["replies"][-1]["text"]


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_tool_that_writes_waits_for_the_person(
    parley: RunningParley, desk: Desk, *, allowed: bool
) -> None:
    turn, _ = await asyncio.gather(ask(parley, "Use send_mail"), answer(parley, "send_mail", allowed=allowed))
    assert len(desk.ran) == int(allowed)
    (call,) = turn["tools"]
    error = call["result"]["error"]
    assert (error and error["code"]) == (None if allowed else "tool_not_allowed")
    tools = (await parley.get(f"/api/sessions/{turn['session_id']}/tools"))["tools"]
    assert {tool["name"]: tool["allowed"] for tool in tools} == {"look_up": None, "send_mail": allowed}


async def test_a_tool_that_is_off_is_neither_offered_nor_run(parley: RunningParley, desk: Desk) -> None:
    off = await parley.client.put("/api/tools/look_up", json={"enabled": False})
    assert off.status_code == 204
    turn = await ask(parley, "Use look_up")
    assert (turn.get("tools") or [], desk.ran) == ([], [])
    assert (await parley.client.put("/api/tools/unknown", json={"enabled": False})).status_code == 404


async def test_a_writing_call_that_had_begun_is_not_begun_again(parley: RunningParley, desk: Desk) -> None:
    turn, _ = await asyncio.gather(ask(parley, "Use send_mail"), answer(parley, "send_mail", allowed=True))
    (call,) = turn["tools"]
    owner = parley.application[SessionToolbox]
    scene = ToolScene(
        owner_id=await owner_of(parley, turn["id"]),
        asker_id=await owner_of(parley, turn["id"]),
        session_id=turn["session_id"],
        turn_id=turn["id"],
        question="",
    )
    again = await owner.run(scene, msgspec.convert({**call, "result": None}, ToolCallView), {})
    assert again.error is not None
    assert again.error.code == "tool_interrupted"
    assert len(desk.ran) == 1


async def owner_of(parley: RunningParley, turn_id: str) -> str:
    from parley.storage.turn_log import SqlTurnLog

    return (await parley.application[SqlTurnLog].read(turn_id)).owner_id


async def test_python_runs_over_the_tables_of_a_session(parley: RunningParley) -> None:
    turn = await ask(parley, "Hello", await attach(parley, ORDERS.encode()))
    owner_id = await owner_of(parley, turn["id"])
    scene = ToolScene(
        owner_id=owner_id, asker_id=owner_id, session_id=turn["session_id"], turn_id="", question=""
    )
    tool = PythonTool(parley.application[TablesService])
    code = "def run(tables):\n    return sum(row['units'] for row in tables['orders'])"
    assert (await tool.run(scene, "run_python", {"code": code})).text == "12"
