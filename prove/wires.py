"""A byte-level HTTP client: complete responses, and streams that can be cut anywhere."""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any, NamedTuple, Self

import msgspec

BROKEN = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)
"""The errors of a broken connection."""


class Answer(NamedTuple):
    """A complete response; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Frames:
    """Takes the bytes of a chunked event stream as they arrive; return the complete events."""

    def __init__(self) -> None:
        self._raw = b""
        self._body = b""
        self.closed = False
        """Whether the body ended properly."""

    def feed(self, data: bytes) -> list[dict[str, Any]]:
        """Add bytes and return the events that they complete."""
        self._raw += data
        while True:
            head, line_end, rest = self._raw.partition(b"\r\n")
            if not line_end:
                break
            size = int(head, 16)
            if size == 0:
                self.closed = True
                break
            if len(rest) < size + 2:
                # A part of a chunk is as good as a whole one: frames have their own ends.
                break
            self._body += rest[:size]
            self._raw = rest[size + 2 :]
        *frames, self._body = self._body.split(b"\n\n")
        return [msgspec.json.decode(frame[6:]) for frame in frames if frame.startswith(b"data: ")]


class Wire:
    """One connection to a server on loopback; as a context, it is cut on leaving."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int, *, receive_buffer: int | None = None) -> Self:
        """Connect; a small receive buffer makes a client whose silence is felt early."""
        sock = socket.socket()
        sock.setblocking(False)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
        except BaseException:
            sock.close()
            raise
        limit = 1 << 24 if receive_buffer is None else 1 << 10
        return cls(*await asyncio.open_connection(sock=sock, limit=limit))

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request and return the complete response."""
        status, found = await self.begin(method, path, body, **headers)
        if "content-length" in found:
            return Answer(status, found, await self._reader.readexactly(int(found["content-length"])))
        if found.get("transfer-encoding") != "chunked":
            return Answer(status, found, b"")
        parts: list[bytes] = []
        while size := int(await self._reader.readuntil(b"\r\n"), 16):
            parts.append((await self._reader.readexactly(size + 2))[:-2])
        await self._reader.readuntil(b"\r\n")
        return Answer(status, found, b"".join(parts))

    async def begin(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, dict[str, str]]:
        """Send a request and return status and headers of the response, whose body is still unread."""
        self.send(method, path, body, **headers)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        found: dict[str, str] = {}
        for name, _, value in (line.partition(":") for line in lines if line):
            known = found.get(name.lower())
            found[name.lower()] = value.strip() if known is None else f"{known}, {value.strip()}"
        return int(first.split(" ")[1]), found

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> None:
        """Send a request without waiting."""
        content = b"" if body is None else msgspec.json.encode(body)
        named = {"Host": "127.0.0.1", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if body is not None:
            named |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self._writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + content)

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a stream until it ends. Raises ConnectionError if it breaks off."""
        frames = Frames()
        while not frames.closed:
            data = await self._reader.read(1 << 16)
            if not data:
                raise ConnectionResetError("the stream broke off")
            for event in frames.feed(data):
                yield event

    async def some(self, size: int) -> bytes:
        """Return up to this many bytes; none if the connection has ended."""
        return await self._reader.read(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Break the connection off."""
        self._writer.transport.abort()


async def follow(port: int, method: str, path: str, body: Any = None, **headers: str) -> list[dict[str, Any]]:
    """Return every event of a stream. Raises ConnectionError if it breaks off or is refused."""
    with await Wire.open(port) as wire:
        status, _ = await wire.begin(method, path, body, Accept="text/event-stream", **headers)
        if status != 200:
            raise ConnectionError(f"{method} {path}: {status}")
        return [event async for event in wire.events()]
