"""A server of tools that speaks the Model Context Protocol, as a source of tools."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from parley.features.tools.sources import SourceTool
from parley.kernel.errors import ParleyError, Problem, Unavailable
from parley.kernel.options import Tool
from parley.kernel.toolbox import ToolScene
from parley.kernel.tools import ToolResult
from parley.wire.tool_servers import ToolServerSetting, guarded_tool_client

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

log = logging.getLogger(__name__)
T = TypeVar("T")

LISTED_FOR_S = 60.0
START_S = 15.0
MOST_TOOLS = 500
NAME_CHARS = 64
DESCRIPTION_CHARS = 1_000

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


class McpServer:
    """Implements `ToolSource`. One connection serves all calls; a lost one is made again by the next call."""

    def __init__(self, setting: ToolServerSetting) -> None:
        self.name = setting.name
        self.title = setting.title or setting.name
        self._setting = setting
        self._connecting = asyncio.Lock()
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._tools: dict[str, tuple[str, SourceTool]] = {}
        self._listed_at = float("-inf")

    async def tools(self, scene: ToolScene | None) -> Sequence[SourceTool]:
        """Return its tools, at most a minute old. Raises Unavailable."""
        del scene
        if time.monotonic() - self._listed_at > LISTED_FOR_S:
            client = await self._connected()
            self._tools = await self._within(lambda: _list(client, self.name))
            self._listed_at = time.monotonic()
        return [tool for _, tool in self._tools.values()]

    async def briefs(self, scene: ToolScene) -> Mapping[str, str]:
        """Return nothing: it reads no files of a session."""
        del scene
        return {}

    async def run(self, scene: ToolScene, name: str, arguments: dict[str, object]) -> ToolResult:
        """Call a tool; a failure that the server reports is a result. Raises Unavailable.

        Where the connection broke, a tool that only reads is called once more over a new one.
        """
        del scene
        own_name, offer = self._tools[name]
        result = await self._call(own_name, arguments, again=offer.reads_only)
        text = "\n".join(_text(part) for part in result.content)
        if result.is_error:
            title = f"{self.title}: {text[:500] or 'The tool failed.'}"
            return ToolResult(error=Problem(code="tool_failed", title=title))
        return ToolResult(text=text)

    async def close(self) -> None:
        """End the connection, and the program if there is one."""
        task, self._task, self._client = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=START_S)

    async def _call(self, own_name: str, arguments: dict[str, object], *, again: bool) -> "CallToolResult":
        client = await self._connected()
        try:
            return await self._within(lambda: client.call_tool(own_name, arguments))
        except Unavailable as error:
            if not again or error.leaf_code != "tool_server_unreachable":
                raise
        return await self._call(own_name, arguments, again=False)

    async def _connected(self) -> "Client":
        async with self._connecting:
            if self._client is None or self._task is None or self._task.done():
                await self.close()
                opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
                self._task = asyncio.create_task(self._keep(opened), name=f"tools-{self.name}")
                try:
                    async with asyncio.timeout(START_S):
                        self._client = await opened
                except TimeoutError:
                    await self.close()
                    raise self._unreachable("it did not answer in time") from None
            return self._client

    async def _keep(self, opened: "asyncio.Future[Client]") -> None:
        """Hold a connection open: it is closed in the task that opened it."""
        try:
            async with _open(self._setting) as client:
                opened.set_result(client)
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - a library and a foreign server can raise anything
            cause = error if isinstance(error, ParleyError) else _first(error)
            log.info("The tool server %s is not available: %s", self.name, cause)
            if not opened.done():
                opened.set_exception(self._unreachable(str(cause)[:300] or type(cause).__name__))
                opened.exception()

    async def _within(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call; a connection that breaks is dropped, so that the next call makes another."""
        try:
            return await call()
        except Exception as error:  # noqa: BLE001 - a library and a foreign server can raise anything
            self._listed_at = float("-inf")
            if _is_answer(error):
                raise Unavailable(f"{self.title}: {error}", code="tool_failed") from None
            await self.close()
            raise self._unreachable(str(_first(error))[:300] or "the connection broke") from None

    def _unreachable(self, why: str) -> Unavailable:
        return Unavailable(
            f"Can't reach the tool server “{self.title}”: {why}.",
            "Check that it runs, and its entry in the settings.",
            code="tool_server_unreachable",
        )


@asynccontextmanager
async def _open(setting: ToolServerSetting) -> AsyncGenerator["Client"]:
    # Slow to load, and most installations have no such server.
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    async with AsyncExitStack() as stack:
        if setting.url:
            headers = {name: value.get_secret_value() for name, value in setting.headers.items()}
            http = await stack.enter_async_context(guarded_tool_client(setting.url, headers))
            server = streamable_http_client(setting.url, http_client=http)
        else:
            program, *arguments = setting.command
            env = {name: value.get_secret_value() for name, value in setting.env.items()}
            server = StdioServerParameters(command=program, args=arguments, env=env)
        yield await stack.enter_async_context(Client(server))


async def _list(client: "Client", server: str) -> dict[str, tuple[str, SourceTool]]:
    """Return a server's tools by our names for them, with its own."""
    tools: dict[str, tuple[str, SourceTool]] = {}
    cursor: str | None = None
    while len(tools) < MOST_TOOLS:
        page = await client.list_tools(cursor=cursor)
        for each in page.tools:
            name = _NOT_IN_NAMES.sub("_", f"{server}_{each.name}")[:NAME_CHARS]
            described = Tool(
                name=name,
                description=(each.description or each.title or each.name)[:DESCRIPTION_CHARS],
                parameters=dict(each.input_schema),
            )
            reads_only = bool(each.annotations and each.annotations.read_only_hint)
            tools[name] = (each.name, SourceTool(tool=described, reads_only=reads_only))
        cursor = page.next_cursor
        if not cursor:
            break
    return tools


def _text(part: object) -> str:
    text = getattr(part, "text", None)
    return text if isinstance(text, str) else f"({getattr(part, 'type', 'part')}, which can't be shown)"


def _is_answer(error: Exception) -> bool:
    """Return whether the server itself refused the call, so that the connection is sound."""
    from mcp import MCPError

    return isinstance(error, MCPError) and error.error.code in range(-32602, -32599)


def _first(error: BaseException) -> BaseException:
    """Return the first cause within a group of failures."""
    causes: list[BaseException] = [error]
    while isinstance(causes[0], BaseExceptionGroup):
        causes = list(causes[0].exceptions)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return causes[0]
