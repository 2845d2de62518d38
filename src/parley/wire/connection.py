"""One HTTP/1.1 connection to a server, lent to one exchange at a time."""

import asyncio
import zlib
from collections.abc import Callable
from typing import Protocol, cast

import httptools

from parley.kernel.errors import Garbled, Unreachable
from parley.wire.pulse import Pulse

MAX_HEAD_BYTES = 64 << 10
HIGH_WATER_BYTES = 256 << 10
"""How much of a body may wait to be read before the server is made to wait."""

EAGER_PACKETS = 4

UNPACK_BYTES = 1 << 20
"""How much is unpacked at a time, so that a small packet cannot become a large one."""


class Unpacker(Protocol):
    """What zlib returns for a stream that is packed."""

    @property
    def unconsumed_tail(self) -> bytes:
        """What did not fit into the last result, still packed."""
        ...

    def decompress(self, data: bytes, max_length: int = 0, /) -> bytes:
        """Return at most so much of what the data holds."""
        ...


class Connection(asyncio.Protocol):
    """Sends a request and hands on the answer's head and body as they come.

    A reader that was woken less than a beat ago is woken again at the next beat. The first packets wake
    it at once, since any of them may hold the first word, and so does the end.
    """

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._on_idle_end: Callable[[], None] | None = None
        self._clear()
        self.used = False
        """True once an exchange was whole: the server may close such a connection at any time."""

    def _clear(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.complete = False
        self.heard = False
        self._head_bytes = 0
        self._whole_head = False
        self._open_ended = False
        self._keeps_alive = False
        self._broken: Exception | None = None
        self._unpack: Unpacker | None = None
        self._packed = b""
        self._packets: list[bytes] = []
        self._waiting_bytes = 0
        self._paused = False
        self._waiter: asyncio.Future[None] | None = None
        self._woken_at = 0.0
        self._eager = EAGER_PACKETS

    # ── what the client asks ─────────────────────────────────────────────────────────────────────

    def send(self, request: bytes) -> None:
        """Begin an exchange. Raises Unreachable where the server has left."""
        if self._transport is None or self._transport.is_closing():
            raise _interrupted()
        self._on_idle_end = None
        self._transport.write(request)

    async def read_head(self) -> None:
        """Wait until `status` and `headers` are there. Raises Unreachable, Garbled."""
        while not self._whole_head:
            if self._broken is not None:
                raise self._broken
            await self._wait()

    async def read(self) -> bytes:
        """Return what has come of the body, waiting for something; empty at its end. Raises Unreachable, Garbled."""
        while True:
            if self._packets or self._packed:
                body = self._take()
                if body:
                    return body
            elif self.complete:
                return b""
            elif self._broken is not None:
                raise self._broken
            else:
                await self._wait()

    def rest(self, on_end: Callable[[], None]) -> bool:
        """End the exchange; True where the connection can take another one, until `on_end` is called."""
        transport = self._transport
        reusable = (
            self.complete
            and not self._packets
            and not self._open_ended
            and transport is not None
            and not transport.is_closing()
            and self._keeps_alive
        )
        if reusable:
            # With a parser of its own for each exchange, no answer can begin in an earlier one's bytes.
            self._clear()
            self.used = True
            self._on_idle_end = on_end
        else:
            self.abort()
        return reusable

    def end_rest(self) -> None:
        """Close a connection that nobody has asked for."""
        on_end = self._on_idle_end
        self.abort()
        if on_end is not None:
            on_end()

    def abort(self) -> None:
        """Close at once."""
        self._on_idle_end = None
        if self._transport is not None:
            self._transport.abort()

    # ── what the transport tells ─────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take a packet."""
        if self._on_idle_end is not None or self.complete:
            # Nothing was asked for: whatever this is, it answers no later question.
            self._lose()
            return
        self.heard = True
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            cause = error.__context__
            self._break(cause if isinstance(cause, Garbled) else _no_http())
            self._lose()
            return
        if not self._whole_head:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self._break(_no_http())
                self._lose()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end: of a body without a length it is the right one."""
        self._transport = None
        if self._on_idle_end is not None:
            self._on_idle_end()
            self._on_idle_end = None
        elif self._whole_head and self._open_ended and exc is None:
            self.complete = True
            self._wake()
        elif not self.complete:
            self._break(_interrupted())

    # ── what the parser tells ────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """Begin a head; another one follows an interim answer."""
        if self._whole_head:
            raise _no_http()
        self.headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header line."""
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """Take the head, unless it is an interim one."""
        self.status = self._parser.get_status_code()
        if self.status < 200:
            return
        self._whole_head = True
        self._keeps_alive = self._parser.should_keep_alive()
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        empty = self.status in (204, 304)
        self._open_ended = not (chunked or empty or "content-length" in self.headers)
        coding = self.headers.get("content-encoding", "identity").strip().lower()
        if coding in ("gzip", "x-gzip", "deflate"):
            self._unpack = zlib.decompressobj(wbits=47)
        elif coding not in ("", "identity"):
            raise Garbled("The model's server packs its answers in a way that Parley did not ask for.")
        self._wake()

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body until it is read."""
        self._packets.append(body)
        self._waiting_bytes += len(body)
        if self._waiting_bytes > HIGH_WATER_BYTES and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
            self._wake()
        elif self._waiter is not None and not self._waiter.done() and len(self._packets) == 1:
            if self._eager > 0 or self._loop.time() - self._woken_at >= self._pulse.every_s:
                self._eager -= 1
                self._wake()
            else:
                self._pulse.at_next(self._wake)

    def on_message_complete(self) -> None:
        """Note that the answer is whole."""
        if self._whole_head:
            self.complete = True
            self._wake()

    # ── within ───────────────────────────────────────────────────────────────────────────────────

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _break(self, error: Exception) -> None:
        self._broken = self._broken or error
        self._wake()

    def _lose(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _take(self) -> bytes:
        """Return what waits of the body; of a packed one, a part."""
        self._woken_at = self._loop.time()
        body = self._packets[0] if len(self._packets) == 1 else b"".join(self._packets)
        self._packets.clear()
        self._waiting_bytes = 0
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        if self._unpack is None:
            return body
        try:
            plain = self._unpack.decompress(self._packed + body, UNPACK_BYTES)
        except zlib.error:
            raise Garbled("The model's server sent an answer that cannot be unpacked.") from None
        self._packed = self._unpack.unconsumed_tail
        return plain


def _interrupted() -> Unreachable:
    return Unreachable(
        "The connection to the model's server broke.",
        "It closed the connection before the answer was whole.",
        code="upstream_interrupted",
    )


def _no_http() -> Garbled:
    return Garbled("The model's server does not speak HTTP as it should.")
