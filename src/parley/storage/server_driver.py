"""PostgreSQL's driver: reads the address as libpq does, and opens connections."""

from collections.abc import Callable
from typing import Any, Protocol, cast

from sqlalchemy.engine import URL


class ServerConnection(Protocol):
    """A bare connection, as far as it is used without SQLAlchemy."""

    async def fetchval(self, query: str, *args: object) -> Any:
        """Return the first value of the first row."""
        ...

    async def execute(self, query: str) -> str:
        """Carry out statements."""
        ...

    def add_termination_listener(self, callback: Callable[[Any], None]) -> None:
        """Have this called once the connection is closed, by whomever."""
        ...

    def terminate(self) -> None:
        """Close the connection without waiting for an answer."""
        ...


def driver_address(url: URL) -> str:
    """Return the address with libpq's parameters (`sslmode`, `sslrootcert`, `application_name` …).

    The driver takes what it does not know for settings of the server. `ssl` is another word for `sslmode`.
    """
    if "ssl" in url.query:
        url = url.update_query_dict({"sslmode": url.query["ssl"]}).difference_update_query(["ssl"])
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


async def connect(address: str) -> ServerConnection:
    """Open a connection. Raises `connection_errors`."""
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    opened: object = await asyncpg.connect(address)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return cast("ServerConnection", opened)


def connection_errors() -> tuple[type[Exception], ...]:
    """Return what a server that is away, or an address that is wrong, raises outside of SQLAlchemy."""
    import asyncpg  # pyright: ignore[reportMissingTypeStubs]

    return (asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
