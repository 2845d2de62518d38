"""Tests of what one server takes of its clients: heads, slow senders, connections, descriptors, and odd addresses."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from parley.api import descriptors, protocol
from parley.api.connections import YOUNG_S
from parley.settings import Settings
from tests.fakes.movable_clock import MovableClock
from tests.fakes.running import RunningParley, a_running_parley

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.databases("sqlite")]

LIMIT_S = 20.0
"""How long a head may take, and a body without a sign of life: nobody waits for that, the clock is put forward."""

LIMITS: dict[str, Any] = {"head_timeout": LIMIT_S, "body_timeout": LIMIT_S, "max_connections": 24}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def parley(
    tmp_path_factory: pytest.TempPathFactory, clock: MovableClock
) -> AsyncIterator[RunningParley]:
    """One server for all: what a client did leaves nothing behind."""
    async with a_running_parley(tmp_path_factory.mktemp("limits"), **LIMITS) as running:
        yield running


class Client:
    """A client of bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def of(cls, parley: RunningParley, sent: bytes = b"") -> "Client":
        client = cls(*await asyncio.open_connection("127.0.0.1", int(parley.base_url.rpartition(":")[2])))
        CLIENTS.append(client)
        client.send(sent)
        return client

    def send(self, data: bytes) -> "Client":
        self.writer.write(data)
        return self

    async def send_slowly(self, data: bytes, times: int, clock: MovableClock) -> None:
        """Send something again and again, each time after a quarter of the limit."""
        for _ in range(times):
            await self.arrive()
            clock.let_pass(LIMIT_S / 4)
            await self.arrive()
            self.send(data)

    async def arrive(self) -> None:
        """Let the server read what was sent, and do what is due."""
        await self.writer.drain()
        await asyncio.sleep(0.02)

    async def answer(self, within: float = 40.0) -> tuple[int, Any]:
        """Return status and body of the next answer; (0, None) where the connection was only closed."""
        async with asyncio.timeout(within):
            try:
                head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, None
            self.head = head
            length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
            body = await self.reader.readexactly(length)
        return int(head.split(" ")[1]), msgspec.json.decode(body)

    async def ends(self, within: float = 40.0) -> bool:
        """Return whether the server closes, after whatever it may still say."""
        try:
            async with asyncio.timeout(within):
                while await self.reader.read(65536):
                    pass
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True

    def close(self) -> None:
        self.writer.transport.abort()


CLIENTS: list[Client] = []


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def all_leave() -> AsyncIterator[None]:
    yield
    while CLIENTS:
        client = CLIENTS.pop()
        client.close()
        with contextlib.suppress(OSError):
            await client.writer.wait_closed()


def request(target: str = "/healthz", method: str = "GET", *lines: str, host: str = "127.0.0.1") -> bytes:
    head = [f"{method} {target} HTTP/1.1", f"Host: {host}", *lines]
    return "\r\n".join(head).encode("utf-8") + b"\r\n\r\n"


async def ask(parley: RunningParley, sent: bytes) -> tuple[int, Any]:
    client = await Client.of(parley, sent)
    try:
        return await client.answer()
    finally:
        client.close()


# ── the head of a request ────────────────────────────────────────────────────────────────────────


async def test_a_large_head_is_refused_and_one_within_the_limit_is_not(parley: RunningParley) -> None:
    assert (await ask(parley, request("/healthz", "GET", "X: " + "x" * 60_000)))[0] == 200
    one = request("/healthz", "GET", "X: " + "x" * 70_000)
    many = request("/healthz", "GET", *(f"X-{number}: y" for number in range(200)))
    address = request("/?" + "x" * 70_000)
    for large in (one, many, address):
        status, problem = await ask(parley, large)
        assert (status, problem["code"]) == (431, "headers_too_large")


