"""Opening connections: addresses that passed the egress policy, proxies, TLS."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from aiohappyeyeballs import start_connection  # pyright: ignore[reportUnknownVariableType]

from parley.kernel.errors import UpstreamError
from parley.wire.deny_table import Grant
from parley.wire.egress import Address, Lookup, checked_addresses
from parley.wire.failures import cannot_connect, is_out_of_files, not_found
from parley.wire.proxies import DIRECT, Proxies, Proxy, open_tunnel, unreachable

P = TypeVar("P", bound=asyncio.BaseProtocol)

NEXT_ADDRESS_S = 0.25
"""Seconds that one address may take before the next is tried beside it (RFC 8305)."""


class Origin(NamedTuple):
    """The server of connections; with another grant it is another origin, so they share no connection."""

    scheme: str
    host: str
    port: int
    grant: Grant


@dataclass(frozen=True)
class Outgoing:
    """The way to servers; `ca_file` has certificates to trust in addition to the system's."""

    proxies: Proxies = DIRECT
    ca_file: Path | None = None


USUAL = Outgoing()
"""Without a proxy, by the system's certificates."""


class Dialer:
    """Opens connections to servers, directly or through their proxy."""

    def __init__(self, lookup: Lookup | None, outgoing: Outgoing) -> None:
        self._lookup = lookup
        self._outgoing = outgoing
        self._tls: ssl.SSLContext | None = None

    def proxy_of(self, origin: Origin) -> Proxy | None:
        """Return the proxy that a server is reached through."""
        return self._outgoing.proxies.of(origin.scheme, origin.host, origin.port)

    async def check(self, origin: Origin) -> None:
        """Check every address of a server. Raises UpstreamError."""
        await self._addresses(origin.host, origin.port, origin.grant)

    async def open(self, origin: Origin, within_s: float, make: Callable[[], P]) -> P:
        """Connect to the first address that answers, with the protocol that `make` makes. Raises UpstreamError."""
        try:
            async with asyncio.timeout(within_s):
                if proxy := self.proxy_of(origin):
                    return await self._open_through(proxy, origin, make)
                return await self._open_at(origin, make)
        except (OSError, TimeoutError, ssl.SSLError) as error:
            raise cannot_connect(error) from error

    async def _open_at(self, origin: Origin, make: Callable[[], P]) -> P:
        addresses = await self._addresses(origin.host, origin.port, origin.grant)
        tls = await self._tls_context() if origin.scheme == "https" else None
        if len(addresses) > 1:
            return await self._over(await _first_of(addresses, origin.port), origin, tls, make)
        connect = asyncio.get_running_loop().create_connection
        name = origin.host.rstrip(".") if tls else None
        only = addresses[0].host
        return (await connect(make, only, origin.port, ssl=tls, server_hostname=name))[1]

    async def _open_through(self, proxy: Proxy, origin: Origin, make: Callable[[], P]) -> P:
        """Connect through a proxy, which the administrator named: it may be in a private network."""
        tls = await self._tls_context() if origin.scheme == "https" else None
        try:
            addresses = await self._addresses(proxy.host, proxy.port, Grant.PRIVATE)
            opened = await _first_of(addresses, proxy.port)
        except (OSError, TimeoutError, UpstreamError) as error:
            if is_out_of_files(error):
                raise
            raise unreachable(proxy) from None
        try:
            if tls is not None:
                await open_tunnel(opened, proxy, origin.host, origin.port)
            return await self._over(opened, origin, tls, make)
        except BaseException:
            opened.close()
            raise

    async def _over(
        self, opened: socket.socket, origin: Origin, tls: ssl.SSLContext | None, make: Callable[[], P]
    ) -> P:
        connect = asyncio.get_running_loop().create_connection
        name = origin.host.rstrip(".") if tls else None
        return (await connect(make, sock=opened, ssl=tls, server_hostname=name))[1]

    async def _addresses(self, host: str, port: int, grant: Grant) -> list[Address]:
        try:
            return await checked_addresses(host, port, grant, self._lookup)
        except OSError as error:
            raise not_found(error) from None

    async def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            # Reading the system's certificates blocks for a while.
            self._tls = await asyncio.to_thread(trusting, self._outgoing.ca_file)
        return self._tls


def trusting(ca_file: Path | None) -> ssl.SSLContext:
    """Return the TLS context: the system's certificates, and those of a file. Raises OSError."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(ca_file)
    return context


async def _first_of(addresses: list[Address], port: int) -> socket.socket:
    infos: list[tuple[int, int, int, str, tuple[str, int]]] = [
        (address.family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address.host, port))
        for address in addresses
    ]
    return await start_connection(infos, happy_eyeballs_delay=NEXT_ADDRESS_S)
