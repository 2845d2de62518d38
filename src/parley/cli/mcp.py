"""`parley mcp`: a server of the Model Context Protocol, by which editors and agents ask Parley's models."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import with_settings

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings


@with_settings()
def mcp(
    settings: "Settings",
    url: Annotated[
        str | None,
        typer.Option(help="The address of a running Parley. Without, the one that uses the data folder."),
    ] = None,
    key: Annotated[
        str, typer.Option(envvar="PARLEY_API_KEY", help="An API key, where Parley is shared.")
    ] = "",
) -> None:
    """Let editors and agents ask Parley's models, over the Model Context Protocol on standard input and output."""
    from parley.cli.mcp_tools import make_server

    async def serve() -> None:
        async with _client(settings, url, key) as client:
            await make_server(client).run_stdio_async()

    asyncio.run(serve())


@asynccontextmanager
async def _client(settings: "Settings", url: str | None, key: str) -> "AsyncGenerator[ApiClient]":
    from parley.cli.client import ApiClient, open_client
    from parley.wire.http import HttpClient, WireOptions

    if url is None and not key:
        async with open_client(settings) as client:
            yield client
        return
    address = (url or f"http://127.0.0.1:{settings.port}").rstrip("/").removesuffix("/v1")
    http = HttpClient(WireOptions(idle_s=None, allow_loopback=True, allowed_origins=frozenset({address})))
    try:
        yield ApiClient(http, address, key)
    finally:
        await http.close()
