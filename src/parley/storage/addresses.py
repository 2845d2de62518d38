"""Addresses of databases and files."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, ValidationInfo

_DRIVERS = {
    "sqlite": "sqlite",
    "sqlite+aiosqlite": "sqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
"""The driver of each scheme that people write."""


def with_driver(url: str) -> str:
    """Return a database's address with the driver that Parley uses. Raises ValueError."""
    scheme, separator, rest = url.partition("://")
    driver = _DRIVERS.get(scheme)
    if not separator or driver is None:
        raise ValueError("must begin with sqlite:/// or postgresql://")
    return f"{driver}://{rest}"


def _checked_files_url(url: str) -> str:
    """Return the address of a store of files. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme == "s3" and parts.hostname and not parts.query and "@" not in parts.netloc:
        return url.rstrip("/")
    if parts.scheme == "file" and not parts.netloc and len(parts.path) > 1:
        return url.rstrip("/")
    raise ValueError("must be like s3://bucket/prefix or file:///folder")


FilesUrl = Annotated[str, AfterValidator(_checked_files_url)]
"""The address of a store of files."""

DatabaseUrl = Annotated[str, AfterValidator(with_driver)]
"""The address of a database, with the driver that Parley uses."""


def checked_shared_url(url: str | None, info: ValidationInfo) -> str | None:
    """Return the address of the Redis server of several replicas; they need more in common. Raises ValueError."""
    if url is not None and allows_replicas(str(info.data.get("database_url", "sqlite")), url):
        for name in ("secret_key", "files_url"):
            if info.data.get(name) is None:
                raise ValueError(f"needs {name} too, so that every server has the same keys and files")
    return url


def allows_replicas(database_url: str, redis_url: str | None) -> bool:
    """Return whether several replicas may serve a database: it has a server, and so has the bus."""
    return redis_url is not None and not database_url.startswith("sqlite")
