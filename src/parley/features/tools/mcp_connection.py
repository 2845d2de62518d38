"""One connection to a server of tools: opened when first needed, and again when it breaks."""

import asyncio
import logging
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from parley.features.tools.sources import SignInNeeded, SourceTool
from parley.kernel.errors import ParleyError, Problem, Unavailable
from parley.kernel.options import Tool
from parley.kernel.tools import ToolResult
from parley.wire.tool_servers import Bearer, TokenSource, ToolServerSetting, guarded_tool_client

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


class McpConnection:
    """A connection for all, or of one person with their token. A lost one is made again by the next call."""

    def __init__(self, setting: ToolServerSetting, tokens: TokenSource | None = None) -> None:
        self._setting = setting
        self._title = setting.title or setting.name
        self._tokens = tokens
        self._bearer = Bearer(tokens)
        self._connecting = asyncio.Lock()
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._tools: dict[str, tuple[str, SourceTool]] = {}
        self._listed_at = float("-inf")
        self.running = 0

    async def tools(self) -> Mapping[str, tuple[str, SourceTool]]:
        """Return its tools by our names for them, with its own, at most a minute old. Raises Unavailable."""
        if time.monotonic() - self._listed_at > LISTED_FOR_S:
            self._tools = await self._safely(lambda client: _list(client, self._setting.name))
            self._listed_at = time.monotonic()
        return self._tools

    async def call(self, name: str, arguments: dict[str, object]) -> ToolResult:
        """Call a tool; a failure that the server reports is a result. Raises Unavailable.

        Where the connection broke, a tool that only reads is called once more over a new one. So is any tool where the
        server did not know the session any more, since it has then done nothing.
        """
        own_name, offer = (await self.tools())[name]
        self.running += 1
        try:
            result: CallToolResult = await self._safely(
                lambda client: client.call_tool(own_name, arguments), repeats=offer.reads_only
            )
        finally:
            self.running -= 1
        text = "\n".join(_text(part) for part in result.content)
        if result.is_error:
            title = f"{self._title}: {text[:500] or 'The tool failed.'}"
            return ToolResult(error=Problem(code="tool_failed", title=title))
        return ToolResult(text=text)

    async def close(self) -> None:
        """End the connection, and the program if there is one."""
        task, self._task, self._client = self._task, None, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=START_S)

    async def _safely(self, call: "Callable[[Client], Awaitable[T]]", *, repeats: bool = True) -> T:
        """Make a call; over a connection that turns out to be broken, once more if that is safe."""
        for last in (False, True):
            client = await self._connected()
            bearer = self._bearer
            try:
                return await call(client)
            except Exception as error:  # noqa: BLE001 - a library and a foreign server can raise anything
                self._listed_at = float("-inf")
                if _is_answer(error) and not (bearer.has_lost_session or bearer.is_refused):
                    raise Unavailable(f"{self._title}: {error}", code="tool_failed") from None
                if client is self._client:
                    await self.close()
                self._check_sign_in(bearer)
                if last or not (repeats or bearer.has_lost_session):
                    raise self._unreachable(str(_first(error))[:300] or "the connection broke") from None
        raise AssertionError("unreachable")

    async def _connected(self) -> "Client":
        async with self._connecting:
            if self._client is None or self._task is None or self._task.done():
                await self.close()
                self._bearer = Bearer(self._tokens)
                opened: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
                self._task = asyncio.create_task(
                    self._keep(opened, self._bearer), name=f"tools-{self._setting.name}"
                )
                try:
                    async with asyncio.timeout(START_S):
                        self._client = await opened
                except TimeoutError:
                    await self.close()
                    raise self._unreachable("it did not answer in time") from None
            return self._client

    async def _keep(self, opened: "asyncio.Future[Client]", bearer: Bearer) -> None:
        """Hold a connection open: it is closed in the task that opened it."""
        try:
            async with _open(self._setting, bearer) as client:
                opened.set_result(client)
                await asyncio.Event().wait()
        except Exception as error:  # noqa: BLE001 - a library and a foreign server can raise anything
            if opened.done():
                return
            cause = error if isinstance(error, ParleyError) else _first(error)
            try:
                self._check_sign_in(bearer)
            except ParleyError as needed:
                opened.set_exception(needed)
            else:
                log.info("The tool server %s is not available: %s", self._setting.name, cause)
                opened.set_exception(self._unreachable(str(cause)[:300] or type(cause).__name__))
            opened.exception()

    def _check_sign_in(self, bearer: Bearer) -> None:
        """Raise SignInNeeded if the server wants to know who asks, or why there is no token for it."""
        if bearer.failure is not None:
            raise bearer.failure
        if bearer.is_refused and self._setting.takes_sign_in:
            raise SignInNeeded(self._title)
        if bearer.is_refused:
            raise self._unreachable("it refuses the Authorization header of the settings")

    def _unreachable(self, why: str) -> Unavailable:
        return Unavailable(
            f"Can't reach the tool server “{self._title}”: {why}.",
            "Check that it runs, and its entry in the settings.",
            code="tool_server_unreachable",
        )


@asynccontextmanager
async def _open(setting: ToolServerSetting, bearer: Bearer) -> AsyncGenerator["Client"]:
    # Slow to load, and most installations have no such server.
    from mcp import Client, StdioServerParameters
    from mcp.client.streamable_http import streamable_http_client

    async with AsyncExitStack() as stack:
        if setting.url:
            headers = {name: value.get_secret_value() for name, value in setting.headers.items()}
            http = await stack.enter_async_context(guarded_tool_client(setting.url, headers, bearer))
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
