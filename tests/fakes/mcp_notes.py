"""A real server of tools, made with the protocol's own library: one tool reads, one writes, one fails, one hangs."""

import asyncio
import os
import sys

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("notes")
notes: list[str] = []


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def read_notes() -> str:
    """Read all notes."""
    return "\n".join(notes) or "no notes"


@server.tool()
def add_note(text: str) -> str:
    """Add a note."""
    notes.append(text)
    return f"{len(notes)} notes"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def fail() -> str:
    """Fail."""
    raise ToolError("the shelf is locked")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def process() -> str:
    """Return the number of the process."""
    return str(os.getpid())


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def crash() -> str:
    """End the process."""
    os._exit(3)


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
async def hang() -> str:
    """Never return."""
    await asyncio.Event().wait()
    return ""


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
