"""The HTTP/1.1 client that connectors share: every connection passes the egress policy."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlencode

from yarl import URL

from parley.kernel.errors import Rejected, Unreachable, UpstreamError
from parley.wire.connection import Connection
from parley.wire.dialing import USUAL, Dialer, Origin, Outgoing
from parley.wire.egress import EgressPolicy, Lookup
from parley.wire.failures import silent, too_large, too_many_files, unusable
from parley.wire.proxies import Proxy, authorization
from parley.wire.retry_after import parse_retry_after
from parley.wire.targets import Target, encode_request
from parley.wire.ticker import Ticker

P = TypeVar("P", bound=asyncio.BaseProtocol)

KEEPALIVE_S = 15.0
"""Seconds that an idle connection is kept: fewer than servers keep theirs."""

MAX_TARGETS = 256
"""The parsed URLs that are cached."""


@dataclass(frozen=True)
class WireOptions:
    """Limits of the client.

    `connect_s` covers DNS, TCP and TLS. `idle_s` is the longest silence, including before the first byte; None leaves
    timeouts to the caller and saves a timer per read. `max_answer_bytes` bounds the text of an answer, `max_body_bytes`
    a body that is read at once, `max_stream_bytes` everything that one response may send, decompressed.
    `max_connections` leaves the process descriptors for other things.
    """

    connect_s: float = 5.0
    idle_s: float | None = 30.0
    max_line_bytes: int = 1 << 20
    max_answer_bytes: int = 2 << 20
    max_body_bytes: int = 8 << 20
    max_stream_bytes: int = 256 << 20
    max_connections: int | None = None
    allow_loopback: bool = False
    allowed_origins: frozenset[str] = frozenset()
    outgoing: Outgoing = USUAL


class Response:
    """A response with its body unread. Close it: that frees the connection, or closes it if the body is unread."""

    def __init__(self, client: "HttpClient", origin: Origin, connection: Connection) -> None:
        self.status = connection.status
        self._client = client
        self._origin = origin
        self._connection: Connection | None = connection
        self._headers = connection.headers
        self._options = client.options
        self._received = 0

    @property
    def media_type(self) -> str:
        """The body's type in lower case without parameters; empty if the server names none."""
        return self._headers.get("content-type", "").partition(";")[0].strip().lower()

    def header(self, name: str) -> str:
        """Return a header's value by its name in lower case; empty without one."""
        return self._headers.get(name, "")

    @property
    def retry_after_s(self) -> float | None:
        """The wait that the server asks for; None if it does not say."""
        headers = self._headers
        return parse_retry_after(headers.get("retry-after"), now=time.time(), served=headers.get("date"))

    async def read(self) -> bytes:
        """Return what has arrived since the last read, waiting for something; empty at the end.

        Raises UpstreamError: the connection broke or went silent, or more arrived than is allowed.
        """
        if self._connection is None:
            return b""
        if self._options.idle_s is None:
            packet = await self._connection.read()
        else:
            try:
                async with asyncio.timeout(self._options.idle_s):
                    packet = await self._connection.read()
            except TimeoutError:
                raise silent() from None
        self._received += len(packet)
        if self._received > self._options.max_stream_bytes:
            raise too_large()
        return packet

    def hurry(self) -> None:
        """Read the next packets as they arrive, not at the next interval: little more will come."""
        if self._connection is not None:
            self._connection.hurry()

    async def read_body(self, limit: int | None = None) -> bytes:
        """Return the rest of the body. Raises UpstreamError, Garbled if it is longer than the limit."""
        limit = self._options.max_body_bytes if limit is None else limit
        body = bytearray()
        while packet := await self.read():
            body += packet
            if len(body) > limit:
                raise too_large()
        return bytes(body)

    async def read_start(self, limit: int = 8192) -> bytes:
        """Return the first bytes of the body, as far as they arrive: enough to explain a failure."""
        body = bytearray()
        try:
            while len(body) < limit and (packet := await self.read()):
                body += packet
        except UpstreamError:
            # The status already says that the request failed; a broken body adds nothing.
            pass
        return bytes(body[:limit])

    def close(self) -> None:
        """Return the connection to the pool if the body was read to its end; else close it at once."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._client.release(self._origin, connection)


class HttpClient:
    """Sends the requests of all connectors. Follows no redirect, and no proxy but those of its options.

    Lives on one event loop; connects when first needed.
    """

    def __init__(
        self,
        options: WireOptions | None = None,
        *,
        lookup: Lookup | None = None,
        ticker: Ticker | None = None,
    ) -> None:
        self.options = options or WireOptions()
        self._egress = EgressPolicy(
            allow_loopback=self.options.allow_loopback, allowed_origins=self.options.allowed_origins
        )
        self._ticker = ticker or Ticker()
        self._dialer = Dialer(lookup, self.options.outgoing)
        self._open: set[Connection] = set()
        self._connecting = 0
        self._idle: dict[Origin, list[tuple[Connection, asyncio.TimerHandle]]] = {}
        self._targets: dict[str, Target] = {}
        self._sources: tuple[Callable[[], Mapping[str, str]], ...] = ()

    def pass_along(self, source: Callable[[], Mapping[str, str]]) -> None:
        """Add headers to every request, as a function tells when it is sent, such as the id of what it belongs to."""
        self._sources = (*self._sources, source)

    async def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Response:
        """Post a JSON body; return once the response's head has arrived, whatever its status.

        Raises UpstreamError: no connection, a denied address, a redirect, or silence.
        """
        return await self.send_json("POST", url, body, headers)

    async def send_json(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Response:
        """Send a JSON body by another method; otherwise like `post_json`."""
        return await self._send(method, url, {**headers, "Content-Type": "application/json"}, body)

    async def post_file(self, url: str, body: bytes, headers: Mapping[str, str]) -> Response:
        """Post a file as it is; otherwise like `post_json`."""
        return await self._send("POST", url, {**headers, "Content-Type": "application/octet-stream"}, body)

    async def post_form(self, url: str, form: Mapping[str, str], headers: Mapping[str, str]) -> Response:
        """Post the fields of a form; otherwise like `post_json`."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self._send("POST", url, {**headers, **kind}, urlencode(form).encode())

    async def get_json(self, url: str, headers: Mapping[str, str]) -> Response:
        """Request JSON; otherwise like `post_json`."""
        return await self._send("GET", url, {**headers, "Accept": "application/json"}, b"")

    async def check(self, url: str) -> Proxy | None:
        """Check an address for a library that connects by itself; return the proxy that it must use.

        Raises Rejected, Unreachable. The library resolves the name again, so a name that has changed since is not
        noticed.
        """
        origin = (self._targets.get(url) or self._target(url)).origin
        proxy = self._dialer.proxy_of(origin)
        if proxy is None:
            await self._dialer.check(origin)
        return proxy

    async def dial(self, url: str, make: Callable[[], P]) -> tuple[P, Target]:
        """Connect to an address for another protocol than HTTP's, once; its owner closes it. Raises UpstreamError."""
        target = self._targets.get(url) or self._target(url)
        return await self._dialer.open(target.origin, self.options.connect_s, make), target

    def allow(self, origins: Iterable[str]) -> None:
        """Replace the origins that may be in a private network; open connections continue."""
        self._egress.allow(origins)
        self._targets.clear()

    async def close(self) -> None:
        """Close every connection. The client can be used again afterwards."""
        for connection in tuple(self._open):
            connection.abort()
        self._open.clear()
        for _, timer in (entry for pool in self._idle.values() for entry in pool):
            timer.cancel()
        self._idle.clear()
        await asyncio.sleep(0)

    def release(self, origin: Origin, connection: Connection) -> None:
        """Keep a connection for the next request if its response was read to the end; else close it."""

        def forget() -> None:
            timer.cancel()
            pool = self._idle[origin]
            pool.remove(entry)
            if not pool:
                del self._idle[origin]
            self._open.discard(connection)

        if connection.finish(forget):
            timer = asyncio.get_running_loop().call_later(KEEPALIVE_S, connection.close_idle)
            entry = (connection, timer)
            self._idle.setdefault(origin, []).append(entry)
        else:
            self._open.discard(connection)

    async def _send(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Response:
        target = self._targets.get(url) or self._target(url)
        origin = target.origin
        for source in self._sources:
            headers = {**headers, **source()}
        request = encode_request(method, target, headers, body)
        connection = self._take_idle(origin)
        if connection is None or not await self._exchange(connection, request):
            connection = await self._connect(origin)
            await self._exchange(connection, request)
        response = Response(self, origin, connection)
        if 300 <= response.status < 400:
            response.close()
            raise Rejected(
                "The model's server redirects requests.",
                "Parley does not follow redirects, so that no key reaches another server. Enter the "
                "final address.",
                code="upstream_redirect",
            )
        return response

    async def _exchange(self, connection: Connection, request: bytes) -> bool:
        """Send a request and wait for the response's head; False if a kept connection had already ended."""
        try:
            connection.send(request)
            if self.options.idle_s is None:
                await connection.read_head()
            else:
                async with asyncio.timeout(self.options.idle_s):
                    await connection.read_head()
        except BaseException as error:
            self._discard(connection)
            if connection.missed and isinstance(error, Unreachable):
                return False
            if isinstance(error, TimeoutError):
                raise silent() from None
            raise
        if connection.used and connection.status == 408:
            # The server stopped waiting for a request just when this one was sent.
            self._discard(connection)
            return False
        return True

    def _discard(self, connection: Connection) -> None:
        connection.abort()
        self._open.discard(connection)

    def _target(self, url: str) -> Target:
        """Parse and check a URL, once for all its requests. Raises Rejected."""
        try:
            parsed = URL(url)
        except (ValueError, LookupError):
            raise unusable() from None
        grant = self._egress.grant_for(parsed)
        origin = Origin(parsed.scheme, parsed.raw_host or "", parsed.port or 0, grant)
        host, path = parsed.host_port_subcomponent or "", parsed.raw_path_qs or "/"
        proxy = self._dialer.proxy_of(origin) if origin.scheme == "http" else None
        # Without a tunnel the proxy reads the request: it needs the whole address, and who asks.
        target = (
            Target(origin, host, f"http://{host}{path}", authorization(proxy))
            if proxy
            else Target(origin, host, path)
        )
        if len(self._targets) >= MAX_TARGETS:
            self._targets.clear()
        self._targets[url] = target
        return target

    def _take_idle(self, origin: Origin) -> Connection | None:
        while pool := self._idle.get(origin):
            connection, timer = pool.pop()
            timer.cancel()
            if not pool:
                del self._idle[origin]
            if connection.is_idle():
                return connection
            self._discard(connection)
        return None

    async def _connect(self, origin: Origin) -> Connection:
        """Connect to the first address that answers. Raises UpstreamError."""
        self._close_idle_at_limit()
        self._connecting += 1
        try:
            connection = await self._dialer.open(
                origin, self.options.connect_s, lambda: Connection(self._ticker)
            )
        finally:
            self._connecting -= 1
        self._open.add(connection)
        return connection

    def _close_idle_at_limit(self) -> None:
        """Close one idle connection if no more may be open. Raises Unsent if none is idle."""
        limit = self.options.max_connections
        if limit is None or len(self._open) + self._connecting < limit:
            return
        origin = next(iter(self._idle), None)
        if origin is None:
            raise too_many_files()
        self._idle[origin][0][0].close_idle()
