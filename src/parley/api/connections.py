"""Connections: how many a server holds open, for whom, and who has to leave when there is no more room."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Protocol

import msgspec

log = logging.getLogger(__name__)

MAX_ROOM = 32
"""The last connections take no long requests: they are for votes, health checks and reading."""

LEAVING = 16
"""How many connections beyond the limit are told why they are refused; further ones are only closed."""

YOUNG_S = 0.25
"""So long a new connection need not make room for another: its first request may be on the way."""

SAY_EVERY_S = 60.0


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one server takes of its clients. Seconds, bytes."""

    connections: int
    per_address: int
    head_bytes: int
    headers: int
    head_s: float
    body_s: float


class Held(Protocol):
    """A connection, as far as it is counted here."""

    @property
    def address(self) -> str:
        """Who is on the other side."""
        ...

    def give_way(self) -> None:
        """Close: others need the room."""
        ...


class Connections:
    """All connections of one server.

    Those that wait for a request cost nothing to lose: at the limit, one of them is closed for a newcomer, first
    those that were served before, then whoever has waited longest for a first request to come whole. A newcomer is
    refused only where every other connection has a request under way, or has only just come.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._room = min(MAX_ROOM, limits.connections // 4)
        self._open: set[Held] = set()
        self._served: dict[Held, None] = {}
        self._fresh: dict[Held, float] = {}
        self._by_address: Counter[str] = Counter()
        self._said_at: float | None = None

    def arrived(self, newcomer: Held) -> bool:
        """Count a connection in; False where it must be refused."""
        self._open.add(newcomer)
        self._by_address[newcomer.address] += 1
        admitted = self._makes_room(newcomer.address)
        if admitted:
            self._fresh[newcomer] = time.monotonic()
        return admitted

    def left(self, connection: Held) -> None:
        """Count a connection out."""
        self.began(connection)
        if connection in self._open:
            self._open.remove(connection)
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]

    def began(self, connection: Held) -> None:
        """Note that a connection has a request under way."""
        self._fresh.pop(connection, None)
        self._served.pop(connection, None)

    def ended(self, connection: Held) -> None:
        """Note that a connection was served, and waits for another request."""
        if connection in self._open:
            self._served[connection] = None

    @property
    def overflowing(self) -> bool:
        """True where there is no room even for telling who is refused."""
        return len(self._open) > self.limits.connections + LEAVING

    @property
    def crowded(self) -> bool:
        """True where only the room for short requests is left."""
        busy = len(self._open) - len(self._fresh) - len(self._served)
        crowded = busy > self.limits.connections - self._room
        if crowded:
            self._say_full()
        return crowded

    def _makes_room(self, address: str) -> bool:
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
            self._say_full()
            return False
        self.left(gone)
        gone.give_way()
        return True

    def _say_full(self) -> None:
        """Log that clients are turned away, once a minute."""
        now = time.monotonic()
        if self._said_at is None or now - self._said_at >= SAY_EVERY_S:
            self._said_at = now
            log.warning(
                "All %d connections that this server may hold are in use (most of them by open streams), so "
                "some requests get 503. Votes keep their room. To allow more, raise PARLEY_MAX_CONNECTIONS (or "
                "PARLEY_MAX_CONNECTIONS_PER_ADDRESS), and the limit of open files (ulimit -n) with it.",
                self.limits.connections,
            )
