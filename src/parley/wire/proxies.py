"""HTTP proxies: which one a request goes through, and the tunnel that carries TLS (RFC 9110, CONNECT)."""

import asyncio
import re
import socket
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Annotated, TypeAlias

from pydantic import AfterValidator
from yarl import URL

from parley.kernel.errors import Rejected, Unreachable, UpstreamError

MAX_ANSWER_BYTES = 16 << 10
"""The bytes that a proxy may send before the tunnel is open."""

Environment: TypeAlias = Mapping[str, str]

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy. `credentials` is the value of Proxy-Authorization, None without a user name."""

    host: str
    port: int
    credentials: str | None = field(default=None, repr=False)

    @classmethod
    def at(cls, address: str) -> "Proxy":
        """Return the proxy of an address. Raises ValueError that does not repeat it: it may hold a password."""
        try:
            url = URL(address if "://" in address else f"http://{address}")
            host, port = url.raw_host, url.port
        except (ValueError, LookupError):
            raise ValueError("is not the address of a proxy") from None
        if url.scheme != "http" or not host or port is None:
            raise ValueError("must be the address of an HTTP proxy, as in http://proxy.example:3128")
        if url.user is None:
            return cls(host, port)
        pair = f"{url.user}:{url.password or ''}".encode()
        return cls(host, port, f"Basic {b64encode(pair).decode()}")

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Proxies:
    """The proxies for http:// and https:// addresses, and the hosts that are reached without one.

    Loopback never goes through a proxy.
    """

    http: Proxy | None = None
    https: Proxy | None = None
    direct: tuple[str, ...] = ()

    @classmethod
    def of_environment(cls, variables: Environment) -> "Proxies":
        """Return what HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY say. Raises ValueError."""

        def read(*names: str) -> str:
            values = (variables.get(name) or variables.get(name.lower()) for name in names)
            return next((text for text in values if text), "")

        def proxy(name: str) -> Proxy | None:
            try:
                return Proxy.at(address) if (address := read(name, "ALL_PROXY")) else None
            except ValueError as error:
                raise ValueError(f"the variable {name} {error}") from None

        return cls(proxy("HTTP_PROXY"), proxy("HTTPS_PROXY"), hosts_of(read("NO_PROXY")))

    def of(self, scheme: str, host: str, port: int) -> Proxy | None:
        """Return the proxy that a server is reached through; None if it is reached directly."""
        proxy = self.https if scheme == "https" else self.http
        return None if proxy is None or self._is_direct(host.rstrip(".").lower(), port) else proxy

    def _is_direct(self, host: str, port: int) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            address = None
        if host == "localhost" or (address is not None and address.is_loopback):
            return True
        for rule in self.direct:
            if rule in ("*", host, f"{host}:{port}") or host.endswith(f".{rule}"):
                return True
            if address is not None and "/" in rule and _contains(rule, host):
                return True
        return False


DIRECT = Proxies()
"""No proxy."""


def _chosen(proxy: str) -> str:
    if proxy not in ("off", "environment"):
        Proxy.at(proxy)
    return proxy


ProxyChoice = Annotated[str, AfterValidator(_chosen)]
"""A proxy's address, `off`, or `environment`."""


def hosts_of(listed: str) -> tuple[str, ...]:
    """Return the hosts of a list as NO_PROXY has it: names, with all below them, addresses or networks."""
    return tuple(host for part in listed.split(",") if (host := part.strip().lower().lstrip(".")))


async def open_tunnel(connection: socket.socket, proxy: Proxy, host: str, port: int) -> None:
    """Ask a proxy for a connection to a server. Raises UpstreamError, OSError."""
    loop = asyncio.get_running_loop()
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    head = f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{authorization(proxy)}\r\n"
    await loop.sock_sendall(connection, head.encode("latin-1"))
    answer = bytearray()
    while b"\r\n\r\n" not in answer:
        packet = await loop.sock_recv(connection, 4096)
        answer += packet
        if not packet or len(answer) > MAX_ANSWER_BYTES:
            raise _refusal(proxy, None)
    status = _STATUS.match(answer)
    # Nothing may follow the head: the server waits for the client.
    if status is None or not 200 <= int(status[1]) < 300 or not answer.endswith(b"\r\n\r\n"):
        raise _refusal(proxy, int(status[1]) if status else None)


def authorization(proxy: Proxy) -> str:
    """Return the header that names the user, with its line's end; empty without one."""
    return f"Proxy-Authorization: {proxy.credentials}\r\n" if proxy.credentials else ""


def unreachable(proxy: Proxy) -> Unreachable:
    """Return the error for a proxy that does not answer."""
    return Unreachable(
        f"Can't reach the proxy {proxy}.",
        "Check PARLEY_PROXY, or the variables that it reads.",
        code="upstream_proxy",
        cause=f"no answer from the proxy {proxy}",
    )


def _refusal(proxy: Proxy, status: int | None) -> UpstreamError:
    if status == 407:
        return Rejected(
            f"The proxy {proxy} requires a user name and a password.",
            "Add them to its address, as in http://user:password@proxy.example:3128.",
            code="upstream_proxy",
        )
    if status == 403:
        return Rejected(
            f"The proxy {proxy} does not allow this server.",
            "Ask whoever runs it, or add the server to PARLEY_NO_PROXY.",
            code="upstream_proxy",
        )
    reason = f"It answered with status {status}." if status else "It did not respond like a proxy."
    return Unreachable(
        f"The proxy {proxy} did not connect to the model's server.",
        reason,
        code="upstream_proxy",
        cause=f"no connection through the proxy {proxy}",
    )


def _contains(network: str, host: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False
