"""One HTTP/1.1 connection, used by one request at a time."""

import asyncio
import select
import ssl
from collections.abc import Callable
from typing import cast

import httptools

from parley.kernel.errors import Garbled
from parley.wire.decompression import Decompressor
from parley.wire.failures import interrupted, not_http
from parley.wire.ticker import Ticker

MAX_HEAD_BYTES = 64 << 10
"""Limit on bytes in a row that are no body: heads, interim responses, trailers, chunk marks."""

HIGH_WATER_BYTES = 256 << 10
"""The bytes of a body that may be buffered before reading pauses."""

SMALL_BYTES = 16 << 10
"""Larger packets are not a model's tokens; they are read as fast as they arrive."""

SLICE_BYTES = 64 << 10
"""The most bytes returned at a time, so that no server blocks the event loop."""

EAGER_PACKETS = 4
"""The packets of a body that are read at once, without waiting for the interval."""

CROSSED_S = 3.0
"""A kept connection that ends this soon after a request was closed before the server read it.

A busy computer may notice the end only seconds later.
"""


class Connection(asyncio.Protocol):
    """Sends a request and returns the response's head and body as they arrive.

    After a small packet, reading pauses until the ticker's next interval: then all that has arrived is read at once.
    The first packets are read immediately, since any of them may hold the first token. One task reads at a time.
    """

    def __init__(self, ticker: Ticker) -> None:
        self._ticker = ticker
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._tls: ssl.SSLObject | None = None
        self._on_idle_end: Callable[[], None] | None = None
        self._sent_at = 0.0
        self._aborted = False
        self._paused = False
        self._clear()
        self.used = False
        """True once a response was read to its end: the server may close such a connection at any time."""
        self.missed = False
        """True if the server closed a kept connection just as the request was sent: it is safe to send again."""

    def _clear(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.complete = False
        self._received_any = False
        self._head_bytes = 0
        self._bytes_without_body = 0
        self._head_complete = False
        self._open_ended = False
        self._keeps_alive = False
        self._failure: Exception | None = None
        self._decompressor: Decompressor | None = None
        self._packets: list[bytes] = []
        self._buffered_bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._read_before = False
        self._eager = EAGER_PACKETS

    # ── called by the client ─────────────────────────────────────────────────────────────────────

    def is_idle(self) -> bool:
        """Return whether a kept connection is still open and has received nothing since."""
        if self._transport is None or self._transport.is_closing():
            return False
        # The event loop may not have read yet what has arrived: it would pass for the next response.
        arrived = select.poll()
        arrived.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not arrived.poll(0)

    def send(self, request: bytes) -> None:
        """Send a request. Raises BrokenOff if the server has closed the connection."""
        self._on_idle_end = None
        if self._transport is None or self._transport.is_closing():
            self.missed = self.used
            raise interrupted()
        self._sent_at = self._loop.time()
        self._resume_reading()
        self._transport.write(request)

    async def read_head(self) -> None:
        """Wait until `status` and `headers` are set. Raises BrokenOff, Garbled."""
        while not self._head_complete:
            if self._failure is not None:
                raise self._failure
            await self._wait()

    async def read(self) -> bytes:
        """Return what has arrived of the body, waiting for something; empty at its end. Raises BrokenOff, Garbled."""
        while True:
            if self._packets or (self._decompressor is not None and self._decompressor.waiting):
                if self._read_before:
                    await self._yield_to_others()
                    continue
                if body := self._take():
                    return body
            elif self.complete:
                return b""
            elif self._failure is not None:
                raise self._failure
            else:
                await self._wait()

    def hurry(self) -> None:
        """Read the next packets as they arrive: the answer is complete, and its end should not wait for intervals."""
        self._eager = EAGER_PACKETS
        self._resume_unless_full()

    def finish(self, on_end: Callable[[], None]) -> bool:
        """End the request; return whether the connection can take another one, until `on_end` is called."""
        transport = self._transport
        reusable = (
            self.complete
            and not self._packets
            and not self._open_ended
            and transport is not None
            and not transport.is_closing()
            # A server that responded before it had the full request may not read the rest of it.
            and transport.get_write_buffer_size() == 0
            and self._keeps_alive
            # A task that still reads would get the next response.
            and self._waiter is None
        )
        if reusable:
            # Each response has its own parser, so none can begin in the bytes of an earlier one.
            self._clear()
            self._resume_reading()
            self.used = True
            self._on_idle_end = on_end
        else:
            self.abort()
        return reusable

    def close_idle(self) -> None:
        """Close an idle connection and notify its owner."""
        on_end = self._on_idle_end
        self.abort()
        if on_end is not None:
            on_end()

    def abort(self) -> None:
        """Close at once."""
        self._on_idle_end = None
        self._abort_transport()

    # ── called by the transport ──────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self._transport = cast("asyncio.Transport", transport)
        self._tls = transport.get_extra_info("ssl_object")

    def data_received(self, data: bytes) -> None:
        """Parse a packet; pause reading after a small one."""
        if self._on_idle_end is not None or self.complete:
            # No request is open, so this cannot be the answer to a later one.
            self._abort_transport()
            return
        self._received_any = True
        self._bytes_without_body += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            cause = error.__context__
            self._fail(cause if isinstance(cause, Garbled) else not_http())
            return
        if self._bytes_without_body > MAX_HEAD_BYTES and not self.complete:
            self._fail(not_http())
        elif self._packets and not self.complete:
            self._pause_after(len(data))

    def connection_lost(self, exc: Exception | None) -> None:
        """Complete a body without a length if the server ended it; else fail what is being read."""
        self._transport = None
        if self._on_idle_end is not None:
            self._on_idle_end()
            self._on_idle_end = None
        elif self.complete or self._failure is not None:
            pass
        elif (
            self._head_complete and self._open_ended and exc is None and not (self._aborted or self._is_cut())
        ):
            self.complete = True
            self._wake()
        else:
            crossed = self._loop.time() - self._sent_at < CROSSED_S
            self.missed = self.used and crossed and not self._received_any and not self._aborted
            self._fail(interrupted())

    # ── called by the parser ─────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """Start a head; another one follows an interim response."""
        if self._head_complete:
            raise not_http()
        self.headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Store a header line; trailers are ignored."""
        if self._head_complete:
            return
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > MAX_HEAD_BYTES:
            raise not_http()
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """Finish the head, unless it is an interim one."""
        self.status = self._parser.get_status_code()
        if self.status < 100:
            raise not_http()
        if self.status < 200:
            return
        self._head_complete = True
        self._keeps_alive = self._parser.should_keep_alive()
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        empty = self.status in (204, 304)
        self._open_ended = not (chunked or empty or "content-length" in self.headers)
        coding = self.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("", "identity"):
            self._decompressor = Decompressor(coding)
        self._wake()

    def on_body(self, body: bytes) -> None:
        """Buffer a part of the body until it is read."""
        if not self._head_complete:
            raise not_http()  # an interim response has no body
        self._bytes_without_body = 0
        self._packets.append(body)
        self._buffered_bytes += len(body)
        self._wake()

    def on_message_complete(self) -> None:
        """Mark the response as complete."""
        if self._head_complete:
            self.complete = True
            self._wake()

    # ── internals ────────────────────────────────────────────────────────────────────────────────

    def _pause_after(self, size: int) -> None:
        """Pause reading until the next interval, or until much of the buffer is read."""
        if self._buffered_bytes > HIGH_WATER_BYTES:
            self._pause()
        elif self._eager > 0:
            self._eager -= 1
        elif size < SMALL_BYTES and self._pause():
            self._ticker.at_next(self._resume_unless_full)

    def _resume_unless_full(self) -> None:
        if self._buffered_bytes <= HIGH_WATER_BYTES:
            self._resume_reading()

    def _pause(self) -> bool:
        if self._paused or self._transport is None or self._transport.is_closing():
            return False
        self._paused = True
        self._transport.pause_reading()
        return True

    def _resume_reading(self) -> None:
        if self._paused and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
        self._paused = False

    async def _wait(self) -> None:
        self._read_before = False
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    async def _yield_to_others(self) -> None:
        self._loop.call_soon(self._wake)
        await self._wait()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._abort_transport()
        self._wake()

    def _abort_transport(self) -> None:
        self._aborted = True
        if self._transport is not None:
            self._transport.abort()

    def _is_cut(self) -> bool:
        """Return whether a connection ended without TLS close_notify: anyone in between can end one so."""
        try:
            return self._tls is not None and self._tls.read(1) != b""
        except ssl.SSLError as error:
            return not isinstance(error, ssl.SSLZeroReturnError)

    def _take(self) -> bytes:
        """Return a slice of the buffered body."""
        self._read_before = True
        if self._decompressor is None:
            return self._next_packets()
        try:
            if not self._decompressor.waiting:
                self._decompressor.feed(self._next_packets())
            return self._decompressor.take()
        except Garbled as error:
            self._decompressor, self.complete = None, False
            self._packets.clear()
            self._fail(error)
            raise

    def _next_packets(self) -> bytes:
        packets = self._packets
        body = packets[0] if len(packets) == 1 else b"".join(packets)
        packets.clear()
        if len(body) > SLICE_BYTES:
            packets.append(body[SLICE_BYTES:])
            body = body[:SLICE_BYTES]
        full = self._buffered_bytes > HIGH_WATER_BYTES
        self._buffered_bytes -= len(body)
        if full and self._buffered_bytes <= HIGH_WATER_BYTES:
            self._resume_reading()
        return body
