"""Circuit breakers: stop calling what keeps failing for a while (Nygard, "Release It!", 2007)."""

import asyncio
from collections import deque
from math import ceil
from typing import Literal

from parley.engine.health import UNUSABLE
from parley.kernel.calls import Call
from parley.kernel.errors import BrokenOff, Rejected, Unreachable, Unsent, UpstreamError
from parley.kernel.models import Route

FAILURES = 5
WINDOW_S = 30.0
OPEN_S = 30.0
UNUSABLE_S = 600.0
"""Seconds for which no match draws a model whose key is refused, or that its server does not have."""


class Breaker:
    """Opens after five failures in thirty seconds; then lets one call at a time through as a probe.

    A model's breaker has its server's as `server`. The pause ends early if another model there answers again.
    """

    __slots__ = (
        *("_failures", "_opened_at", "_opened_in", "_probing", "_server", "_waiting"),
        *("error", "recoveries", "unusable_until"),
    )

    def __init__(self, server: "Breaker | None" = None) -> None:
        self._server = server or self
        self.recoveries = 0
        """The number of times that a model of this server has answered after failures."""
        self._opened_in = 0
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._opened_at: float | None = None
        self._probing = False
        self._waiting: list[asyncio.Future[None]] = []
        self.unusable_until = 0.0
        """No model is drawn from here until then: the server said that it refuses every call alike."""
        self.error: UpstreamError | None = None
        """The latest failure."""

    @property
    def is_closed(self) -> bool:
        """True if every call is let through."""
        return self._opened_at is None

    def allows(self, now: float) -> bool:
        """Return whether a call may be made; after the pause of an open breaker it becomes the probe."""
        if self.is_open(now):
            return False
        self._probing = self._opened_at is not None
        return True

    def is_open(self, now: float) -> bool:
        """Return whether a call would be refused; unlike `allows`, this begins no probe."""
        return self._opened_at is not None and (self._probing or self._is_pausing(self._opened_at, now))

    def _is_pausing(self, opened_at: float, now: float) -> bool:
        return now - opened_at < OPEN_S and self._server.recoveries == self._opened_in

    async def probed(self) -> None:
        """Wait for the outcome of a probe, if there is one."""
        while self._probing:
            ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(ended)
            await ended

    def succeeded(self) -> None:
        """Close the breaker: a call was answered."""
        self._failures.clear()
        self._opened_at = None
        self.unusable_until = 0.0
        self._end_probe()

    def recovered(self) -> None:
        """Close a model's breaker; if it had failures, its server's other models may be tried again."""
        if self._failures:
            self._server.recoveries += 1
        self.succeeded()

    def _end_probe(self) -> None:
        self._probing = False
        waiting, self._waiting = self._waiting, []
        for ended in waiting:
            if not ended.done():
                ended.set_result(None)

    def reopens_in(self, now: float) -> int:
        """Return in how many seconds an open breaker lets a call through; 0 if it is not waiting."""
        if self._opened_at is None or not self._is_pausing(self._opened_at, now):
            return 0
        return max(0, ceil(self._opened_at + OPEN_S - now))

    def failed(self, now: float, error: UpstreamError | None = None) -> None:
        """Count a failure; open the breaker after too many, or after a failed probe."""
        self.error = error
        self._failures.append(now)
        if self._probing or (len(self._failures) == FAILURES and now - self._failures[0] <= WINDOW_S):
            self._opened_at = now
            self._opened_in = self._server.recoveries
        self._end_probe()

    def abandoned(self) -> None:
        """End a probe without a result: the call was cancelled."""
        self._end_probe()


