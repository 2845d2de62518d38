"""Rates of questions: counted in memory, or in Redis where several processes serve."""

import logging
import time
from typing import TYPE_CHECKING

from parley.features.limits.rates.rules import NO_RULE, RateRule, Who, who_of
from parley.kernel.caller import Caller
from parley.kernel.errors import TooMany
from parley.kernel.rates import Quota, RequestRates
from parley.storage.redis_answers import open_redis

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.aio.strategies import MovingWindowRateLimiter
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

NAMESPACE = "parley"


class RateKeeper(RequestRates):
    """Lets each person, and each API key, ask so many questions in any span of a minute."""

    def __init__(self, cache_url: str) -> None:
        self._cache_url = cache_url
        self._limiter: MovingWindowRateLimiter | None = None
        self._redis: Redis | None = None
        self.rules: dict[str, RateRule] = {}

    async def count(self, caller: Caller) -> None:
        """Count a question. Raises TooMany. Without an answer from Redis, the question is let through."""
        who, most, subject = self._rule_of(caller)
        if most is None:
            return
        limit = _a_minute(most)
        from limits.errors import StorageError

        try:
            limiter = self._opened()
            if await limiter.hit(limit, who, subject):
                return
            window = await limiter.get_window_stats(limit, who, subject)
        except StorageError as error:
            log.warning("Could not count a question: %s", error)
            return
        raise _too_many(who, most, max(1, round(window.reset_time - time.time())))

    async def quota(self, caller: Caller) -> Quota | None:
        """Return what is left of a caller's questions of this minute; None without a rate or an answer from Redis."""
        who, most, subject = self._rule_of(caller)
        if most is None:
            return None
        from limits.errors import StorageError

        try:
            window = await self._opened().get_window_stats(_a_minute(most), who, subject)
        except StorageError as error:
            log.warning("Could not read a rate: %s", error)
            return None
        return Quota(most, window.remaining, max(0.0, window.reset_time - time.time()))

    async def close(self) -> None:
        """Close the connections to Redis."""
        if self._redis is not None:
            await self._redis.aclose()

    def _rule_of(self, caller: Caller) -> tuple[Who, int | None, str]:
        """Return whose rule a caller falls under, the most questions a minute, and who is counted."""
        who = who_of(caller.key is not None)
        return who, self.rules.get(who, NO_RULE).per_minute, caller.key.id if caller.key else caller.author_id

    def _opened(self) -> "MovingWindowRateLimiter":
        if self._limiter is None:
            from limits.aio.storage import MemoryStorage, RedisStorage
            from limits.aio.strategies import MovingWindowRateLimiter

            if self._cache_url == "memory":
                storage = MemoryStorage()
            else:
                self._redis = open_redis(self._cache_url)
                storage = RedisStorage(
                    f"async+{self._cache_url}",
                    wrap_exceptions=True,
                    implementation="redispy",
                    connection_pool=self._redis.connection_pool,  # pyright: ignore[reportArgumentType]
                )
            self._limiter = MovingWindowRateLimiter(storage)
        return self._limiter


def _a_minute(most: int) -> "RateLimitItem":
    from limits import RateLimitItemPerMinute

    return RateLimitItemPerMinute(most, namespace=NAMESPACE)


def _too_many(who: str, most: int, seconds: int) -> TooMany:
    whose = "This API key" if who == "api_key" else "Each person"
    questions = "1 question" if most == 1 else f"{most:,} questions"
    return TooMany(
        f"{whose} may ask {questions} a minute.",
        f"Nothing was sent. Try again in {seconds} s.",
        code="too_many_requests",
        retry_after_s=seconds,
    )
