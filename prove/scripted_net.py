"""A network for attacks on the egress check: records every connection, and lets none leave this computer."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, TypeVar

T = TypeVar("T")

CANARIES = ("127.0.0.1", "::1", "127.0.0.2", "127.255.255.254")
"""Where servers listen that nobody should ever reach."""


class ScriptedNet(asyncio.SelectorEventLoop):
    """An event loop without a way out.

    Loopback is really connected to; other addresses are routed to local servers by `routes`, or refuse.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attempts: list[str] = []
        """Every address that something tried to connect to."""
        self.strays: list[str] = []
        """Names for which the system's own resolver was asked."""
        self.routes: dict[str, tuple[str, int]] = {}

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        host = str(address[0])
        self.attempts.append(host)
        if route := self.routes.get(host):
            return await super().sock_connect(sock, route)
        if not ip_address(host.partition("%")[0]).is_loopback:
            raise ConnectionRefusedError("nobody is there")
        return await super().sock_connect(sock, address)

    async def getaddrinfo(self, host: Any, port: Any, **options: Any) -> Any:
        try:
            ip_address(str(host).partition("%")[0])
        except ValueError:
            self.strays.append(str(host))
            raise socket.gaierror(socket.EAI_NONAME, "no such name") from None
        return await super().getaddrinfo(host, port, **options)


def on_scripted_net(main: Callable[[ScriptedNet], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on a network of its own."""
    with asyncio.Runner(loop_factory=ScriptedNet) as runner:
        net = runner.get_loop()
        assert isinstance(net, ScriptedNet)
        return runner.run(main(net))


@dataclass
class Canaries:
    """Servers on one port of several loopback addresses; `hits` counts connections by address."""

    port: int
    hits: dict[str, int] = field(default_factory=dict)

    def take(self) -> dict[str, int]:
        """Return the hits since the last time."""
        hits, self.hits = self.hits, {}
        return hits


@asynccontextmanager
async def listening(hosts: Sequence[str] = CANARIES, answer: bytes = b"") -> AsyncGenerator[Canaries]:
    """Listen on a free port of every host; each request gets the answer."""
    canaries = Canaries(0)
    reply = answer or b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    def serve(host: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            canaries.hits[host] = canaries.hits.get(host, 0) + 1
            with contextlib.suppress(OSError, asyncio.CancelledError):
                # Whatever is not plain HTTP, such as TLS, is hung up on.
                while (await reader.read(65536)).startswith((b"GET", b"POST")):
                    writer.write(reply)
                    await writer.drain()
                    if b"Connection: close" in reply:
                        break
            writer.close()

        return accept

    async with contextlib.AsyncExitStack() as servers:
        for host in hosts:
            server = await asyncio.start_server(serve(host), host, canaries.port)
            canaries.port = server.sockets[0].getsockname()[1]
            servers.push_async_callback(server.wait_closed)
            servers.callback(server.close)
        yield canaries
