"""A plain proxy in front of several servers: each new connection goes to the next server that accepts it."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager


@asynccontextmanager
async def a_proxy(ports: Sequence[int]) -> AsyncGenerator[int]:
    """Yield the port of a proxy; a connection breaks off when its server does."""
    turns = itertools.count()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first = next(turns)
            for number in range(len(ports)):
                with contextlib.suppress(OSError):
                    port = ports[(first + number) % len(ports)]
                    there = await asyncio.open_connection("127.0.0.1", port)
                    await _carry((reader, writer), there)
                    return
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


_End = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _carry(one: _End, other: _End) -> None:
    """Carry bytes both ways until either side ends."""

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()

    ways = [asyncio.create_task(carry(one[0], other[1])), asyncio.create_task(carry(other[0], one[1]))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        other[1].transport.abort()
