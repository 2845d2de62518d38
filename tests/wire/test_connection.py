"""One connection, one exchange at a time: whatever a server sends, an answer holds its own bytes and no others."""

import asyncio
import contextlib
import gzip
import hashlib
import zlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest

from parley.kernel.errors import Garbled, Rejected, Unreachable, UpstreamError
from parley.wire.connection import HIGH_WATER_BYTES, MAX_HEAD_BYTES, SLICE_BYTES
from parley.wire.decompression import MAX_DECOMPRESSED_BYTES
from parley.wire.http import HttpClient, Response, WireOptions
from parley.wire.ticker import Ticker

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
EMPTY = OK + b"Content-Length: 0\r\n\r\n"


def whole(body: bytes, *more: bytes) -> bytes:
    return (
        OK + b"".join(line + b"\r\n" for line in more) + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    )


class Server:
    """Raw TCP. Each connection is served by `serve(self, reader, writer)`; requests are counted."""

    def __init__(self) -> None:
        self.origin = ""
        self.connections = 0
        self.open = 0
        self.requests: list[bytes] = []

    async def request(self, reader: asyncio.StreamReader) -> bytes:
        """Read a request to its end; return its path."""
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            (int(line[16:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length")), 0
        )
        await reader.readexactly(length)
        self.requests.append(head.split(b" ")[1])
        return self.requests[-1]

    async def wait_until_closed(self) -> None:
        async with asyncio.timeout(40):
            while self.open:  # noqa: ASYNC110 - it is a test
                await asyncio.sleep(0.005)


Serve = Callable[[Server, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(serve: Serve, host: str = "127.0.0.1", **options: object) -> AsyncGenerator[Server]:
    server, tasks = Server(), set[asyncio.Task[None] | None]()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.current_task())
        server.connections += 1
        server.open += 1
        try:
            await serve(server, reader, writer)
            await reader.read()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            server.open -= 1
            writer.transport.abort()

    listening = await asyncio.start_server(accept, host, 0, **options)  # pyright: ignore[reportArgumentType]
    scheme, port = "https" if options.get("ssl") else "http", listening.sockets[0].getsockname()[1]
    server.origin = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    try:
        yield server
    finally:
        listening.close()
        for task in tasks:
            if task is not None:
                task.cancel()
        await asyncio.gather(*(task for task in tasks if task is not None), return_exceptions=True)
        await listening.wait_closed()


def says(*answers: bytes, then: str = "waits") -> Serve:
    """Response each request of a connection with the next answer, then wait or close."""

    async def serve(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await server.request(reader)
            writer.write(answer)
            await writer.drain()
        if then == "closes":
            writer.close()

    return serve


@pytest.fixture
async def client() -> AsyncGenerator[HttpClient]:
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True))
    yield client
    await client.close()


async def ask(client: HttpClient, server: Server, path: str = "/", body: bytes | None = None) -> Response:
    url = server.origin + path
    return await (client.get_json(url, {}) if body is None else client.post_json(url, body, {}))


async def get(client: HttpClient, server: Server, path: str = "/") -> bytes:
    answer = await ask(client, server, path)
    try:
        return await answer.read_body()
    finally:
        answer.close()


# ── answers that are whole ───────────────────────────────────────────────────────────────────────

WHOLE = {
    "a length": (whole(b"abc"), b"abc"),
    "chunks": (CHUNKED + b"1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", b"abc"),
    "extensions": (CHUNKED + b'1;x\r\na\r\n2;y=1;z="2"\r\nbc\r\n0;end\r\n\r\n', b"abc"),
    "trailers": (CHUNKED + b"3\r\nabc\r\n0\r\nX-Sum: 1\r\nContent-Encoding: br\r\n\r\n", b"abc"),
    "no body": (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    "no body in spite of a length": (b"HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n", b""),
    "an empty body": (EMPTY, b""),
    "after interim answers": (
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\nContent-Encoding: br\r\n\r\n"
        + whole(b"abc"),
        b"abc",
    ),
    "after empty lines": (b"\r\n\r\n" + whole(b"abc"), b"abc"),
    "kept on by an old server": (
        b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc",
        b"abc",
    ),
    "names in any case": (OK + b"CONTENT-length: 3\r\n\r\nabc", b"abc"),
}


@pytest.mark.parametrize("packet", [1, 7, 100_000])
@pytest.mark.parametrize("kind", WHOLE)
async def test_after_a_whole_answer_the_connection_serves_the_next(
    client: HttpClient, kind: str, packet: int
) -> None:
    raw, body = WHOLE[kind]

    async def in_packets(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await server.request(reader):
            for start in range(0, len(raw), packet):
                writer.write(raw[start : start + packet])
                await asyncio.sleep(0)

    async with serving(in_packets) as server:
        assert [await get(client, server) for _ in range(3)] == [body] * 3
        assert server.connections == 1


LAST = {
    "it says so": whole(b"abc", b"Connection: close"),
    "an old server": b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc",
    "the end is the end": OK + b"\r\nabc",
    "an old server's end": b"HTTP/1.0 200 OK\r\n\r\nabc",
    "two codings": OK + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\nabc",
}


@pytest.mark.parametrize("kind", LAST)
async def test_an_answer_can_be_a_connections_last(client: HttpClient, kind: str) -> None:
    async with serving(says(LAST[kind], then="closes")) as server:
        assert [await get(client, server) for _ in range(2)] == [b"abc"] * 2
        assert server.connections == 2
        await server.wait_until_closed()


async def test_trailers_are_no_headers(client: HttpClient) -> None:
    answer = CHUNKED.replace(b"\r\n\r\n", b"\r\nRetry-After: 5\r\n\r\n") + b"0\r\nRetry-After: 900\r\n\r\n"
    async with serving(says(answer)) as server:
        response = await ask(client, server)
        assert await response.read_body() == b""
        assert response.retry_after_s == 5
        response.close()


async def test_a_refusal_keeps_its_status_however_its_body_is_packed(client: HttpClient) -> None:
    refusal = b"HTTP/1.1 401 No\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc"
    async with serving(says(refusal)) as server:
        answer = await ask(client, server)
        assert (answer.status, await answer.read_start()) == (401, b"")
        answer.close()


# ── answers that are none ────────────────────────────────────────────────────────────────────────

GARBLED = {
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "two lengths": OK + b"Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "two lengths in one": OK + b"Content-Length: 3, 3\r\n\r\nabc",
    "a length and chunks": OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and a length": OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
    "a length below nothing": OK + b"Content-Length: -3\r\n\r\nabc",
    "a length with a sign": OK + b"Content-Length: +3\r\n\r\nabc",
    "a length beyond all": OK + b"Content-Length: 99999999999999999999\r\n\r\nabc",
    "a chunk beyond all": CHUNKED + b"FFFFFFFFFFFFFFFFF\r\nabc",
    "a chunk without its end": CHUNKED + b"3\r\nabcd\r\n0\r\n\r\n",
    "no chunk": CHUNKED + b"xyz\r\n",
    "a folded line": OK + b"X: a\r\n b\r\nContent-Length: 0\r\n\r\n",
    "a space before the colon": OK + b"Content-Length : 0\r\n\r\n",
    "a line without a colon": OK + b"Content-Length\r\n\r\n",
    "a line without a name": OK + b": 0\r\n\r\n",
    "a NUL in a name": OK + b"A\x00B: 0\r\n\r\n",
    "a bare CR": OK + b"A: b\rContent-Length: 0\r\n\r\n",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\n\r\n",
    "a status below all": b"HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n" + EMPTY,
    "another protocol from now on": b"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    + EMPTY,
    "an interim answer with a body": b"HTTP/1.1 199 Soon\r\nContent-Length: 3\r\n\r\nabc" + EMPTY,
    "the end after an interim answer": b"HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n" + EMPTY,
    "interim answers without end": b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000,
    "a head without end": OK + b"X: y\r\n" * 100_000,
    "a line without end": OK + b"X: " + b"y" * 600_000,
    "trailers without end": CHUNKED + b"1\r\na\r\n0\r\n" + b"X: y\r\n" * 200_000,
    "an extension without end": CHUNKED + b"1;" + b"x" * 1_000_000,
    "packed otherwise": whole(b"abc", b"Content-Encoding: br"),
    "packed twice": whole(b"abc", b"Content-Encoding: gzip, gzip"),
    "packed badly": whole(b"abc", b"Content-Encoding: gzip"),
    "rubbish behind what was packed": whole(gzip.compress(b"abc") + b"abc", b"Content-Encoding: gzip"),
}


@pytest.mark.parametrize("kind", GARBLED)
async def test_what_is_no_answer_is_refused_and_its_connection_closed(client: HttpClient, kind: str) -> None:
    async with serving(says(GARBLED[kind])) as server:
        with pytest.raises(Garbled):
            await get(client, server)
        await server.wait_until_closed()


@pytest.mark.parametrize("size", [MAX_HEAD_BYTES // 2, MAX_HEAD_BYTES * 2])
async def test_a_head_has_one_limit_whether_it_comes_at_once_or_not(client: HttpClient, size: int) -> None:
    async with serving(says(OK + b"X: " + b"y" * size + b"\r\nContent-Length: 2\r\n\r\nab")) as server:
        if size < MAX_HEAD_BYTES:
            assert await get(client, server) == b"ab"
        else:
            with pytest.raises(Garbled):
                await get(client, server)


CUT = {
    "a length": OK + b"Content-Length: 5\r\n\r\nabc",
    "a chunk": CHUNKED + b"5\r\nabc",
    "the last chunk": CHUNKED + b"3\r\nabc\r\n",
    "the last line": CHUNKED + b"3\r\nabc\r\n0\r\n",
    "a head": OK + b"Content-Len",
    "nothing": b"",
    "chunked, but not last": OK + b"Transfer-Encoding: chunked, gzip\r\n\r\nabc",
}


@pytest.mark.parametrize("kind", CUT)
async def test_an_answer_that_breaks_off_is_not_taken_for_whole(client: HttpClient, kind: str) -> None:
    async with serving(says(CUT[kind], then="closes")) as server:
        with pytest.raises(Unreachable) as caught:
            await get(client, server)
        assert caught.value.leaf_code == "upstream_interrupted"


async def test_a_body_that_ends_with_its_connection_is_not_whole_if_the_connection_breaks(
    client: HttpClient,
) -> None:
    async def break_off(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # What is unread when a connection closes makes it a reset.
        await reader.readexactly(1)
        writer.write(OK + b"\r\nabc")
        await asyncio.sleep(0.05)
        writer.transport.abort()

    async with serving(break_off, limit=1) as server:
        answer = await ask(client, server, body=b"x" * 1_000_000)
        with pytest.raises(Unreachable):
            await answer.read_body()
        answer.close()


@pytest.mark.parametrize("how", ["the client is closed", "the answer is closed"])
async def test_a_body_that_we_cut_off_ourselves_is_not_whole(client: HttpClient, how: str) -> None:
    async with serving(says(OK + b"\r\nabc")) as server:
        answer = await ask(client, server)
        assert await answer.read() == b"abc"
        reading = asyncio.create_task(answer.read())
        await asyncio.sleep(0.02)
        if how == "the client is closed":
            await client.close()
        else:
            answer.close()
        with pytest.raises(Unreachable):
            await reading
        answer.close()
        await server.wait_until_closed()


# ── bytes that nobody asked for ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("extra", [b"x", b"HTTP/1.1 200 OK\r\n", whole(b"another's"), b"x" * 500_000])
@pytest.mark.parametrize("answer", [whole(b"mine"), CHUNKED + b"4\r\nmine\r\n0\r\n\r\n"])
async def test_bytes_right_behind_an_answer_belong_to_nobody(
    client: HttpClient, answer: bytes, extra: bytes
) -> None:
    async with serving(says(answer + extra, whole(b"too late"))) as server:
        assert [await get(client, server) for _ in range(2)] == [b"mine"] * 2
        assert server.connections == 2


@pytest.mark.parametrize("seen", [True, False])
async def test_bytes_that_come_while_a_connection_rests_are_no_answer(client: HttpClient, seen: bool) -> None:
    writers: list[asyncio.StreamWriter] = []

    async def once(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(whole(b"mine"))
        writers.append(writer)

    async with serving(once) as server:
        assert await get(client, server) == b"mine"
        # Written to the socket at once: without a turn of the loop the client cannot have seen it.
        writers[0].write(whole(b"another's"))
        if seen:
            await asyncio.sleep(0.05)
        assert await get(client, server) == b"mine"
        assert server.connections == 2


async def test_a_reader_that_is_left_behind_gets_nothing_of_the_next_answer(client: HttpClient) -> None:
    async with serving(says(whole(b"one"), whole(b"two"))) as server:
        first = await ask(client, server)
        assert await first.read() == b"one"
        left = [asyncio.create_task(first.read()) for _ in range(2)]
        first.close()
        assert await get(client, server) in (b"one", b"two")
        await asyncio.wait(left, timeout=0.1)
        assert all(task.done() and (task.exception() or task.result() == b"") for task in left)


async def test_a_late_timer_does_no_harm(client: HttpClient) -> None:
    async def in_words(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while path := await server.request(reader):
            writer.write(CHUNKED)
            for _ in range(12):
                writer.write(b"%x\r\n%b\r\n" % (len(path), path))
                await asyncio.sleep(0.002)
            writer.write(b"0\r\n\r\n")

    slow = HttpClient(WireOptions(allow_loopback=True), ticker=Ticker(0.05))
    async with serving(in_words) as server:
        for number in range(6):
            assert await get(slow, server, f"/{number}") == f"/{number}".encode() * 12
        assert server.connections == 1
    await slow.close()


async def test_the_end_of_a_hurried_answer_does_not_wait_for_intervals() -> None:
    """Ten small packets are more than are read at once, so that reading waits for an interval in between."""
    heard = asyncio.Event()

    async def ends_late(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(CHUNKED)
        for _ in range(10):
            writer.write(b"1\r\nx\r\n")
            await asyncio.sleep(0.002)
        await heard.wait()
        for piece in (b"1\r\ny\r\n", b"1\r\nz\r\n", b"0\r\n\r\n"):
            await asyncio.sleep(0.01)
            writer.write(piece)

    slow = HttpClient(WireOptions(allow_loopback=True), ticker=Ticker(2.0))
    async with serving(ends_late) as server:
        response = await slow.post_json(f"{server.origin}/", b"{}", {})
        body = b""
        while len(body) < 10:
            body += await response.read()
        heard.set()
        response.hurry()
        async with asyncio.timeout(1.5):
            while packet := await response.read():
                body += packet
        response.close()
    await slow.close()
    assert body == b"x" * 10 + b"yz"


# ── kept connections that are over ───────────────────────────────────────────────────────────────


async def test_a_request_that_crosses_the_end_of_a_kept_connection_is_sent_again(client: HttpClient) -> None:
    async def once(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(whole(b"mine"))
        await server.request(reader)
        writer.close()

    async with serving(once) as server:
        assert [await get(client, server) for _ in range(3)] == [b"mine"] * 3
        assert len(server.requests) == 5


@pytest.mark.parametrize("how", ["silence", "a late end", "a part of an answer"])
async def test_a_request_that_may_have_been_taken_is_not_sent_again(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.wire.connection.CROSSED_S", 0.2)

    async def take(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(whole(b"mine"))
        await server.request(reader)
        if how == "a late end":
            await asyncio.sleep(0.4)
            writer.close()
        elif how == "a part of an answer":
            writer.write(b"HTTP")
            writer.close()

    client = HttpClient(WireOptions(idle_s=1 if how == "silence" else 40, allow_loopback=True))
    async with serving(take) as server:
        assert await get(client, server) == b"mine"
        with pytest.raises(Unreachable):
            await get(client, server)
        assert len(server.requests) == 2
        await client.close()
        await server.wait_until_closed()


async def test_a_server_that_is_tired_of_waiting_does_not_answer_the_next_request(client: HttpClient) -> None:
    tired = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    async with serving(says(whole(b"mine"), tired)) as server:
        assert [await get(client, server) for _ in range(2)] == [b"mine"] * 2


async def test_a_server_that_leaves_without_an_answer_is_asked_once(client: HttpClient) -> None:
    async with serving(says(b"", then="closes")) as server:
        with pytest.raises(Unreachable):
            await get(client, server)
        assert len(server.requests) == 1


async def test_a_kept_connection_is_closed_after_a_while(
    client: HttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parley.wire.http.KEEPALIVE_S", 0.05)
    async with serving(says(whole(b"a"), whole(b"b"))) as server:
        assert await get(client, server) == b"a"
        await server.wait_until_closed()
        assert await get(client, server) == b"a"


async def test_an_answer_that_comes_before_the_request_is_sent_whole(client: HttpClient) -> None:
    async def hasty(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        await asyncio.Event().wait()

    async with serving(hasty, limit=1024) as server:
        for expected in (1, 2):
            answer = await ask(client, server, body=b"x" * 20_000_000)
            assert (answer.status, await answer.read_body()) == (413, b"no")
            answer.close()
            assert server.connections == expected


async def test_a_client_can_be_used_again_after_it_was_closed(client: HttpClient) -> None:
    async with serving(says(whole(b"a"), whole(b"b"))) as server:
        assert await get(client, server) == b"a"
        held = await ask(client, server)
        await client.close()
        await server.wait_until_closed()
        held.close()
        assert await get(client, server) == b"a"


# ── how fast, and how much ───────────────────────────────────────────────────────────────────────


async def test_a_server_waits_for_a_reader_that_is_slow_and_nothing_is_lost(client: HttpClient) -> None:
    sent = 0
    piece = bytes(range(256)) * 256

    async def much(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await server.request(reader)
        writer.write(OK + b"Content-Length: %d\r\n\r\n" % (len(piece) * 400))
        for _ in range(400):
            writer.write(piece)
            await writer.drain()
            sent += len(piece)

    async with serving(much) as server:
        answer = await ask(client, server)
        await asyncio.sleep(0.3)
        assert sent < 20_000_000  # what the system's buffers hold, and ours
        held = sum(len(packet) for connection in client._open for packet in connection._packets)
        assert held <= HIGH_WATER_BYTES + (512 << 10)
        digest, sizes = hashlib.sha256(), set[int]()
        while packet := await answer.read():
            digest.update(packet)
            sizes.add(len(packet))
        answer.close()
        assert digest.digest() == hashlib.sha256(piece * 400).digest()
        assert max(sizes) <= SLICE_BYTES
        assert client._idle


async def test_others_have_their_turn_while_a_server_floods_us(client: HttpClient) -> None:
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    bomb = gzip.compress(b"x" * (8 << 20))
    async with serving(says(whole(bomb, b"Content-Encoding: gzip"))) as server:
        answer = await ask(client, server)
        await asyncio.sleep(0.05)
        counting = asyncio.create_task(count())
        reads = 0
        while await answer.read():
            reads += 1
        counting.cancel()
        answer.close()
    assert reads == (8 << 20) // SLICE_BYTES
    assert turns >= reads - 1


@pytest.mark.parametrize(
    "packed",
    [gzip.compress(b"abc" * 1000), zlib.compress(b"abc" * 1000), gzip.compress(b"abc") + gzip.compress(b"abc" * 999),
     gzip.compress(b"abc" * 1000) + b"\0" * 100],
    ids=["gzip", "zlib", "two members", "padded"],
)  # fmt: skip
@pytest.mark.parametrize("packet", [1, 10_000])
async def test_what_is_packed_is_unpacked_however_it_is_cut(
    client: HttpClient, packed: bytes, packet: int
) -> None:
    async def in_packets(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed))
        for start in range(0, len(packed), packet):
            writer.write(packed[start : start + packet])
            await asyncio.sleep(0)

    async with serving(in_packets) as server:
        assert await get(client, server) == b"abc" * 1000


async def test_slices_lose_nothing_of_what_is_packed(client: HttpClient) -> None:
    plain = b"".join(b"%d," % number for number in range(300_000)) + b"y" * 1_000_000
    async with serving(says(whole(gzip.compress(plain), b"Content-Encoding: gzip"))) as server:
        assert await get(client, server) == plain


@pytest.mark.parametrize("bomb", [b"x" * (MAX_DECOMPRESSED_BYTES + 1), b""])
async def test_a_packed_answer_is_bounded_before_and_after(client: HttpClient, bomb: bytes) -> None:
    packed = gzip.compress(bomb) * (1 if bomb else MAX_DECOMPRESSED_BYTES // 20)
    async with serving(says(whole(packed, b"Content-Encoding: gzip"))) as server:
        with pytest.raises(Garbled):
            await get(client, server)


# ── cancelling ───────────────────────────────────────────────────────────────────────────────────


async def test_a_read_that_was_cancelled_loses_nothing(client: HttpClient) -> None:
    async def in_letters(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await server.request(reader):
            writer.write(CHUNKED)
            for letter in b"abcdefghijklmnopqrstuvwxyz":
                writer.write(b"1\r\n%c\r\n" % letter)
                await asyncio.sleep(0.004)
            writer.write(b"0\r\n\r\n")

    async with serving(in_letters) as server:
        for _ in range(3):
            answer, said, timeouts = await ask(client, server), b"", 0
            while True:
                try:
                    async with asyncio.timeout(0.003):
                        packet = await answer.read()
                except TimeoutError:
                    timeouts += 1
                    continue
                if not packet:
                    break
                said += packet
            answer.close()
            assert said == b"abcdefghijklmnopqrstuvwxyz"
            assert timeouts
        assert server.connections == 1


@pytest.mark.parametrize("turns", range(25))
async def test_wherever_a_request_is_cancelled_no_socket_is_left(client: HttpClient, turns: int) -> None:
    async with serving(says(CHUNKED + b"3\r\nabc\r\n")) as server:
        task = asyncio.create_task(get(client, server))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.02)
        await server.wait_until_closed()
        assert not client._open
        assert not client._idle


async def test_a_request_that_is_cancelled_as_its_connection_ends_is_not_sent_again(
    client: HttpClient,
) -> None:
    async def once(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await server.request(reader)
        writer.write(whole(b"mine"))
        await server.request(reader)
        writer.close()
        task.cancel()

    async with serving(once) as server:
        assert await get(client, server) == b"mine"
        task = asyncio.create_task(get(client, server))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(server.requests) == 2


# ── where connections lead ───────────────────────────────────────────────────────────────────────


async def test_an_ipv6_address_is_called_as_it_is_written(client: HttpClient) -> None:
    async with serving(says(whole(b"a"), whole(b"b")), host="::1") as server:
        assert [await get(client, server) for _ in range(2)] == [b"a", b"b"]
        assert server.connections == 1


async def test_of_several_addresses_one_that_answers_is_enough() -> None:
    async def several(host: str, port: int) -> list[tuple[int, str]]:
        return [(2, "127.0.0.9"), (10, "::1"), (2, "127.0.0.1")]

    client = HttpClient(WireOptions(allow_loopback=True), lookup=several)
    async with serving(says(whole(b"a"))) as server:
        server.origin = server.origin.replace("127.0.0.1", "several.example")
        assert await get(client, server) == b"a"
        await client.close()
        await server.wait_until_closed()


async def test_a_connection_is_never_lent_to_another_place(client: HttpClient) -> None:
    async with (
        serving(says(whole(b"a"), whole(b"b"))) as one,
        serving(says(whole(b"c"), whole(b"d"))) as other,
    ):
        assert [await get(client, server) for server in (one, other, one, other)] == [b"a", b"c", b"b", b"d"]


async def test_a_redirect_closes_its_connection(client: HttpClient) -> None:
    async with serving(
        says(b"HTTP/1.1 307 Elsewhere\r\nLocation: /x\r\nContent-Length: 3\r\n\r\nabc")
    ) as server:
        with pytest.raises(Rejected):
            await get(client, server)
        await server.wait_until_closed()


async def test_errors_are_always_the_wires_own(client: HttpClient) -> None:
    async with serving(says(whole(b"abc", b"Content-Encoding: gzip"))) as server:
        answer = await ask(client, server)
        for _ in range(2):
            with pytest.raises(UpstreamError):
                await answer.read()
        answer.close()


@pytest.mark.parametrize("seed", range(8))
async def test_damaged_answers_end_in_a_body_or_in_the_wires_own_error(seed: int) -> None:
    chance = Random(seed)
    raws = [raw for raw, _ in WHOLE.values()] + [raw for raw in GARBLED.values() if len(raw) < 500]
    raws += [whole(gzip.compress(b"abc" * 50), b"Content-Encoding: gzip"), *LAST.values()]

    async def damaged(server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await server.request(reader):
            raw = bytearray(chance.choice(raws))
            for _ in range(chance.randint(1, 4)):
                at = chance.randrange(len(raw))
                raw[at : at + chance.randint(0, 3)] = chance.choice(
                    (b"", b"\r\n", b"\x00", b"9", raw[at : at + 9])
                )
            for start in range(0, len(raw), 11):
                writer.write(raw[start : start + 11])
            if chance.random() < 0.5:
                writer.close()
                return

    client = HttpClient(WireOptions(idle_s=0.02, allow_loopback=True))
    async with serving(damaged) as server:
        for _ in range(60):
            try:
                answer = await ask(client, server)
            except UpstreamError:
                continue
            with contextlib.suppress(UpstreamError):
                await answer.read_body()
            answer.close()
        await client.close()
        await server.wait_until_closed()
        assert not client._open
