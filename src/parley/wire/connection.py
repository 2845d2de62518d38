"""One HTTP/1.1 connection to a server, lent to one exchange at a time."""

import asyncio
import select
import ssl
from collections.abc import Callable
from typing import cast

import httptools

from parley.kernel.errors import BrokenOff, Garbled
from parley.wire.ticker import Ticker
from parley.wire.unpacking import Unpacker

MAX_HEAD_BYTES = 64 << 10
"""How much may come in a row that is no body: a head, interim answers, trailers, the marks between chunks."""

HIGH_WATER_BYTES = 256 << 10
"""How much of a body may wait to be read before the server is made to wait."""

SMALL_BYTES = 16 << 10
"""What comes in larger pieces are no words that a model tells; it is read as fast as it comes."""

SLICE_BYTES = 64 << 10
"""How much is handed on at a time, so that no server fills a turn of the event loop."""

EAGER_PACKETS = 4

CROSSED_S = 3.0
"""So soon after a request, the end of a kept connection means that the two crossed on the way.

A computer that is busy elsewhere may notice the end only seconds later.
"""


class Connection(asyncio.Protocol):
    """Sends a request and hands on the answer's head and body as they come.

    After a packet of words nothing is read until the next tick, when all that has arrived is read at once. The
    first packets are read as they come, since any of them may hold the first word. One task reads at a time.
    """

    def __init__(self, ticker: Ticker) -> None:
        self._ticker = ticker
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._tls: ssl.SSLObject | None = None
        self._on_idle_end: Callable[[], None] | None = None
        self._sent_at = 0.0
        self._given_up = False
        self._paused = False
        self._clear()
        self.used = False
        """True once an exchange was whole: the server may close such a connection at any time."""
        self.missed = False
        """True where the server closed a kept connection just as the request was sent, and so did not take it."""

    def _clear(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self.status = 0
        self.headers: dict[str, str] = {}
        self.complete = False
        self._heard = False
        self._head_bytes = 0
        self._bare_bytes = 0
        self._whole_head = False
        self._open_ended = False
        self._keeps_alive = False
        self._broken: Exception | None = None
        self._unpacker: Unpacker | None = None
        self._packets: list[bytes] = []
        self._waiting_bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._in_a_row = False
        self._eager = EAGER_PACKETS

    # ── what the client asks ─────────────────────────────────────────────────────────────────────

    def is_quiet(self) -> bool:
        """Return whether a kept connection is as it was left: nothing has come unasked, not even its end."""
        if self._transport is None or self._transport.is_closing():
            return False
        # The event loop may not have seen yet what has come; it would pass for the next answer.
        arrived = select.poll()
        arrived.register(self._transport.get_extra_info("socket").fileno(), select.POLLIN)
        return not arrived.poll(0)

    def send(self, request: bytes) -> None:
        """Begin an exchange. Raises BrokenOff where the server has left."""
        self._on_idle_end = None
        if self._transport is None or self._transport.is_closing():
            self.missed = self.used
            raise _interrupted()
        self._sent_at = self._loop.time()
        self._read_on()
        self._transport.write(request)

    async def read_head(self) -> None:
        """Wait until `status` and `headers` are there. Raises BrokenOff, Garbled."""
        while not self._whole_head:
            if self._broken is not None:
                raise self._broken
            await self._wait()

    async def read(self) -> bytes:
        """Return what has come of the body, waiting for something; empty at its end. Raises BrokenOff, Garbled."""
        while True:
            if self._packets or (self._unpacker is not None and self._unpacker.waiting):
                if self._in_a_row:
                    await self._breathe()
                    continue
                if body := self._take():
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
            # A server that answered before it had the whole request may not read the rest of it.
            and transport.get_write_buffer_size() == 0
            and self._keeps_alive
            # Whoever still reads would get the next answer.
            and self._waiter is None
        )
        if reusable:
            # With a parser of its own for each exchange, no answer can begin in an earlier one's bytes.
            self._clear()
            self._read_on()
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
        self._give_up()

    # ── what the transport tells ─────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection."""
        self._transport = cast("asyncio.Transport", transport)
        self._tls = transport.get_extra_info("ssl_object")

    def data_received(self, data: bytes) -> None:
        """Take a packet."""
        if self._on_idle_end is not None or self.complete:
            # Nothing was asked for: whatever this is, it answers no later question.
            self._give_up()
            return
        self._heard = True
        self._bare_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            cause = error.__context__
            self._break(cause if isinstance(cause, Garbled) else _no_http())
            self._give_up()
            return
        if self._bare_bytes > MAX_HEAD_BYTES and not self.complete:
            self._break(_no_http())
            self._give_up()
        elif self._packets and not self.complete:
            self._rest_after(len(data))

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end: of a body without a length it is the right one, if it is the server's."""
        self._transport = None
        if self._on_idle_end is not None:
            self._on_idle_end()
            self._on_idle_end = None
        elif self.complete or self._broken is not None:
            pass
        elif self._whole_head and self._open_ended and exc is None and not (self._given_up or self._is_cut()):
            self.complete = True
            self._wake()
        else:
            crossed = self._loop.time() - self._sent_at < CROSSED_S
            self.missed = self.used and crossed and not self._heard and not self._given_up
            self._break(_interrupted())

    # ── what the parser tells ────────────────────────────────────────────────────────────────────

    def on_message_begin(self) -> None:
        """Begin a head; another one follows an interim answer."""
        if self._whole_head:
            raise _no_http()
        self.headers = {}

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header line; trailers are none, they come after the head."""
        if self._whole_head:
            return
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > MAX_HEAD_BYTES:
            raise _no_http()
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """Take the head, unless it is an interim one."""
        self.status = self._parser.get_status_code()
        if self.status < 100:
            raise _no_http()
        if self.status < 200:
            return
        self._whole_head = True
        self._keeps_alive = self._parser.should_keep_alive()
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        empty = self.status in (204, 304)
        self._open_ended = not (chunked or empty or "content-length" in self.headers)
        coding = self.headers.get("content-encoding", "identity").strip().lower()
        if coding not in ("", "identity"):
            self._unpacker = Unpacker(coding)
        self._wake()

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body until it is read."""
        if not self._whole_head:
            raise _no_http()  # an interim answer has none
        self._bare_bytes = 0
        self._packets.append(body)
        self._waiting_bytes += len(body)
        self._wake()

    def on_message_complete(self) -> None:
        """Note that the answer is whole."""
        if self._whole_head:
            self.complete = True
            self._wake()

    # ── within ───────────────────────────────────────────────────────────────────────────────────

    def _rest_after(self, size: int) -> None:
        """Pause reading until the next tick, or until much of the buffer is taken."""
        if self._waiting_bytes > HIGH_WATER_BYTES:
            self._pause()
        elif self._eager > 0:
            self._eager -= 1
        elif size < SMALL_BYTES and self._pause():
            self._ticker.at_next(self._at_tick)

    def _at_tick(self) -> None:
        if self._waiting_bytes <= HIGH_WATER_BYTES:
            self._read_on()

    def _pause(self) -> bool:
        if self._paused or self._transport is None or self._transport.is_closing():
            return False
        self._paused = True
        self._transport.pause_reading()
        return True

    def _read_on(self) -> None:
        if self._paused and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()
        self._paused = False

    async def _wait(self) -> None:
        self._in_a_row = False
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    async def _breathe(self) -> None:
        """Let everybody else have a turn."""
        self._loop.call_soon(self._wake)
        await self._wait()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _break(self, error: Exception) -> None:
        self._broken = self._broken or error
        self._wake()

    def _give_up(self) -> None:
        self._given_up = True
        if self._transport is not None:
            self._transport.abort()

    def _is_cut(self) -> bool:
        """Return whether a connection ended without the farewell of TLS: anybody on the way can end one so."""
        try:
            return self._tls is not None and self._tls.read(1) != b""
        except ssl.SSLZeroReturnError:
            return False
        except ssl.SSLError:
            return True

    def _take(self) -> bytes:
        """Return a slice of what waits of the body."""
        self._in_a_row = True
        if self._unpacker is None:
            return self._next_packets()
        try:
            if not self._unpacker.waiting:
                self._unpacker.feed(self._next_packets())
            return self._unpacker.take()
        except Garbled as error:
            self._unpacker, self.complete = None, False
            self._packets.clear()
            self._break(error)
            self._give_up()
            raise

    def _next_packets(self) -> bytes:
        packets = self._packets
        body = packets[0] if len(packets) == 1 else b"".join(packets)
        packets.clear()
        if len(body) > SLICE_BYTES:
            packets.append(body[SLICE_BYTES:])
            body = body[:SLICE_BYTES]
        full = self._waiting_bytes > HIGH_WATER_BYTES
        self._waiting_bytes -= len(body)
        if full and self._waiting_bytes <= HIGH_WATER_BYTES:
            self._read_on()
        return body


def _interrupted() -> BrokenOff:
    return BrokenOff(
        "The connection to the model's server broke.",
        "It closed the connection before the answer was whole.",
    )


def _no_http() -> Garbled:
    return Garbled("The model's server does not speak HTTP as it should.")
