"""Leases: the places of calls in Redis, where several processes serve; each lapses unless it is renewed."""

import logging
from typing import TYPE_CHECKING, Any, cast

from parley.storage.redis_answers import open_redis

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.commands.core import AsyncScript

PREFIX = "parley:places:"

LEASE_S = 60
"""Seconds after which the places of a killed process are free again."""

# The server's clock counts, as those of the processes may differ.
_TAKE = """
local now, lease = tonumber(redis.call('TIME')[1]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + lease, ARGV[1])
redis.call('EXPIRE', KEYS[1], lease)
return 1
"""
_RENEW = """
local lease = tonumber(ARGV[2])
redis.call('ZADD', KEYS[1], tonumber(redis.call('TIME')[1]) + lease, ARGV[1])
redis.call('EXPIRE', KEYS[1], lease)
"""

log = logging.getLogger(__name__)


class Leases:
    """One sorted set per subject: its calls that run in any process, by the time at which each lapses."""

    def __init__(self, url: str) -> None:
        """`url` is the address of a Redis server, which is opened when the first call needs a place."""
        self._url = url
        self._redis: Redis | None = None

    async def take(self, subject: str, call_id: str, most: int) -> bool:
        """Take a place if fewer than `most` calls have one; without an answer from Redis there is one."""
        try:
            taken = await self._script(_TAKE)(keys=[PREFIX + subject], args=[call_id, most, LEASE_S])
        except _faults() as error:
            log.warning("Redis: calls at once are counted in this process alone: %s", error)
            return True
        return bool(taken)

    async def leave(self, subject: str, call_id: str) -> None:
        """Give a place back; without an answer from Redis it lapses."""
        try:
            await self._opened().zrem(PREFIX + subject, call_id)
        except _faults() as error:
            log.warning("Redis: a place stays taken for up to %s s: %s", LEASE_S, error)

    async def renew(self, subject: str, call_id: str) -> bool:
        """Keep the place of a call, or put it back if it had lapsed; return False without an answer from Redis."""
        try:
            await self._script(_RENEW)(keys=[PREFIX + subject], args=[call_id, LEASE_S])
        except _faults() as error:
            log.warning("Redis: places could not be renewed: %s", error)
            return False
        return True

    async def close(self) -> None:
        """Close the connections."""
        if self._redis is not None:
            await self._redis.aclose()

    def _opened(self) -> "Redis":
        if self._redis is None:
            self._redis = open_redis(self._url)
        return self._redis

    def _script(self, text: str) -> "AsyncScript":
        # Its arguments have no types.
        return cast("AsyncScript", cast("Any", self._opened()).register_script(text))


def _faults() -> tuple[type[Exception], ...]:
    from redis.exceptions import RedisError

    return RedisError, OSError
