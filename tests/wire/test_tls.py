"""Answers through TLS: the same connection, the same rules, and no fall-back to plain HTTP."""

import asyncio
import hashlib
import ssl
from collections.abc import AsyncGenerator

import pytest

from parley.kernel.errors import Unreachable
from parley.wire.http import HttpClient, WireOptions
from tests.wire.test_connection import CHUNKED, OK, Server, ask, get, says, serving, whole


@pytest.fixture
async def client() -> AsyncGenerator[HttpClient]:
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    yield client
    await client.close()


async def here(host: str, port: int) -> list[tuple[int, str]]:
    return [(2, "127.0.0.1")]


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_a_connection_is_kept_through_tls(
    client: HttpClient, tls: ssl.SSLContext, version: ssl.TLSVersion
) -> None:
    tls.maximum_version = version
    async with serving(says(*[whole(b"%d" % n) for n in range(5)]), ssl=tls) as server:
        assert [await get(client, server) for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
        assert server.connections == 1


@pytest.mark.parametrize("extra", [b"x", whole(b"another's")])
async def test_bytes_behind_an_answer_belong_to_nobody(
    client: HttpClient, tls: ssl.SSLContext, extra: bytes
) -> None:
    async with serving(says(whole(b"mine") + extra, whole(b"too late")), ssl=tls) as server:
        assert [await get(client, server) for _ in range(2)] == [b"mine"] * 2
        assert server.connections == 2


@pytest.mark.parametrize("how", ["nobody vouches for it", "another's name"])
async def test_a_certificate_that_proves_nothing_ends_the_call(
    tls: ssl.SSLContext, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = HttpClient(WireOptions(connect_s=2, allow_loopback=True), lookup=here)
    async with serving(says(whole(b"a")), ssl=tls) as server:
        if how == "another's name":
            server.origin = server.origin.replace("127.0.0.1", "another.example")
        else:
            monkeypatch.delenv("SSL_CERT_FILE")
        with pytest.raises(Unreachable) as caught:
            await get(client, server)
        assert caught.value.leaf_code == "upstream_tls"
        assert "PARLEY_CA_FILE" in (caught.value.detail or "")
        assert not server.requests
        await server.wait_until_closed()
    await client.close()


@pytest.mark.parametrize("host", ["localhost", "localhost."])
async def test_a_name_is_held_against_the_certificate_without_its_last_dot(
    tls: ssl.SSLContext, host: str
) -> None:
    client = HttpClient(WireOptions(allow_loopback=True), lookup=here)
    async with serving(says(whole(b"a")), ssl=tls) as server:
        server.origin = server.origin.replace("127.0.0.1", host)
        assert await get(client, server) == b"a"
    await client.close()


async def test_a_handshake_that_never_ends_is_given_up_and_leaves_no_socket(tls: ssl.SSLContext) -> None:
    async def nothing(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)

    client = HttpClient(WireOptions(connect_s=0.2, allow_loopback=True))
    async with serving(nothing) as server:
        server.origin = server.origin.replace("http:", "https:")
        with pytest.raises(Unreachable):
            await get(client, server)
        await server.wait_until_closed()
    await client.close()


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20])
async def test_wherever_a_request_is_cancelled_no_socket_is_left(
    client: HttpClient, tls: ssl.SSLContext, turns: int
) -> None:
    async def stall(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(whole(b"a") if server.connections == 1 else CHUNKED + b"3\r\nabc\r\n")

    async with serving(stall, ssl=tls) as server:
        await get(client, server)
        await client.close()  # what takes time only once is done: the certificates are read
        await server.wait_until_closed()
        task = asyncio.create_task(get(client, server))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.05)
        await server.wait_until_closed()
        assert not client._open
        assert not client._idle


@pytest.mark.parametrize("farewell", [True, False])
async def test_a_body_without_a_length_is_whole_only_with_the_farewell_of_tls(
    client: HttpClient, tls: ssl.SSLContext, farewell: bool
) -> None:
    async def end(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(OK + b"\r\nabc")
        await asyncio.sleep(0.02)
        if farewell:
            writer.close()
        else:
            writer.transport.abort()

    async with serving(end, ssl=tls) as server:
        if farewell:
            assert await get(client, server) == b"abc"
        else:
            with pytest.raises(Unreachable):
                await get(client, server)


@pytest.mark.parametrize("cut", [OK + b"Content-Length: 5\r\n\r\nabc", CHUNKED + b"3\r\nabc\r\n"])
@pytest.mark.parametrize("farewell", [True, False])
async def test_an_answer_that_is_cut_off_is_not_whole(
    client: HttpClient, tls: ssl.SSLContext, cut: bytes, farewell: bool
) -> None:
    async def break_off(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(cut)
        await asyncio.sleep(0.02)
        if farewell:
            writer.close()
        else:
            writer.transport.abort()

    async with serving(break_off, ssl=tls) as server:
        with pytest.raises(Unreachable) as caught:
            await get(client, server)
        assert caught.value.leaf_code == "upstream_interrupted"


async def test_a_server_waits_for_a_reader_that_is_slow_and_nothing_is_lost(
    client: HttpClient, tls: ssl.SSLContext
) -> None:
    sent = 0
    piece = bytes(range(256)) * 256

    async def much(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await server.request(reader)
        writer.write(OK + b"Content-Length: %d\r\n\r\n" % (len(piece) * 300))
        for _ in range(300):
            writer.write(piece)
            await writer.drain()
            sent += len(piece)

    async with serving(much, ssl=tls) as server:
        answer = await ask(client, server)
        await asyncio.sleep(0.3)
        assert sent < 15_000_000
        digest = hashlib.sha256()
        while packet := await answer.read():
            digest.update(packet)
        answer.close()
        assert digest.digest() == hashlib.sha256(piece * 300).digest()
        assert client._idle
