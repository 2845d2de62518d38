"""PostgreSQL's driver: reads the address as libpq does, and opens connections."""

import functools
import socket
from collections.abc import Callable
from typing import Any, Protocol, cast

from sqlalchemy.engine import URL

CONNECT_S = 3
"""Seconds that a server may take to respond."""

SILENT_S = 20
"""Seconds until an unacknowledged connection is closed."""


class ServerConnection(Protocol):
    """The part of a bare connection that is used without SQLAlchemy."""

    async def fetchval(self, query: str, *args: object, timeout: float | None = None) -> Any:  # noqa: ASYNC109
        """Return the first value of the first row. Raises TimeoutError."""
        ...

    async def execute(self, query: str, *, timeout: float | None = None) -> str:  # noqa: ASYNC109
        """Run statements. Raises TimeoutError."""
        ...

    def add_termination_listener(self, callback: Callable[[Any], None]) -> None:
        """Call `callback` once the connection is closed by either side."""
        ...

    def is_closed(self) -> bool:
        """Return whether either side has closed the connection."""
        ...

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Close the connection as the server expects it. Raises TimeoutError."""
        ...

    def terminate(self) -> None:
        """Close the connection without waiting for an answer."""
        ...


def driver_address(url: URL) -> str:
    """Return the address with libpq's parameters (`sslmode`, `application_name` …) translated.

    The driver would pass unknown ones to the server as settings. `ssl` is an alias of `sslmode`.
    """
    if "ssl" in url.query:
        url = url.update_query_dict({"sslmode": url.query["ssl"]}).difference_update_query(["ssl"])
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


async def connect(address: str) -> ServerConnection:
    """Open a connection. Raises `connection_errors`, also if the server does not respond."""
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    opened: object = await asyncpg.connect(address, timeout=CONNECT_S, connection_class=_watched_class())  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("ServerConnection", opened)


@functools.cache
def _watched_class() -> type:
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    class Watched(asyncpg.Connection):
        def __init__(self, protocol: Any, transport: Any, *rest: Any) -> None:
            _watch(transport.get_extra_info("socket"))
            super().__init__(protocol, transport, *rest)  # pyright: ignore[reportUnknownMemberType]

    return Watched


def _watch(connected: socket.socket | None) -> None:
    """Let the system close a connection whose other side is gone, even while nothing is sent."""
    if connected is None or connected.family not in (socket.AF_INET, socket.AF_INET6):
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # Not every system has all of them.
    limits = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": SILENT_S * 1000}
    for name, value in limits.items():
        if (option := getattr(socket, name, None)) is not None:
            connected.setsockopt(socket.IPPROTO_TCP, option, value)


def connection_errors() -> tuple[type[Exception], ...]:
    """Return what is raised outside of SQLAlchemy for an unreachable server or a wrong address."""
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    return (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
