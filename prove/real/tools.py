"""Uses published servers of tools, in Python and in Node, through a Parley: python -m prove.real.tools."""

import contextlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from prove.real.environments import FOLDER, mcp_command
from prove.real.servers import Parley, Server

EVERYTHING = "@modelcontextprotocol/server-everything"
RUN_S = 60.0
"""How long Parley lets a tool run."""


class Everything(Server):
    """The Node server with one tool of each kind, over HTTP."""

    def __init__(self, folder: Path, node: str, script: Path) -> None:
        super().__init__("everything", folder, "/mcp")
        self._variables = {"PORT": str(self.port)}
        self._command = (node, script, "streamableHttp")

    def serve(self) -> None:
        """Start it."""
        self.start(*self._command)

    def _is_ready(self) -> bool:
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0


class Stage(NamedTuple):
    """The Parley, and the server over HTTP."""

    parley: Parley
    web: Everything

    def use(self, tool: str, **arguments: object) -> Any:
        """Let a demo model call a tool; return the call with its result, once the answer is complete."""
        prompt = f"Use {tool} with {msgspec.json.encode(arguments).decode()}"
        begun = self.parley.post(
            "/api/sessions", {"mode": "chat", "prompt": prompt, "seats": {"assistant": "demo-ada"}}
        )
        assert begun["status"] == "completed", begun
        (match,) = self.parley.get(f"/api/sessions/{begun['session_id']}")["matches"]
        (called,) = match["turns"][0]["tools"]
        assert called["name"] == tool, called
        return called["result"]


def listed(stage: Stage) -> str:
    """Every server has its tools."""
    names = {tool["name"] for tool in stage.parley.get("/api/tools")["tools"]}
    assert {"time_convert_time", "node_get-sum", "web_echo"} <= names, names
    return f"{len(names)} tools"


def called(stage: Stage) -> str:
    """A call reaches each, and its result the model."""
    paris = {"source_timezone": "Europe/Paris", "time": "16:30", "target_timezone": "Asia/Tokyo"}
    converted = stage.use("time_convert_time", **paris)
    assert "Asia/Tokyo" in converted["text"], converted
    for name in ("node_get-sum", "web_get-sum"):
        summed = stage.use(name, a=19, b=23)
        assert "42" in summed["text"], summed
    return summed["text"]


def fails(stage: Stage) -> str:
    """What a tool refuses is said, and the answer goes on."""
    refused = stage.use("time_get_current_time", timezone="Nowhere/City")
    assert "Nowhere/City" in msgspec.json.encode(refused).decode(), refused
    wrong = stage.use("node_get-sum", a="nineteen", b=23)
    assert wrong["error"] or "rror" in wrong["text"], wrong
    return str(refused["error"]["title"] if refused["error"] else refused["text"])[:80]


def times_out(stage: Stage) -> str:
    """A tool that takes too long is stopped, and the answer goes on."""
    began = time.monotonic()
    late = stage.use("web_trigger-long-running-operation", duration=120, steps=2)
    took = time.monotonic() - began
    assert late["error"], late
    assert RUN_S <= took < RUN_S + 30, took
    return f"{late['error']['title']} ({took:.0f} s)"


def comes_back(stage: Stage) -> str:
    """A program that was killed is started again; a server that is away is named, and used once it is back."""
    for program in ("mcp-server-time", "server-everything"):
        subprocess.run(["pkill", "-KILL", "-P", str(stage.parley.pid), "-f", program], check=True)
    assert "UTC" in stage.use("time_get_current_time", timezone="UTC")["text"]
    assert "3" in stage.use("node_get-sum", a=1, b=2)["text"]
    stage.web.kill()
    away = stage.use("web_get-sum", a=1, b=2)
    assert away["error"], away
    stage.web.serve()
    assert "3" in stage.use("web_get-sum", a=1, b=2)["text"]
    return away["error"]["title"]


ROWS: tuple[Callable[[Stage], str], ...] = (listed, called, fails, times_out, comes_back)


def main() -> int:
    """Run the rows; return 1 if one fails."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        print("skip: there is no Node here")
        return 0
    script = _everything(npm)
    with tempfile.TemporaryDirectory(prefix="parley-tools-") as name, contextlib.ExitStack() as open_things:
        folder = Path(name)
        web = Everything(folder, node, script)
        servers = [
            {"name": "time", "command": [str(mcp_command())]},
            {"name": "node", "command": [node, str(script), "stdio"]},
            {"name": "web", "url": f"{web.origin}/mcp"},
        ]
        parley = Parley(folder, [], {"PARLEY_TOOL_SERVERS": msgspec.json.encode(servers).decode()})
        for server in (web, parley):
            open_things.callback(server.stop)
            server.serve()
        failed = sum(not _holds(row, Stage(parley, web)) for row in ROWS)
    print(f"{failed} rows of tools failed." if failed else "Every row of tools holds.")
    return 1 if failed else 0


def _holds(row: Callable[[Stage], str], stage: Stage) -> bool:
    try:
        seen, holds = row(stage), True
    except Exception as error:
        seen, holds = f"{type(error).__name__}: {error}"[:1200], False
    print(f"{'ok  ' if holds else 'FAIL'} {row.__name__:<12} {seen}", flush=True)
    return holds


def _everything(npm: str) -> Path:
    """Return the script of the Node server, installed once."""
    folder = FOLDER / "node"
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "node_modules" / EVERYTHING / "dist" / "index.js"
    if not script.is_file():
        subprocess.run(
            [npm, "install", "--silent", "--no-audit", "--no-fund", f"{EVERYTHING}@2026.8.31"],
            cwd=folder,
            check=True,
        )
    return script


if __name__ == "__main__":
    sys.exit(main())
