"""A proxy to PostgreSQL that can fall silent: it then accepts every connection and passes nothing on."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from tests.fakes.databases import url_of

PIECE = 1 << 16


class Silence:
    """Passes bytes on between a client and the server until it is set to `silent`."""

    def __init__(self) -> None:
        self.port = 0
        self.silent = False
        self._talking: set[asyncio.Task[None]] = set()

    def url(self, database_url: str) -> str:
        """Return the address of a database through this proxy."""
        parts = urlsplit(database_url)
        user = parts.netloc.rpartition("@")[0]
        return parts._replace(netloc=f"{user}@127.0.0.1:{self.port}").geturl()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parts = urlsplit(url_of("postgres"))
        there = await asyncio.open_connection(parts.hostname, parts.port or 5432)
        ways = (self._pass_on(reader, there[1]), self._pass_on(there[0], writer))
        both = [asyncio.create_task(way) for way in ways]
        self._talking.update(both)
        await asyncio.wait(both)
        self._talking.difference_update(both)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while piece := await source.read(PIECE):
                if not self.silent:
                    target.write(piece)
                    await target.drain()
        except OSError:
            pass
        finally:
            target.transport.abort()

    async def end(self) -> None:
        """Break every connection off."""
        for task in tuple(self._talking):
            task.cancel()
        if self._talking:
            await asyncio.wait(tuple(self._talking))


@asynccontextmanager
async def a_way_that_can_fall_silent() -> AsyncGenerator[Silence]:
    """Open a proxy to the server on loopback."""
    way = Silence()
    server = await asyncio.start_server(way._take, "127.0.0.1", 0)
    way.port = server.sockets[0].getsockname()[1]
    try:
        yield way
    finally:
        server.close()
        await way.end()
