"""The HTTP client that connectors share: HTTP/1.1, every connection through the egress door."""

import asyncio
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from aiohappyeyeballs import start_connection  # pyright: ignore[reportUnknownVariableType]
from yarl import URL

from parley import __version__
from parley.kernel.errors import Garbled, Rejected, Unreachable, UpstreamError
from parley.wire.connection import Connection
from parley.wire.deny_table import Grant
from parley.wire.egress import Address, EgressDoor, Lookup, checked_addresses
from parley.wire.failures import cannot_connect, not_found, silent, too_many_files, unusable
from parley.wire.retry_after import parse_retry_after
from parley.wire.ticker import Ticker

KEPT_IDLE_S = 15.0
"""How long a connection waits for another request: shorter than servers wait."""

NEXT_ADDRESS_S = 0.25
"""How long one address may take before the next is tried beside it (RFC 8305)."""


TARGETS_KEPT = 256
"""How many addresses are remembered as they were read."""


@dataclass(frozen=True)
class WireOptions:
    """Limits of the wire.

    `connect_s` covers name, TCP and TLS; `idle_s` is the longest silence, before the first byte
    too; None leaves the time to the caller, and saves a timer per read. `max_answer_bytes` bounds
    what an answer says, `max_body_bytes` a body that must be read whole, `max_stream_bytes`
    everything that one response may send, unpacked; `max_connections` are those open at once, so that the
    process keeps descriptors for what is not this client's.
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


class Place(NamedTuple):
    """Where connections lead. One made for an allowed origin is never lent to a typed address."""

    scheme: str
    host: str
    port: int
    grant: Grant


class Answer:
    """A server's response, its body unread. Close it when done: an unread rest closes the connection."""

    def __init__(self, client: "HttpClient", place: Place, connection: Connection) -> None:
        self.status = connection.status
        self._client = client
        self._place = place
        self._connection: Connection | None = connection
        self._headers = connection.headers
        self._options = client.options
        self._received = 0

    @property
    def media_type(self) -> str:
        """The body's type in lower case without parameters; empty where the server names none."""
        return self._headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def retry_after_s(self) -> float | None:
        """What the server says of waiting."""
        headers = self._headers
        return parse_retry_after(headers.get("retry-after"), now=time.time(), served=headers.get("date"))

    async def read(self) -> bytes:
        """Return what has come since the last read, waiting for something; empty at the end.

        Raises UpstreamError: the connection broke or went silent, or more came than is allowed.
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
            raise Garbled("The model's server sent more than an answer can be.")
        return packet

    async def read_whole(self, limit: int | None = None) -> bytes:
        """Return the rest of the body. Raises UpstreamError, Garbled if it is longer than the limit."""
        limit = self._options.max_body_bytes if limit is None else limit
        body = bytearray()
        while packet := await self.read():
            body += packet
            if len(body) > limit:
                raise Garbled("The model's server sent more than an answer can be.")
        return bytes(body)

    async def read_start(self, limit: int = 8192) -> bytes:
        """Return the start of the body, as far as it can be had: what is needed to explain a failure."""
        body = bytearray()
        try:
            while len(body) < limit and (packet := await self.read()):
                body += packet
        except UpstreamError:
            # A broken connection while reading an explanation is no news: the status tells enough.
            pass
        return bytes(body[:limit])

    def close(self) -> None:
        """Close the connection at once; after the whole body was read it stays open for the next request."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._client.take_back(self._place, connection)


