"""PostgreSQL's driver: reads the address as libpq does, and opens connections."""

import functools
import socket
from collections.abc import Callable
from typing import Any, Protocol, cast

from sqlalchemy.engine import URL

CONNECT_S = 3
"""How long a server may take to answer at all."""

SILENT_S = 20
"""After how long a connection ends that the other computer no longer acknowledges."""


class ServerConnection(Protocol):
    """A bare connection, as far as it is used without SQLAlchemy."""

    async def fetchval(self, query: str, *args: object, timeout: float | None = None) -> Any:  # noqa: ASYNC109
        """Return the first value of the first row. Raises TimeoutError."""
        ...

    async def execute(self, query: str, *, timeout: float | None = None) -> str:  # noqa: ASYNC109
        """Carry out statements. Raises TimeoutError."""
        ...

    def add_termination_listener(self, callback: Callable[[Any], None]) -> None:
        """Have this called once the connection is closed, by whomever."""
        ...

    def terminate(self) -> None:
        """Close the connection without waiting for an answer."""
        ...


def driver_address(url: URL) -> str:
    """Return the address with libpq's parameters (`sslmode`, `application_name` …).

    The driver takes what it does not know for settings of the server. `ssl` is another word for `sslmode`.
    """
    if "ssl" in url.query:
        url = url.update_query_dict({"sslmode": url.query["ssl"]}).difference_update_query(["ssl"])
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


async def connect(address: str) -> ServerConnection:
    """Open a connection. Raises `connection_errors`, also where the server does not answer."""
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
    """Have the system end a connection whose other side is gone, also while nothing is sent."""
    if connected is None or connected.family not in (socket.AF_INET, socket.AF_INET6):
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # Not every system has all of them.
    limits = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 2, "TCP_USER_TIMEOUT": SILENT_S * 1000}
    for name, value in limits.items():
        if (option := getattr(socket, name, None)) is not None:
            connected.setsockopt(socket.IPPROTO_TCP, option, value)


def connection_errors() -> tuple[type[Exception], ...]:
    """Return what is raised outside of SQLAlchemy for a server that is away or a wrong address."""
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    return (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
