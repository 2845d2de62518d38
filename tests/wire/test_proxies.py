"""Requests through a proxy: a tunnel for TLS, the whole address without one, and nothing of it for loopback."""

import asyncio
import base64
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from parley.kernel.errors import Rejected, Unreachable
from parley.wire.dialing import Outgoing
from parley.wire.http import HttpClient, WireOptions
from parley.wire.proxies import Proxies, Proxy
from tests.fakes.ports import free_port
from tests.wire.test_connection import Server, get, says, serving, whole

NAME = "model.example"


class FakeProxy:
    """Leads every connection to one server, whatever its name; `heads` are the requests that it read."""

    def __init__(self, to: Server, refusal: bytes | None) -> None:
        self.port = 0
        self.heads: list[bytes] = []
        self._to = urlsplit(to.origin)
        self._refusal = refusal
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.heads.append(head)
        if self._refusal is not None:
            writer.write(self._refusal)
            writer.close()
            return
        there = await asyncio.open_connection(self._to.hostname, self._to.port)
        if head.startswith(b"CONNECT "):
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            there[1].write(head)
        for source, sink in ((reader, there[1]), (there[0], writer)):
            task = asyncio.create_task(_pass_on(source, sink))
            self._tasks.add(task)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while packet := await reader.read(65536):
            writer.write(packet)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def a_proxy(to: Server, refusal: bytes | None = None) -> AsyncGenerator[FakeProxy]:
    proxy = FakeProxy(to, refusal)
    listening = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = listening.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listening.close()


@asynccontextmanager
async def through(address: str, ca_file: Path | None = None, *direct: str) -> AsyncGenerator[HttpClient]:
    proxy = Proxy.at(address)
    outgoing = Outgoing(Proxies(proxy, proxy, direct), ca_file)
    client = HttpClient(WireOptions(connect_s=40, idle_s=40, allow_loopback=True, outgoing=outgoing))
    try:
        yield client
    finally:
        await client.close()


def named(server: Server) -> Server:
    server.origin = server.origin.replace("127.0.0.1", NAME)
    return server


async def test_a_request_with_tls_goes_through_a_tunnel_and_its_connection_is_kept(
    tls: ssl.SSLContext,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    async with (
        serving(says(whole(b"one"), whole(b"two")), ssl=tls) as server,
        a_proxy(server) as proxy,
        through(f"http://ann:p%40ss@127.0.0.1:{proxy.port}", certificate) as client,
    ):
        port = urlsplit(server.origin).port
        assert [await get(client, named(server)) for _ in range(2)] == [b"one", b"two"]
    (head,) = proxy.heads
    lines = head.decode().split("\r\n")
    assert lines[:2] == [f"CONNECT {NAME}:{port} HTTP/1.1", f"Host: {NAME}:{port}"]
    assert lines[2] == f"Proxy-Authorization: Basic {base64.b64encode(b'ann:p@ss').decode()}"


async def test_a_private_authority_is_trusted_only_where_it_is_named(
    tls: ssl.SSLContext,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    async with serving(says(whole(b"one")), ssl=tls) as server:
        for ca_file in (None, certificate):
            client = HttpClient(WireOptions(allow_loopback=True, outgoing=Outgoing(ca_file=ca_file)))
            if ca_file:
                assert await get(client, server) == b"one"
            else:
                with pytest.raises(Unreachable):
                    await get(client, server)
            await client.close()


async def test_a_request_without_tls_names_the_whole_address_to_the_proxy() -> None:
    async with (
        serving(says(whole(b"one"))) as server,
        a_proxy(server) as proxy,
        through(f"ann:secret@127.0.0.1:{proxy.port}") as client,
    ):
        origin = named(server).origin
        assert await get(client, server) == b"one"
    (head,) = proxy.heads
    assert head.startswith(b"GET %b/ HTTP/1.1\r\n" % origin.encode())
    assert head.count(b"Proxy-Authorization: Basic ") == 1


@pytest.mark.parametrize("rule", [NAME, "example", ".EXAMPLE", "*"])
async def test_what_needs_no_proxy_gets_none(rule: str) -> None:
    proxies = Proxies.of_environment({"HTTPS_PROXY": "http://proxy.test:3128", "no_proxy": f"other, {rule}"})
    assert proxies.of("https", NAME, 443) is None
    assert proxies.of("https", "elsewhere.test", 443) == Proxy("proxy.test", 3128) or rule == "*"
    assert proxies.of("http", "elsewhere.test", 80) is None


@pytest.mark.parametrize(
    ("host", "rule"), [("10.1.2.3", "10.0.0.0/8"), ("fd00::1", "fd00::/8"), ("a.test", "a.test:443")]
)
def test_networks_and_ports_may_be_excepted(host: str, rule: str) -> None:
    proxy = Proxy("proxy.test", 3128)
    assert Proxies(proxy, proxy, (rule,)).of("https", host, 443) is None
    assert Proxies(proxy, proxy, (rule,)).of("https", "11.1.2.3", 443) is proxy
    assert Proxies(proxy, proxy, (rule,)).of("https", "nota.test", 443) is proxy


@pytest.mark.parametrize("host", ["localhost", "localhost.", "127.0.0.1", "127.9.9.9", "::1"])
def test_loopback_never_goes_through_a_proxy(host: str) -> None:
    proxy = Proxy("proxy.test", 3128)
    assert Proxies(proxy, proxy).of("http", host, 11434) is None


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", Rejected, "user name and a password"),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", Rejected, "does not allow"),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n", Unreachable, "status 502"),
        (b"HTTP/1.1 200 OK\r\n\r\nbytes that nobody asked for", Unreachable, "did not connect"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", Unreachable, "not respond like a proxy"),
        (b"", Unreachable, "not respond like a proxy"),
        (b"HTTP/1.1 200 OK\r\n" + b"x-y: z\r\n" * 4000, Unreachable, "not respond like a proxy"),
    ],
)
async def test_a_proxy_that_refuses_is_named_and_nothing_is_sent(
    answer: bytes,
    error: type[Exception],
    words: str,
    tls: ssl.SSLContext,
) -> None:
    async with (
        serving(says(whole(b"one")), ssl=tls) as server,
        a_proxy(server, answer) as proxy,
        through(f"ann:secret@127.0.0.1:{proxy.port}") as client,
    ):
        with pytest.raises(error) as caught:
            await get(client, named(server))
        said = str(caught.value.problem)  # type: ignore[attr-defined]
        assert words in said
        assert f"127.0.0.1:{proxy.port}" in said
        assert "secret" not in said
        assert server.connections == 0


async def test_a_proxy_that_is_not_there_is_named() -> None:
    async with through(f"http://127.0.0.1:{free_port()}") as client:
        with pytest.raises(Unreachable) as caught:
            await client.get_json(f"https://{NAME}/", {})
    assert caught.value.title.startswith("Can't reach the proxy 127.0.0.1:")


async def test_a_literal_address_is_checked_before_any_proxy_hears_of_it() -> None:
    async with through("http://127.0.0.1:9") as client:
        with pytest.raises(Rejected) as caught:
            await client.get_json("http://169.254.169.254/latest/meta-data", {})
    assert caught.value.leaf_code == "upstream_address_denied"


@pytest.mark.parametrize(
    "address", ["https://proxy.test:3128", "socks5://a:secret@b:1", "http://", "http://[::1"]
)
def test_what_is_no_proxy_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(ValueError, match="proxy") as caught:
        Proxy.at(address)
    assert "secret" not in str(caught.value)
    assert "secret" not in repr(Proxy.at("ann:secret@proxy.test:3128"))
