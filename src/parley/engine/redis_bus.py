"""The bus over Redis, which connects several processes of Parley."""

# The client's arguments are typed in part.
# pyright: reportUnknownMemberType=false

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, cast

from parley.engine.bus import MemoryBus
from parley.kernel.bus import Bus

if TYPE_CHECKING:
    from redis.asyncio import Redis
    from redis.asyncio.client import PubSub

PREFIX = "parley:bus:"

CONFIRM_S = 1.0
"""Seconds that a subscriber waits for Redis to confirm; later messages before that count as missed."""

AGAIN_S = 0.5
"""Seconds to wait before connecting again."""

PING_S = 5.0
"""After how much silence to check the connection; it is closed after as long again."""

log = logging.getLogger(__name__)


class RedisBus(Bus):
    """Implements the kernel's port `Bus` with publish and subscribe of Redis, on one connection for all channels.

    Redis confirms every subscription, and the client subscribes again after a broken connection. So a second
    confirmation of a channel means that its subscribers may have missed messages.
    """

    def __init__(self, client: "Redis") -> None:
        self._client = client
        self._local = MemoryBus()
        self._confirmed: dict[str, asyncio.Event] = {}
        self._subscribers: dict[str, int] = {}
        self._pubsub: PubSub | None = None
        self._reader: asyncio.Task[None] | None = None

    @property
    def is_away(self) -> bool:
        """True while there is no connection to Redis."""
        return self._reader is not None and self._pubsub is None

    async def publish(self, channel: str, message: bytes) -> None:
        """Send a message to every subscriber of a channel. Raises OSError if Redis can't be reached."""
        from redis.exceptions import RedisError

        try:
            await self._client.publish(PREFIX + channel, message)
        except RedisError as error:
            raise OSError(f"Redis: {error}") from None

    @asynccontextmanager
    async def subscribe(self, channel: str) -> AsyncGenerator[AsyncIterator[bytes | None]]:
        """Yield the messages of a channel. If Redis is away, the first one is None, once it is back."""
        async with self._local.subscribe(channel) as messages:
            confirmed = self._confirmed.setdefault(channel, asyncio.Event())
            self._subscribers[channel] = self._subscribers.get(channel, 0) + 1
            try:
                await self._open(channel, confirmed)
                yield messages
            finally:
                await self._leave(channel)

    async def close(self) -> None:
        """End every subscription, and close the connections."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        await self._local.close()
        await self._client.aclose()

    async def _open(self, channel: str, confirmed: asyncio.Event) -> None:
        """Subscribe to a channel, unless it is already; wait until Redis confirms it."""
        if self._reader is None:
            self._reader = asyncio.create_task(self._read(), name="parley-bus")
        elif self._subscribers[channel] == 1 and self._pubsub is not None:
            with contextlib.suppress(*_faults()):
                await self._pubsub.subscribe(PREFIX + channel)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(confirmed.wait(), CONFIRM_S)
        confirmed.set()

    async def _leave(self, channel: str) -> None:
        self._subscribers[channel] -= 1
        if self._subscribers[channel]:
            return
        del self._subscribers[channel], self._confirmed[channel]
        if self._pubsub is not None:
            with contextlib.suppress(*_faults()):
                await self._pubsub.unsubscribe(PREFIX + channel)

    async def _read(self) -> None:
        """Pass messages on until cancelled; connect again whenever the connection breaks."""
        away = False
        while True:
            pubsub = self._client.pubsub()
            try:
                # This channel connects, and keeps the connection where nobody subscribes any more.
                await pubsub.subscribe(PREFIX)
                self._pubsub, away = pubsub, False
                await pubsub.subscribe(PREFIX, *(PREFIX + channel for channel in self._subscribers))
                await self._pass_on(pubsub)
            except _faults() as error:
                if not away:
                    log.warning("Redis: the bus lost its connection and will reconnect: %s", error)
                away = True
            finally:
                self._pubsub = None
                with contextlib.suppress(*_faults()):
                    await pubsub.aclose()
            await asyncio.sleep(AGAIN_S)

    async def _pass_on(self, pubsub: "PubSub") -> None:
        silent = False
        while True:
            message = cast("dict[str, Any] | None", await pubsub.get_message(timeout=PING_S))
            if message is None:
                if silent:
                    raise OSError("the server does not respond")
                await pubsub.ping()
            elif message["type"] in ("message", "subscribe"):
                self._take(message["type"], message["channel"].decode().removeprefix(PREFIX), message["data"])
            silent = message is None

    def _take(self, kind: str, channel: str, data: bytes) -> None:
        confirmed = self._confirmed.get(channel)
        if kind == "message":
            self._local.deliver(channel, data)
        elif confirmed is not None and confirmed.is_set():
            self._local.deliver(channel, None)
        elif confirmed is not None:
            confirmed.set()


def _faults() -> tuple[type[Exception], ...]:
    """Return the errors of a Redis that is away."""
    from redis.exceptions import RedisError

    return RedisError, OSError
