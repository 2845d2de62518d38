"""Tests of listening to a WebSocket: whole messages, the egress check, and servers that do it wrong."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import wsproto
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, Ping, Pong, TextMessage

from parley.kernel.errors import Garbled, Rejected
from parley.wire.http import HttpClient, WireOptions
from parley.wire.websocket import listen

Talk = Callable[[wsproto.WSConnection, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def talking(talk: Talk) -> AsyncIterator[str]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            socket = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
            socket.receive_data(await reader.readuntil(b"\r\n\r\n"))
            list(socket.events())
            await talk(socket, reader, writer)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def heard(url: str, *, loopback: bool = True, most: int = 1 << 20) -> list[str | bytes]:
    client = HttpClient(WireOptions(allow_loopback=loopback, max_body_bytes=most, connect_s=2.0))
    try:
        async with asyncio.timeout(20):
            return [message async for message in listen(client, f"{url}/ws?clientId=x", {"X-Key": "k"})]
    finally:
        await client.close()


async def test_messages_come_whole_and_a_ping_is_returned() -> None:
    returned: list[bytes] = []

    async def talk(
        socket: wsproto.WSConnection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(socket.send(AcceptConnection()))
        writer.write(socket.send(TextMessage(data="in ", message_finished=False)))
        writer.write(socket.send(Ping(payload=b"?")))
        writer.write(socket.send(TextMessage(data="pieces")))
        writer.write(socket.send(BytesMessage(data=b"\x00\x01")))
        socket.receive_data(await reader.read(100))
        returned.extend(bytes(each.payload) for each in socket.events() if isinstance(each, Pong))
        writer.write(socket.send(CloseConnection(1000)))

    async with talking(talk) as url:
        assert await heard(url) == ["in pieces", b"\x00\x01"]
    assert returned == [b"?"]


async def test_an_address_that_requests_may_not_reach_is_not_listened_to_either() -> None:
    async def never(*_: object) -> None:
        raise AssertionError

    async with talking(never) as url:
        with pytest.raises(Rejected) as failure:
            await heard(url, loopback=False)
    assert failure.value.leaf_code == "upstream_address_denied"


async def test_a_server_without_a_websocket_and_one_that_sends_too_much_are_refused() -> None:
    async def plain(
        _socket: wsproto.WSConnection, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}")

    async def endless(
        socket: wsproto.WSConnection, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(socket.send(AcceptConnection()))
        while True:
            writer.write(socket.send(BytesMessage(data=b"x" * 10_000, message_finished=False)))
            await writer.drain()

    async def noise(
        socket: wsproto.WSConnection, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        writer.write(socket.send(AcceptConnection()) + b"\xff" * 40)

    for talk in (plain, endless):
        async with talking(talk) as url:
            with pytest.raises(Garbled):
                await heard(url, most=100_000)
    async with talking(noise) as url:
        assert await heard(url) == [], "it ends there"
