"""The HTTP client that connectors share: one session, every connection through the egress door."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp
from yarl import URL

from parley import __version__
from parley.kernel.errors import Garbled, Rejected, UpstreamError
from parley.wire.deny_table import Grant
from parley.wire.egress import DoorResolver, EgressDoor, Lookup
from parley.wire.failures import FAULTS, failure_of
from parley.wire.retry_after import parse_retry_after


@dataclass(frozen=True)
class WireOptions:
    """Limits of the wire.

    `connect_s` covers name, TCP and TLS; `idle_s` is the longest silence, before the first byte
    too; None leaves the time to the caller, and saves a timer per packet. `max_answer_bytes` bounds
    what an answer says, `max_body_bytes` a body that must be read whole, `max_stream_bytes`
    everything that one response may send, unpacked.
    """

    connect_s: float = 5.0
    idle_s: float | None = 30.0
    max_line_bytes: int = 1 << 20
    max_answer_bytes: int = 2 << 20
    max_body_bytes: int = 8 << 20
    max_stream_bytes: int = 256 << 20
    allow_loopback: bool = False
    allowed_origins: frozenset[str] = frozenset()


class Answer:
    """A server's response, its body unread. Close it when done: an unread rest closes the connection."""

    def __init__(self, response: aiohttp.ClientResponse, options: WireOptions) -> None:
        self.status = response.status
        self._response = response
        self._options = options
        self._received = 0

    @property
    def media_type(self) -> str:
        """The body's type in lower case without parameters; empty where the server names none."""
        return self._response.headers.get("Content-Type", "").partition(";")[0].strip().lower()

    @property
    def retry_after_s(self) -> float | None:
        """What the server says of waiting."""
        return parse_retry_after(self._response.headers.get("Retry-After"), now=time.time())

    async def read(self) -> bytes:
        """Return what has come since the last read, waiting for something; empty at the end.

        Raises UpstreamError: the connection broke or went silent, or more came than is allowed.
        """
        try:
            packet = await self._response.content.readany()
        except FAULTS as error:
            raise failure_of(error, connected=True) from error
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
        self._response.close()


class HttpClient:
    """Sends requests for all connectors of the process. Follows no redirect, ignores proxy variables.

    Lives on one event loop; its connections are made when first needed.
    """

    def __init__(self, options: WireOptions | None = None, *, lookup: Lookup | None = None) -> None:
        self.options = options or WireOptions()
        self._door = EgressDoor(
            allow_loopback=self.options.allow_loopback, allowed_origins=self.options.allowed_origins
        )
        self._lookup = lookup
        self._sessions: dict[Grant, aiohttp.ClientSession] = {}

    async def post_json(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a JSON body; return as soon as the response's head is there, whatever its status.

        Raises UpstreamError: no connection, a denied address, a redirect, or silence.
        """
        return await self._send("POST", url, {**headers, "Content-Type": "application/json"}, body)

    async def get_json(self, url: str, headers: Mapping[str, str]) -> Answer:
        """Ask for JSON; otherwise like `post_json`."""
        return await self._send("GET", url, {**headers, "Accept": "application/json"}, None)

    async def close(self) -> None:
        """Close every connection. The client can be used again afterwards."""
        sessions, self._sessions = list(self._sessions.values()), {}
        for session in sessions:
            await session.close()

    async def _send(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        try:
            target = URL(url)
            session = self._session(self._door.grant_for(target))
            response = await session.request(
                method, target, data=body, headers=headers, allow_redirects=False
            )
        except FAULTS as error:
            raise failure_of(error, connected=True) from error
        if 300 <= response.status < 400:
            response.close()
            raise Rejected(
                "The model's server sends requests elsewhere.",
                "Parley does not follow redirects, so that a key stays with its server. Set the final address.",
                code="upstream_redirect",
            )
        return Answer(response, self.options)

    def _session(self, grant: Grant) -> aiohttp.ClientSession:
        # One pool per grant: a connection made for an allowed origin is never lent to a typed address.
        if grant not in self._sessions:
            self._sessions[grant] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=0, use_dns_cache=False, resolver=DoorResolver(grant, self._lookup)
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": f"Parley/{__version__}"},
                timeout=aiohttp.ClientTimeout(
                    total=None, connect=self.options.connect_s, sock_read=self.options.idle_s
                ),
                trust_env=False,
            )
        return self._sessions[grant]
