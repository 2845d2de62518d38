"""Limits open connections, in all and per address, and closes idle ones for new ones."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Protocol

import msgspec

log = logging.getLogger(__name__)

MAX_RESERVED = 32
"""Connections reserved for short requests: votes, health checks, reading."""

EXCESS = 16
"""The connections beyond the limit that get a response; further ones are only closed."""

YOUNG_S = 0.25
"""Seconds that a new connection is not closed for another: its first request may be on the way."""

WARN_EVERY_S = 60.0


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits of a server, in bytes and seconds."""

    connections: int
    per_address: int
    head_bytes: int
    headers: int
    head_s: float
    body_s: float


class Held(Protocol):
    """A connection that is counted."""

    @property
    def address(self) -> str:
        """The client's address."""
        ...

    def give_way(self) -> None:
        """Close an idle connection to free its slot."""
        ...


class Connections:
    """The open connections of a server.

    At the limit, a new connection takes the place of an idle one: first of those that were served before, then of the
    one that has waited longest for its first request. It is refused only if all others are busy or brand-new.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._reserved = min(MAX_RESERVED, limits.connections // 4)
        self._open: set[Held] = set()
        self._served: dict[Held, None] = {}
        self._fresh: dict[Held, float] = {}
        self._by_address: Counter[str] = Counter()
        self._warned_at: float | None = None

    def arrived(self, connection: Held) -> bool:
        """Add a connection; return False if it must be refused."""
        self._open.add(connection)
        self._by_address[connection.address] += 1
        admitted = self._has_slot(connection.address)
        if admitted:
            self._fresh[connection] = time.monotonic()
        return admitted

    def left(self, connection: Held) -> None:
        """Remove a connection."""
        self.began(connection)
        if connection in self._open:
            self._open.remove(connection)
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]

    def began(self, connection: Held) -> None:
        """Mark a connection as busy with a request."""
        self._fresh.pop(connection, None)
        self._served.pop(connection, None)

    def ended(self, connection: Held) -> None:
        """Mark a connection as idle after a response."""
        if connection in self._open:
            self._served[connection] = None

    @property
    def overflowing(self) -> bool:
        """True if even refused connections are too many to answer."""
        return len(self._open) > self.limits.connections + EXCESS

    @property
    def crowded(self) -> bool:
        """True if only the connections reserved for short requests are left."""
        busy = len(self._open) - len(self._fresh) - len(self._served)
        crowded = busy > self.limits.connections - self._reserved
        if crowded:
            self._warn_full()
        return crowded

    def _has_slot(self, address: str) -> bool:
        while self._by_address[address] > self.limits.per_address:
            if not self._close(lambda each: each.address == address):
                return False
        while len(self._open) > self.limits.connections:
            if not self._close(lambda _: True):
                return False
        return True

    def _close(self, may_go: Callable[[Held], bool]) -> bool:
        until = time.monotonic() - YOUNG_S
        waiting = chain(self._served, (each for each, since in self._fresh.items() if since <= until))
        gone = next(filter(may_go, waiting), None)
        if gone is None:
            self._warn_full()
            return False
        self.left(gone)
        gone.give_way()
        return True

    def _warn_full(self) -> None:
        """Log at most once a minute that clients are refused."""
        now = time.monotonic()
        if self._warned_at is None or now - self._warned_at >= WARN_EVERY_S:
            self._warned_at = now
            log.warning(
                "All %d connections of this server are in use, most by open streams, so some requests get "
                "503. Connections for votes are reserved. To allow more, raise PARLEY_MAX_CONNECTIONS (or "
                "PARLEY_MAX_CONNECTIONS_PER_ADDRESS) and the limit of open files (ulimit -n).",
                self.limits.connections,
            )
