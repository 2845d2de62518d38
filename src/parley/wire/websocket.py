"""WebSockets that are only listened to: some servers tell their progress in this way and in no other."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from importlib import import_module
from typing import Any

from parley import __version__
from parley.kernel.errors import Garbled
from parley.wire.failures import interrupted, silent, too_large
from parley.wire.http import HttpClient

READ_BYTES = 64 << 10


class _Stream(asyncio.StreamReaderProtocol):
    """A connection that is read as a stream, and pauses while nobody reads."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=READ_BYTES)
        super().__init__(self.reader)
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if isinstance(transport, asyncio.Transport):
            self.transport = transport

    def send(self, data: bytes) -> None:
        if self.transport is None or self.transport.is_closing():
            raise interrupted()
        self.transport.write(data)


class _Messages:
    """Frames of a server, put together to whole messages of at most so many bytes."""

    def __init__(self, ws: Any, stream: _Stream, limit: int) -> None:
        self._ws = ws
        self._stream = stream
        self._limit = limit
        self._parts: list[str | bytes] = []
        self._size = 0
        self._ready: list[Any] = []
        self._socket = ws.WSConnection(ws.ConnectionType.CLIENT)

    async def open(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        """Ask for the protocol. Raises UpstreamError."""
        events = self._ws.events
        fields = {"User-Agent": f"Parley/{__version__}", **headers}
        named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields.items()]
        self._send(events.Request(host=host, target=path, extra_headers=named))
        while not self._ready:
            self._ready = await self._events()
        if not isinstance(self._ready.pop(0), events.AcceptConnection):
            raise Garbled("The server has no WebSocket at this address.", "Check its version.")

    async def next(self) -> list[str | bytes] | None:
        """Wait for more; return complete messages. None: the connection has ended. Raises UpstreamError."""
        events, complete = self._ws.events, list[str | bytes]()
        ready, self._ready = self._ready, []
        for event in ready or await self._events():
            if isinstance(event, events.Message):
                self._parts.append(event.data if isinstance(event.data, str) else bytes(event.data))
                self._size += len(event.data) + 1
                if self._size > self._limit:
                    raise too_large()
                if event.message_finished:
                    complete.append(type(self._parts[0])().join(self._parts))  # pyright: ignore[reportArgumentType]
                    self._parts, self._size = [], 0
            elif isinstance(event, events.Ping):
                self._send(event.response())
            elif isinstance(event, events.CloseConnection):
                return complete or None
        return complete

    def _send(self, event: Any) -> None:
        self._stream.send(self._socket.send(event))

    async def _events(self) -> list[Any]:
        """Wait for more; what breaks the protocol ends the connection."""
        try:
            data = await self._stream.reader.read(READ_BYTES)
            self._socket.receive_data(data or None)
            return list(self._socket.events())
        except (OSError, self._ws.utilities.ProtocolError):
            raise interrupted() from None


async def listen(client: HttpClient, url: str, headers: Mapping[str, str]) -> AsyncGenerator[str | bytes]:
    """Yield the messages that a server sends at an http(s) address, each whole, until the connection ends.

    The address passes the same check as a request's. Raises UpstreamError: it can't be reached, speaks no WebSocket, or
    sends a message that is too large.
    """
    stream, target = await client.dial(url, _Stream)
    try:
        # Loaded when first used: few installations have such a server.
        messages = _Messages(import_module("wsproto"), stream, client.options.max_body_bytes)
        try:
            async with asyncio.timeout(client.options.connect_s):
                await messages.open(target.host, target.path, headers)
        except TimeoutError:
            raise silent() from None
        while (complete := await messages.next()) is not None:
            for message in complete:
                yield message
    finally:
        if stream.transport is not None:
            stream.transport.abort()
