"""The ticker: one timer of the process, on which received text is read and due text is shown.

A model's words arrive one at a time; a person sees them thirty times a second. Reading each word as it arrives would
wake readers for nothing most of the time, so readers and the hub share one tick. With very many streams at once they
take turns, each at every third tick at the latest: each costs less, and no tick blocks the event loop for long.
"""

import asyncio
from collections.abc import Callable

TICK_S = 0.033
UNHURRIED = 50
"""How many readers one tick serves, unless that is less than a third of them."""

TURNS = 3
LEAD_S = 0.005
"""How long before the follower the readers are called: what they read must come from the system first."""


class Ticker:
    """Ticks on demand, at most every `every_s`; costs nothing otherwise."""

    def __init__(self, every_s: float = TICK_S) -> None:
        self.every_s = every_s
        self._readers: list[Callable[[], None]] = []
        self._follower: Callable[[], None] | None = None
        self._next: asyncio.TimerHandle | None = None

    def at_next(self, reader: Callable[[], None]) -> None:
        """Call a reader once, at the next tick."""
        self._readers.append(reader)
        if self._next is None:
            self.request()

    def follow(self, follower: Callable[[], None]) -> None:
        """Call the one follower at every tick, after the readers."""
        self._follower = follower

    def request(self) -> None:
        """Request a next tick."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_later(self.every_s - LEAD_S, self._read)

    def stop(self) -> None:
        """Stop until the next request."""
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _read(self) -> None:
        now = share(len(self._readers))
        readers, self._readers = self._readers[:now], self._readers[now:]
        for reader in readers:
            reader()
        self._next = asyncio.get_running_loop().call_later(LEAD_S, self._show)

    def _show(self) -> None:
        self._next = None
        if self._readers:
            self.request()
        if self._follower is not None:
            self._follower()


def share(waiting: int) -> int:
    """Return how many of the waiting readers one tick serves."""
    return max(UNHURRIED, -(-waiting // TURNS))