@pytest.mark.parametrize("line", [b"X-" + b"x" * 1000 + b": y\r\n", b"x" * 1000])
async def test_endless_headers_are_cut_off_while_they_come(parley: RunningParley, line: bytes) -> None:
    client = await Client.of(parley, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
    sent = 0
    with contextlib.suppress(ConnectionError):
        for _ in range(50_000):
            client.send(line)
            sent += len(line)
            await client.writer.drain()
    assert sent < 20_000_000


async def test_a_head_that_does_not_come_is_ended(parley: RunningParley, clock: MovableClock) -> None:
    client = await Client.of(parley, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-")
    await client.send_slowly(b"x", 5, clock)
    status, problem = await client.answer()
    assert (status, problem["code"]) == (408, "request_timeout")
    assert await client.ends()


async def test_empty_lines_are_no_request_and_keep_nothing_open(
    parley: RunningParley, clock: MovableClock
) -> None:
    for begun in (b"", request()):
        client = await Client.of(parley, begun)
        if begun:
            assert (await client.answer())[0] == 200
        await client.send_slowly(b"\r\n", 5, clock)
        assert await client.ends()


async def test_a_connection_that_is_kept_may_wait_much_longer_than_a_head(
    parley: RunningParley, clock: MovableClock
) -> None:
    client = await Client.of(parley, request())
    assert (await client.answer())[0] == 200
    clock.let_pass(1.5 * LIMIT_S)
    await client.arrive()
    assert (await client.send(request()).answer())[0] == 200
    client.close()


# ── the body of a request ────────────────────────────────────────────────────────────────────────

CHAT = b'{"prompt": "Hi", "mode": "chat", "seats": {"assistant": "ada"}}'


def post(length: int = len(CHAT), *lines: str) -> bytes:
    given = ("Content-Type: application/json", f"Content-Length: {length}")
    return request("/api/sessions", "POST", *given, *lines)


async def test_a_body_that_does_not_come_is_ended_and_begins_nothing(
    parley: RunningParley, clock: MovableClock
) -> None:
    before = await parley.get("/api/sessions")
    client = await Client.of(parley, post() + CHAT[:10])
    await client.send_slowly(b" ", 5, clock)
    status, problem = await client.answer()
    assert (status, problem["code"]) == (408, "request_timeout")
    assert await client.ends()
    assert await parley.get("/api/sessions") == before


async def test_a_large_body_that_goes_on_coming_may_take_its_time(
    parley: RunningParley, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "LEAST_BODY_BYTES", 1000)
    body = CHAT[:-1] + b" " * 10_000 + b"}"
    client = await Client.of(parley, post(len(body)))
    for start in range(0, len(body), 1000):
        client.send(body[start : start + 1000])
        await client.arrive()
        clock.let_pass(LIMIT_S / 2)
        await client.arrive()
    assert (await client.answer())[0] == 200
    client.close()


async def test_what_follows_a_chunked_body_is_bounded_and_no_header(parley: RunningParley) -> None:
    head = request("/api/sessions", "POST", "Content-Type: application/json", "Transfer-Encoding: chunked")
    chunk = b"%x\r\n%b\r\n" % (len(CHAT), CHAT)
    assert (await ask(parley, head + chunk + b"0\r\nHost: evil.example\r\n\r\n"))[0] == 200
    client = await Client.of(parley, head + chunk + b"0\r\n")
    for _ in range(1000):
        client.send(b"X-Trailer: " + b"x" * 1000 + b"\r\n")
        await asyncio.sleep(0)
    assert (await client.answer())[0] in (431, 0)


async def test_an_answer_that_takes_its_time_is_never_ended(
    parley: RunningParley, clock: MovableClock
) -> None:
    parley.upstream.reply("A", "b", "c", hold_after=1, model="cleo")
    body = CHAT.replace(b"ada", b"cleo")
    client = await Client.of(parley, post(len(body), "Accept: text/event-stream") + body + b"\r\nGET /h")
    said = b""
    async with asyncio.timeout(60 + 5 * LIMIT_S):
        while b"turn.completed" not in said:
            part = await client.reader.read(65536)
            assert part, "the stream was torn off"
            said += part
            if b"reply.delta" in said and not parley.upstream._released.is_set():
                for _ in range(4):
                    clock.let_pass(LIMIT_S)
                    await client.arrive()
                parley.upstream.release()
    parley.upstream.forget()
    client.close()


# ── connections ──────────────────────────────────────────────────────────────────────────────────


async def test_half_requests_give_way_to_whole_ones(tmp_path: Path) -> None:
    """Long before they time out, and as soon as they are no longer young, which a busy machine sees late."""
    async with a_running_parley(tmp_path, max_connections=24, head_timeout=60.0) as parley:
        half = [await Client.of(parley, b"GET / HT") for _ in range(72)]
        begun, answered = time.monotonic(), 0
        while answered < 5 and time.monotonic() - begun < 100:
            await asyncio.sleep(YOUNG_S)
            answered += (await ask(parley, request()))[0] == 200
        assert answered == 5
        async with asyncio.timeout(40):
            while len(ended := [client for client in half if _is_closed(client)]) < len(half) - 24:  # noqa: ASYNC110
                await asyncio.sleep(YOUNG_S)
        assert len(ended) < len(half)


def _is_closed(client: Client) -> bool:
    """Whether the server closed it; if it had not read all by then, that is a reset and not an end."""
    return client.reader.at_eof() or client.reader.exception() is not None


async def test_streams_leave_connections_for_votes_and_are_asked_to_wait(parley: RunningParley) -> None:
    battle = await parley.battle("Who is there?")
    parley.upstream.reply("A", hold_after=1, model="cleo")
    body = CHAT.replace(b"ada", b"cleo")
    streams = [
        await Client.of(parley, post(len(body), "Accept: text/event-stream") + body)
        for _ in range(LIMITS["max_connections"])
    ]
    heads = [await client.reader.readuntil(b"\r\n\r\n") for client in streams]
    refused = [head for head in heads if b" 503 " in head]
    # The test's own client holds a connection that waits.
    assert len(refused) == LIMITS["max_connections"] // 4
    assert all(b"retry-after" in head.lower() for head in refused)
    assert (await parley.vote(battle["match_id"], "left"))["vote"] == "left"
    status, problem = await ask(parley, request("/api/turns/x/events"))
    assert (status, problem["code"]) == (503, "too_many_connections")
    parley.upstream.release()
    for client in streams:
        client.close()
    async with asyncio.timeout(40):
        while (await ask(parley, request("/api/turns/x/events")))[0] == 503:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    assert (await ask(parley, request("/api/turns/x/events")))[0] == 404


async def test_one_address_has_its_own_limit(tmp_path: Path) -> None:
    async with a_running_parley(tmp_path, max_connections_per_address=16) as parley:
        first = [await Client.of(parley, request()) for _ in range(16)]
        await asyncio.sleep(1.2 * YOUNG_S)
        for client in [await Client.of(parley, request()) for _ in range(16)]:
            assert (await client.answer())[0] == 200
        assert all(await asyncio.gather(*(client.ends() for client in first)))


# ── descriptors ──────────────────────────────────────────────────────────────────────────────────


async def test_descriptors_are_divided_with_a_reserve(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    for allowed in (192, 256, 1024, 65_536):
        monkeypatch.setattr(descriptors, "limit", lambda allowed=allowed: allowed)
        shares = descriptors.shares(parley.application[Settings])
        assert shares.clients >= 16
        assert shares.clients + shares.models + descriptors.RESERVE + descriptors.REFUSED <= allowed


async def test_readiness_tells_of_a_full_disk_and_recovers(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():  # noqa: ASYNC240
        pytest.skip("this system has no /dev/full")
    async with a_running_parley(tmp_path) as parley:
        assert await parley.get("/readyz") == {"status": "ready"}
        probe = parley.application[Settings].data_dir / "parley.probe"
        assert not probe.exists()
        probe.symlink_to(full)  # every write to it fails as on a full disk
        problem = await parley.get("/readyz", 503)
        assert problem["code"] == "disk_full"
        assert str(probe.parent) in problem["title"]
        assert "Free some space" in problem["detail"]
        assert await parley.get("/readyz") == {"status": "ready"}


# ── odd addresses of this server ─────────────────────────────────────────────────────────────────

ODD_HOSTS = [
    "evil.com@127.0.0.1", "127.0.0.1@evil.com", "a:b@127.0.0.1:8400", "evil.com:80@localhost",
    "@localhost", "localhost@", "local host", "127.0.0.1 evil.com", "127.0.0.1,evil.com",
    "127.0.0.1/evil.com", "127.0.0.1?x", "127.0.0.1#x", "127.0.0.1\\evil.com", "localhost.",
    "127.0.0.1.", ".localhost", "[127.0.0.1]", "[::1", "::1", "::1]", "[[::1]]", "[::1]x",
    "[::1%25lo]", "[::ffff:127.0.0.1]", "[v1.x]", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1",
    "127.0.0.1:+80", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999999999",
    "127.0.0.1:80:80", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "0.0.0.0", "ｌocalhost",
    "localhoſt", "１２７.0.0.1", "127。0。0。1", "local\thost", "http://127.0.0.1", "//127.0.0.1",
    "%6cocalhost", "localhost%00", "*",
]  # fmt: skip


@pytest.mark.parametrize("host", ODD_HOSTS)
async def test_an_odd_host_is_nobodys_name(parley: RunningParley, host: str) -> None:
    for method in ("GET", "POST"):
        status, problem = await ask(parley, request("/api/about", method, host=host))
        assert (status, problem["code"]) == (421, "bad_host")


async def test_several_hosts_and_none_are_nobodys_name(parley: RunningParley) -> None:
    for lines in (["Host: 127.0.0.1"], ["Host: evil.example"]):
        assert (await ask(parley, request("/api/about", "GET", *lines)))[0] == 421
    assert (await ask(parley, b"GET /api/about HTTP/1.1\r\n\r\n"))[0] == 421
    assert (await ask(parley, b"GET /api/about HTTP/1.0\r\n\r\n"))[0] == 421


@pytest.mark.parametrize(
    "target",
    [
        "http://evil.example/api/about",
        "http://127.0.0.1/api/about",
        "HTTP://127.0.0.1",
        "evil.example:443",
        "*",
    ],
)
async def test_an_address_that_is_no_path_is_refused(parley: RunningParley, target: str) -> None:
    for method in ("GET", "POST", "CONNECT", "OPTIONS"):
        assert (await ask(parley, request(target, method)))[0] in (400, 404, 405), method


ODD_ORIGINS = [
    "http://evil.com@HOST", "http://HOST@evil.com", "//HOST", "HOST", "ftp://HOST", "http:HOST",
    "http:/HOST", "http://HOST/", "http://HOST/x", "http://HOST?x", "http://HOST#x",
    "http://HOST\\@evil.com", "http://HOST http://evil.com", " null", "", "http://HOST.",
    "http://HOST:80", "http://[HOST]", "http://HOST,http://evil.com", "chrome-extension://HOST",
    "http:// HOST", "http://\tHOST",
]  # fmt: skip


@pytest.mark.parametrize("origin", ODD_ORIGINS)
async def test_an_odd_origin_is_a_foreign_one(parley: RunningParley, origin: str) -> None:
    host = parley.base_url.removeprefix("http://")
    line = f"Origin: {origin.replace('HOST', host)}"
    status, problem = await ask(parley, request("/api/sessions", "POST", line, host=host))
    assert (status, problem["code"]) == (403, "cross_site")


async def test_several_origins_are_foreign_whichever_comes_first(parley: RunningParley) -> None:
    own, evil = f"Origin: {parley.base_url}", "Origin: http://evil.example"
    host = parley.base_url.removeprefix("http://")
    for lines in ([own, evil], [evil, own], [own, own]):
        assert (await ask(parley, request("/api/sessions", "POST", *lines, host=host)))[0] == 403
    sites = ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"]
    assert (await ask(parley, request("/api/sessions", "POST", *sites, host=host)))[0] == 403
    assert (await ask(parley, request("/api/sessions", "POST", own, host=host)))[0] == 422
