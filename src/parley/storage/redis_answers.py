"""Stored answers of models in Redis, which several servers and restarts share."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, cast

from pydantic import AfterValidator

from parley.kernel.errors import ParleyError

if TYPE_CHECKING:
    from redis.asyncio import Redis


def _checked_url(url: str) -> str:
    if url != "memory" and not url.startswith(("redis://", "rediss://")):
        raise ValueError("must be memory, or begin with redis:// or rediss://")
    return url


def _checked_redis(url: str) -> str:
    if not url.startswith(("redis://", "rediss://")):
        raise ValueError("must begin with redis:// or rediss://")
    return url


RedisUrl = Annotated[str, AfterValidator(_checked_redis)]
"""The address of a Redis server."""

CacheUrl = Annotated[str, AfterValidator(_checked_url)]
"""The place of cached answers: `memory`, or the address of a Redis server."""

PREFIX = "parley:answer:"


class RedisAnswers:
    """Implements the kernel's port `AnswerStore`. Redis deletes expired answers."""

    def __init__(self, client: "Redis") -> None:
        self._client = client

    async def read(self, key: str) -> bytes | None:
        """Return what is stored; None if there is nothing. Raises OSError."""
        from redis.exceptions import RedisError

        try:
            stored = await self._client.get(PREFIX + key)
        except RedisError as error:
            raise OSError(f"Redis: {error}") from None
        return stored if isinstance(stored, bytes) else None

    async def write(self, key: str, answer: bytes, ttl_s: float) -> None:
        """Store an answer for some seconds. Raises OSError."""
        from redis.exceptions import RedisError

        try:
            await self._client.set(PREFIX + key, answer, px=max(1, round(ttl_s * 1000)))
        except RedisError as error:
            raise OSError(f"Redis: {error}") from None

    async def forget(self, beginning: str) -> None:
        """Delete what is stored under keys with this beginning. Raises OSError."""
        from redis.exceptions import RedisError

        try:
            # Its options have no types.
            scan = self._client.scan_iter(f"{PREFIX}{beginning}*", count=1000)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            keys = cast("AsyncIterator[bytes]", scan)
            async for key in keys:
                await self._client.delete(key)
        except RedisError as error:
            raise OSError(f"Redis: {error}") from None

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()


def open_redis(url: str) -> "Redis":
    """Return a client of a Redis server, without connecting yet. Raises ParleyError if it is not installed."""
    try:
        from redis.asyncio import ConnectionPool, Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ModuleNotFoundError:
        raise ParleyError(
            "The setting redis_url or cache_url names a Redis server, but its client is not installed.",
            "Install it with: pip install 'parley[redis]'. Or remove the setting: answers are then "
            "cached in memory.",
            code="no_redis",
        ) from None
    # A connection that broke while it was idle is replaced.
    again = Retry(NoBackoff(), retries=1)
    pool = ConnectionPool.from_url(  # pyright: ignore[reportUnknownMemberType] - its options have no types
        url, socket_connect_timeout=1.0, socket_timeout=1.0, retry=again
    )
    return Redis.from_pool(pool)
