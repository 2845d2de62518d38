"""The pulse: one timer of the process, on which text that has come is read and text that is due is shown.

A model's words come one at a time; a person sees them thirty times a second. Whoever read each word as
it came would be woken for nothing most of the time, so readers and the hub share one beat. Where very
many streams run at once they take turns, each at every third beat at the latest: so each costs less, and
no beat keeps the event loop from others for long.
"""

import asyncio
from collections.abc import Callable

PULSE_S = 0.033
UNHURRIED = 50
"""How many one beat serves, where that is not less than a third of all."""

TURNS = 3
LEAD_S = 0.005
"""How long before the follower the readers are called: what they read must come from the system first."""


class Pulse:
    """Beats while somebody needs it, at most every `every_s`; costs nothing otherwise."""

    def __init__(self, every_s: float = PULSE_S) -> None:
        self.every_s = every_s
        self._readers: list[Callable[[], None]] = []
        self._follower: Callable[[], None] | None = None
        self._next: asyncio.TimerHandle | None = None

    def at_next(self, reader: Callable[[], None]) -> None:
        """Call a reader once, at the next beat."""
        self._readers.append(reader)
        if self._next is None:
            self.need()

    def follow(self, follower: Callable[[], None]) -> None:
        """Call the one follower at every beat, after the readers have taken in what they were called for."""
        self._follower = follower

    def need(self) -> None:
        """See to it that there is a next beat."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_later(self.every_s - LEAD_S, self._read)

    def stop(self) -> None:
        """Beat no more until somebody needs it again."""
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
            self.need()
        if self._follower is not None:
            self._follower()


def share(waiting: int) -> int:
    """Return how many of those who wait are served in one beat."""
    return max(UNHURRIED, -(-waiting // TURNS))