class RouteBreaker:
    """The two breakers of a route: its provider's counts failed connections, its model's failed answers."""

    __slots__ = ("_provider", "_route", "_where")

    def __init__(self, provider: Breaker, route: Breaker, where: Route) -> None:
        self._provider = provider
        self._route = route
        self._where = where

    async def probed(self) -> Literal[True]:
        """Wait for the outcome of another call's probe: it tells whether a call may be made. Always true."""
        await self._provider.probed()
        await self._route.probed()
        return True

    def refusal(self, now: float) -> UpstreamError | None:
        """Return why no call may be made now; None if one may. It must then be made, since it may be the probe."""
        if self._provider.is_open(now):
            return _paused(self._provider, f"Can't reach {self._where.provider}.", now)
        if self._route.is_open(now):
            where = f"{self._where.model} at {self._where.provider}"
            return _paused(self._route, f"{where} keeps failing.", now)
        self._provider.allows(now)
        self._route.allows(now)
        return None

    def is_open(self, now: float) -> bool:
        """Return whether a call would be refused."""
        if now < max(self._provider.unusable_until, self._route.unusable_until):
            return True
        if self._provider.is_closed and self._route.is_closed:  # as nearly always; routing looks at many
            return False
        return self._provider.is_open(now) or self._route.is_open(now)

    def reached(self) -> None:
        """Close the provider's breaker: something arrived over a connection."""
        self._provider.succeeded()

    def succeeded(self) -> None:
        """Close both breakers: a call was answered to its end."""
        self._provider.succeeded()
        self._route.recovered()

    def ended(self, unfinished: UpstreamError | None, now: float) -> None:
        """Count an answer that ended by itself; `unfinished` if its end was missing."""
        if unfinished is None:
            self.succeeded()
        else:
            self.failed(unfinished, now, begun=True)

    def failed(self, error: UpstreamError, now: float, *, begun: bool) -> None:
        """Count a failure where it belongs; a rejected request is not the provider's fault."""
        if isinstance(error, Rejected) or error.leaf_code == "upstream_loading":
            self._provider.succeeded()
            self._route.succeeded()
        elif isinstance(error, Unsent):
            self.abandoned()
        elif isinstance(error, Unreachable) and not isinstance(error, BrokenOff) and not begun:
            self._provider.failed(now, error)
            self._route.abandoned()
        else:
            self._provider.succeeded()
            self._route.failed(now, error)

    def exclude(self, error: UpstreamError, now: float) -> None:
        """Exclude a model that its server refuses from new matches for a while; with the key, all models there.

        They come back as soon as one of them answers; the one that was refused stays out.
        """
        if error.leaf_code in UNUSABLE:
            self._route.unusable_until = now + UNUSABLE_S
        if error.leaf_code == "upstream_key_rejected":
            self._provider.unusable_until = now + UNUSABLE_S

    def reopens_in(self, now: float) -> int:
        """Return in how many seconds the next call is let through; 0 if one may be made now."""
        return max(self._provider.reopens_in(now), self._route.reopens_in(now))

    def abandoned(self) -> None:
        """End a probe without a result: the call was cancelled, or never sent."""
        self._provider.abandoned()
        self._route.abandoned()


class Breakers:
    """One breaker for each provider, and one for each model at each of them.

    Calls with somebody's own key have breakers of their own: what that key's account refuses concerns nobody else.
    """

    def __init__(self) -> None:
        self._providers: dict[tuple[str, str], Breaker] = {}
        self._routes: dict[tuple[Route, str], RouteBreaker] = {}
        self._hidden: dict[str, list[tuple[Route, str, UpstreamError]]] = {}

    def exclude(self, route: Route, error: UpstreamError, now: float, call: Call) -> None:
        """Exclude a route from new matches if its error says so.

        For a blind call only once its turn is settled: another match would reveal meanwhile who sits there.
        """
        if not call.blind:
            self.of(route, call.payer_id).exclude(error, now)
        elif error.leaf_code in UNUSABLE:
            self._hidden.setdefault(call.turn_id or "", []).append((route, call.payer_id, error))

    def settle(self, turn_id: str, now: float, *, void: bool) -> None:
        """Exclude what a blind turn has found if its match is void; else its viewer may still judge it."""
        for route, payer_id, error in self._hidden.pop(turn_id, ()):
            if void:
                self.of(route, payer_id).exclude(error, now)

    def of(self, route: Route, payer_id: str = "") -> RouteBreaker:
        """Return the breakers of a route, for the installation's key or somebody's own."""
        known = self._routes.get((route, payer_id))
        if known is None:
            provider = self._providers.setdefault((route.provider, payer_id), Breaker())
            breaker = RouteBreaker(provider, Breaker(provider), route)
            known = self._routes.setdefault((route, payer_id), breaker)
        return known

    def forget(self, provider_id: str) -> None:
        """Forget the failures of a provider and of its models, with every key."""
        for key in [each for each in self._providers.copy() if each[0] == provider_id]:
            self._providers.pop(key, None)
        # A copy first: other threads may add routes meanwhile.
        known = self._routes.copy()
        self._routes = {
            key: route_breakers for key, route_breakers in known.items() if key[0].provider != provider_id
        }


def _paused(breaker: Breaker, what: str, now: float) -> UpstreamError:
    again = f"Paused for {seconds} s." if (seconds := breaker.reopens_in(now)) else "Being tried again."
    cause = f"Last error: {breaker.error.title} " if breaker.error else ""
    return UpstreamError(
        f"{what} {again}",
        f"{cause}Ask again then, or choose another model. Models shows the state of each provider.",
        code="upstream_resting",
    )
