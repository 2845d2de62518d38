"""The bus within one process, with bounded queues."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Self

from parley.kernel.bus import Bus

MAX_MESSAGES = 256
"""The most messages that wait for a slow subscriber before they are dropped."""

MAX_BYTES = 4 * 2**20
"""The most bytes of these messages together."""


class MemoryBus(Bus):
    """Implements the kernel's port `Bus` for subscribers in this process."""

    def __init__(self) -> None:
        self._queues: dict[str, set[_Queue]] = {}
        self._closed = False

    async def publish(self, channel: str, message: bytes) -> None:
        """Send a message to every subscriber of a channel."""
        self.deliver(channel, message)

    @asynccontextmanager
    async def subscribe(self, channel: str) -> AsyncGenerator["_Queue"]:
        """Yield the messages of a channel."""
        queue = _Queue()
        queues = self._queues.setdefault(channel, set())
        queues.add(queue)
        if self._closed:
            queue.end()
        try:
            yield queue
        finally:
            queues.discard(queue)
            if not queues and self._queues.get(channel) is queues:
                del self._queues[channel]

    def deliver(self, channel: str, message: bytes | None) -> None:
        """Queue a message for the subscribers of a channel; None tells them that they missed some."""
        for queue in self._queues.get(channel, ()):
            queue.put(message)

    async def close(self) -> None:
        """End every subscription."""
        self._closed = True
        for queues in self._queues.values():
            for queue in queues:
                queue.end()


class _Queue:
    """The messages that wait for one subscriber."""

    def __init__(self) -> None:
        self._messages: deque[bytes | None] = deque()
        self._bytes = 0
        self._ended = False
        self._changed = asyncio.Event()

    def put(self, message: bytes | None) -> None:
        """Add a message. If there are too many, drop all of them and leave None."""
        size = len(message or b"")
        if message is None or len(self._messages) >= MAX_MESSAGES or self._bytes + size > MAX_BYTES:
            # A subscriber that reads the truth again needs no older message.
            self._messages.clear()
            self._bytes, size, message = 0, 0, None
        self._messages.append(message)
        self._bytes += size
        self._changed.set()

    def end(self) -> None:
        """End the iteration after the messages that wait."""
        self._ended = True
        self._changed.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes | None:
        while not self._messages:
            if self._ended:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        message = self._messages.popleft()
        self._bytes -= len(message or b"")
        return message