class HttpClient:
    """Sends requests for all connectors of the process. Follows no redirect, ignores proxy variables.

    Lives on one event loop; its connections are made when first needed.
    """

    def __init__(
        self,
        options: WireOptions | None = None,
        *,
        lookup: Lookup | None = None,
        ticker: Ticker | None = None,
    ) -> None:
        self.options = options or WireOptions()
        self._door = EgressDoor(
            allow_loopback=self.options.allow_loopback, allowed_origins=self.options.allowed_origins
        )
        self._lookup = lookup
        self._ticker = ticker or Ticker()
        self._open: set[Connection] = set()
        self._connecting = 0
        self._idle: dict[Place, list[tuple[Connection, asyncio.TimerHandle]]] = {}
        self._targets: dict[str, _Target] = {}
        self._tls: ssl.SSLContext | None = None

    async def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a JSON body; return as soon as the response's head is there, whatever its status.

        Raises UpstreamError: no connection, a denied address, a redirect, or silence.
        """
        return await self.send_json("POST", url, body, headers)

    async def send_json(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a JSON body by another method; otherwise like `post_json`."""
        return await self._send(method, url, {**headers, "Content-Type": "application/json"}, body)

    async def get_json(self, url: str, headers: Mapping[str, str]) -> Answer:
        """Ask for JSON; otherwise like `post_json`."""
        return await self._send("GET", url, {**headers, "Accept": "application/json"}, b"")

    async def close(self) -> None:
        """Close every connection. The client can be used again afterwards."""
        for connection in tuple(self._open):
            connection.abort()
        self._open.clear()
        for _, timer in (kept for pool in self._idle.values() for kept in pool):
            timer.cancel()
        self._idle.clear()
        await asyncio.sleep(0)

    def take_back(self, place: Place, connection: Connection) -> None:
        """Keep a connection whose answer was read whole, for the next request; close any other."""

        def forget() -> None:
            timer.cancel()
            pool = self._idle[place]
            pool.remove(kept)
            if not pool:
                del self._idle[place]
            self._open.discard(connection)

        if connection.rest(forget):
            timer = asyncio.get_running_loop().call_later(KEPT_IDLE_S, connection.end_rest)
            kept = (connection, timer)
            self._idle.setdefault(place, []).append(kept)
        else:
            self._open.discard(connection)

    async def _send(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        target = self._targets.get(url) or self._target(url)
        place = target.place
        request = _request(method, target, headers, body)
        kept = self._kept(place)
        if kept is not None and await self._answers(kept, request):
            connection = kept
        else:
            connection = await self._connect(place)
            await self._answers(connection, request)
        answer = Answer(self, place, connection)
        if 300 <= answer.status < 400:
            answer.close()
            raise Rejected(
                "The model's server sends requests elsewhere.",
                "Parley does not follow redirects, so that a key stays with its server. Set the final address.",
                code="upstream_redirect",
            )
        return answer

    async def _answers(self, connection: Connection, request: bytes) -> bool:
        """Send a request and wait for the head of its answer; False only where a kept connection was over already."""
        try:
            connection.send(request)
            await self._head(connection)
        except BaseException as error:
            self._discard(connection)
            if connection.missed and isinstance(error, Unreachable):
                return False
            raise
        if connection.used and connection.status == 408:
            # The server was tired of waiting for a request just when it was sent.
            self._discard(connection)
            return False
        return True

    def _discard(self, connection: Connection) -> None:
        connection.abort()
        self._open.discard(connection)

    async def _head(self, connection: Connection) -> None:
        if self.options.idle_s is None:
            await connection.read_head()
            return
        try:
            async with asyncio.timeout(self.options.idle_s):
                await connection.read_head()
        except TimeoutError:
            raise silent() from None

    def _target(self, url: str) -> "_Target":
        """Read an address, once for all its requests. Raises Rejected."""
        try:
            parsed = URL(url)
        except (ValueError, LookupError):
            raise unusable() from None
        grant = self._door.grant_for(parsed)
        place = Place(parsed.scheme, parsed.raw_host or "", parsed.port or 0, grant)
        target = _Target(place, parsed.host_port_subcomponent or "", parsed.raw_path_qs or "/")
        if len(self._targets) >= TARGETS_KEPT:
            self._targets.clear()
        self._targets[url] = target
        return target

    def _kept(self, place: Place) -> Connection | None:
        while pool := self._idle.get(place):
            connection, timer = pool.pop()
            timer.cancel()
            if not pool:
                del self._idle[place]
            if connection.is_quiet():
                return connection
            self._discard(connection)
        return None

    async def _connect(self, place: Place) -> Connection:
        """Connect to the first address that answers. Raises UpstreamError."""
        self._make_room()
        self._connecting += 1
        try:
            async with asyncio.timeout(self.options.connect_s):
                try:
                    addresses = await checked_addresses(place.host, place.port, place.grant, self._lookup)
                except OSError as error:
                    raise not_found(error) from None
                connection = await self._open_one(place, addresses)
        except (OSError, TimeoutError, ssl.SSLError) as error:
            raise cannot_connect(error) from error
        finally:
            self._connecting -= 1
        self._open.add(connection)
        return connection

    def _make_room(self) -> None:
        """Close a connection that nobody uses where there are as many as may be. Raises Unsent."""
        limit = self.options.max_connections
        if limit is None or len(self._open) + self._connecting < limit:
            return
        idle = next((place for place in self._idle), None)
        if idle is None:
            raise too_many_files()
        self._idle[idle][0][0].end_rest()

    async def _open_one(self, place: Place, addresses: list[Address]) -> Connection:
        connect = asyncio.get_running_loop().create_connection
        tls = await self._context() if place.scheme == "https" else None
        name = place.host.rstrip(".") if tls else None

        def made() -> Connection:
            return Connection(self._ticker)

        if len(addresses) == 1:
            only = addresses[0].host
            return (await connect(made, only, place.port, ssl=tls, server_hostname=name))[1]
        infos: list[tuple[int, int, int, str, tuple[str, int]]] = [
            (address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address.host, place.port))
            for address in addresses
        ]
        first = await start_connection(infos, happy_eyeballs_delay=NEXT_ADDRESS_S)
        return (await connect(made, sock=first, ssl=tls, server_hostname=name))[1]

    async def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            # Reading the system's certificates takes a while.
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        return self._tls


class _Target(NamedTuple):
    """An address that passed the egress door: where connections lead, and what a request names."""

    place: Place
    host: str
    path: str


def _request(method: str, target: _Target, headers: Mapping[str, str], body: bytes) -> bytes:
    """Return a request as it goes over the wire. Raises Rejected: a header that would end its line."""
    lines = [
        f"{method} {target.path} HTTP/1.1",
        f"Host: {target.host}",
        f"User-Agent: Parley/{__version__}",
        "Accept-Encoding: identity",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if method != "GET":
        lines.append(f"Content-Length: {len(body)}")
    head = "\r\n".join(lines)
    if head.count("\r") != len(lines) - 1 or head.count("\n") != len(lines) - 1 or "\0" in head:
        raise unusable()
    try:
        return head.encode("latin-1") + b"\r\n\r\n" + body
    except UnicodeEncodeError:
        raise unusable() from None
