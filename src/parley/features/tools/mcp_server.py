"""A server of tools that speaks the Model Context Protocol, as a source of tools."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

from parley.features.tools.mcp_connection import McpConnection
from parley.features.tools.sources import SourceTool
from parley.kernel.errors import NotFound
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult
from parley.wire.tool_servers import TokenSource, ToolServerSetting

MOST_CONNECTIONS = 50
"""The connections of people that are kept; those that were used least lately are closed when their calls are done."""


class SignedIn(Protocol):
    """Knows who has signed in where."""

    async def tokens_of(self, person_id: str, server: str) -> tuple[str, TokenSource] | None:
        """Return the id of a person's sign-in at a server and its tokens; None if they have not signed in."""
        ...


class McpServer:
    """Implements `ToolSource`. One connection serves all who have not signed in, and one each who has."""

    def __init__(self, setting: ToolServerSetting, signed_in: SignedIn | None = None) -> None:
        self.name = setting.name
        self.title = setting.title or setting.name
        self._setting = setting
        self._signed_in = signed_in if setting.takes_sign_in else None
        self._shared = McpConnection(setting)
        self._own: dict[str, McpConnection] = {}

    async def tools(self, person_id: str, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Return its tools, at most a minute old. Raises Unavailable, SignInNeeded."""
        del scene
        return [tool for _, tool in (await (await self._connection(person_id)).tools()).values()]

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """Return nothing: it reads no files of a session."""
        del scene
        return {}

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Call a tool; a failure that the server reports is a result. Raises Unavailable, SignInNeeded."""
        connection = await self._connection(scene.asker_id)
        if name not in await connection.tools():
            raise NotFound(f"“{self.title}” has no tool “{name}” any more.", "Answer without it.")
        return await connection.call(name, arguments)

    async def close(self) -> None:
        """End all connections, and the program if there is one."""
        connections, self._own = [self._shared, *self._own.values()], {}
        await asyncio.gather(*(connection.close() for connection in connections))

    async def _connection(self, person_id: str) -> McpConnection:
        """Return the connection of a person's sign-in, or the one for all. A new sign-in has a new one."""
        held = await self._signed_in.tokens_of(person_id, self.name) if self._signed_in else None
        if held is None:
            return self._shared
        sign_in_id, tokens = held
        connection = self._own.pop(sign_in_id, None) or McpConnection(self._setting, tokens)
        self._own[sign_in_id] = connection
        await self._close_idle()
        return connection

    async def _close_idle(self) -> None:
        spare = len(self._own) - MOST_CONNECTIONS
        *older, _ = self._own.items()
        idle = [key for key, connection in older if not connection.running][: max(spare, 0)]
        for closed in [self._own.pop(key) for key in idle]:
            await closed.close()
