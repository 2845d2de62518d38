"""The port of the bus: short messages from one part of Parley to others, in any of its processes."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager


class Bus(ABC):
    """Publishes messages to whoever subscribes to a channel now. Nothing is stored, so the truth is elsewhere."""

    @property
    def is_away(self) -> bool:
        """True while messages reach nobody."""
        return False

    @abstractmethod
    async def publish(self, channel: str, message: bytes) -> None:
        """Send a message to every subscriber of a channel. Raises OSError if the bus can't be reached."""

    @abstractmethod
    def subscribe(self, channel: str) -> AbstractAsyncContextManager[AsyncIterator[bytes | None]]:
        """Yield the messages of a channel in order, until the block is left or the bus closes.

        None means that messages were missed, because the subscriber was slow or the bus was away: read the truth again.
        """

    @abstractmethod
    async def close(self) -> None:
        """End every subscription."""
