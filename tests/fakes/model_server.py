"""A scripted server of any kind on loopback: answers paths from a table, and misbehaves on command.

    async with ModelServer({"/v1/models": Says({"object": "list", "data": []})}) as server:
        ...                                     # point discovery at server.origin
        assert server.paths == ["GET /v1/models"]

`otherwise` answers every path that the table does not name.
"""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import msgspec

MISSING = b'{"error":"not found"}'


@dataclass(frozen=True)
class Says:
    """One answer. `hangs` sends nothing, `drips` sends a byte at a time without end, `endless` as fast as it can."""

    body: Any = None
    status: int = 200
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hangs: bool = False
    drips: bool = False
    endless: bool = False

    @property
    def raw(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else msgspec.json.encode(self.body)


@dataclass(frozen=True)
class Received:
    """A request; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class ModelServer:
    """The server; an async context manager. A table's key is a path, or a method and a path."""

    def __init__(
        self,
        table: Mapping[str, Says] | None = None,
        *,
        otherwise: Says | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.table = dict(table or {})
        self.otherwise = otherwise or Says(MISSING, 404)
        self.requests: list[Received] = []
        self.port = 0
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def origin(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [f"{request.method} {request.path}" for request in self.requests]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while True:
                await self._answer(await _receive(reader), writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        except ValueError:
            writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            await writer.drain()
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _answer(
        self, received: tuple[str, str, dict[str, str], bytes], writer: asyncio.StreamWriter
    ) -> None:
        request = Received(*received)
        self.requests.append(request)
        path = request.path.partition("?")[0]
        says = self.table.get(f"{request.method} {path}") or self.table.get(path) or self.otherwise
        await asyncio.sleep(says.delay)
        if says.hangs:
            await asyncio.Event().wait()
        endless = says.endless or says.drips
        length = {} if endless else {"Content-Length": str(len(says.raw))}
        head = {"Content-Type": says.media_type, **length, **says.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
        writer.write(f"HTTP/1.1 {says.status} Scripted\r\n{lines}\r\n".encode())
        while endless:
            writer.write(b" " if says.drips else b" " * 65536)
            await writer.drain()
            await asyncio.sleep(0.02 if says.drips else 0)
        writer.write(says.raw)
        await writer.drain()


async def _receive(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str], bytes]:
    first_byte = await reader.readexactly(1)
    if not first_byte.isalpha():
        raise ValueError("this is no request")
    head = (first_byte + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    return method, path, headers, await reader.readexactly(int(headers.get("content-length", "0")))
