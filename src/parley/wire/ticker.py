"""The ticker: one timer for the process, on which received text is read and due text is published.

Tokens arrive one at a time; a page shows them thirty times a second. Reading each one as it arrives would wake readers
for nothing, so readers and the hub share one interval. With very many streams they take turns, each at least at every
third interval: each costs less, and no interval blocks the event loop for long.
"""

import asyncio
from collections.abc import Callable

INTERVAL_S = 0.033
MIN_BATCH = 50
"""The readers that one interval serves, unless that is less than a third of them."""

TURNS = 3
LEAD_S = 0.005
"""Seconds by which the readers are called before the follower: the system must deliver what they read first."""


class Ticker:
    """Calls readers and the follower on demand, at most every `every_s`; costs nothing otherwise."""

    def __init__(self, every_s: float = INTERVAL_S) -> None:
        self.every_s = every_s
        self._readers: list[Callable[[], None]] = []
        self._follower: Callable[[], None] | None = None
        self._next: asyncio.TimerHandle | None = None

    def at_next(self, reader: Callable[[], None]) -> None:
        """Call a reader once, at the next interval."""
        self._readers.append(reader)
        if self._next is None:
            self.request()

    def follow(self, follower: Callable[[], None]) -> None:
        """Call the one follower at every interval, after the readers."""
        self._follower = follower

    def request(self) -> None:
        """Request the next interval."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_later(self.every_s - LEAD_S, self._read)

    def stop(self) -> None:
        """Stop until the next request."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _read(self) -> None:
        count = share(len(self._readers))
        readers, self._readers = self._readers[:count], self._readers[count:]
        for reader in readers:
            reader()
        self._next = asyncio.get_running_loop().call_later(LEAD_S, self._notify)

    def _notify(self) -> None:
        self._next = None
        if self._readers:
            self.request()
        if self._follower is not None:
            self._follower()


def share(waiting: int) -> int:
    """Return how many of the waiting readers one interval serves."""
    return max(MIN_BATCH, -(-waiting // TURNS))
