"""Circuit breakers: stop calling what keeps failing for a while (Nygard, "Release It!", 2007)."""

from collections import deque
from math import ceil

from parley.kernel.errors import BrokenOff, Rejected, Unreachable, Unsent, UpstreamError
from parley.kernel.models import Route

FAILURES = 5
WINDOW_S = 30.0
OPEN_S = 30.0


class Breaker:
    """Opens after five failures in thirty seconds; then lets one call at a time through as a probe."""

    __slots__ = ("_failures", "_opened_at", "_probing", "error")

    def __init__(self) -> None:
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._opened_at: float | None = None
        self._probing = False
        self.error: UpstreamError | None = None
        """The latest failure."""

    @property
    def is_closed(self) -> bool:
        """Whether every call is let through."""
        return self._opened_at is None

    def allows(self, now: float) -> bool:
        """Return whether a call may be made; after the pause of an open breaker it becomes the probe."""
        if self.is_open(now):
            return False
        self._probing = self._opened_at is not None
        return True

    def is_open(self, now: float) -> bool:
        """Return whether a call would be refused; unlike `allows`, this begins no probe."""
        return self._opened_at is not None and (self._probing or now - self._opened_at < OPEN_S)

    def succeeded(self) -> None:
        """Close the breaker: a call was answered."""
        self._failures.clear()
        self._opened_at = None
        self._probing = False

    def reopens_in(self, now: float) -> int:
        """Return in how many seconds an open breaker lets a call through; 0 if it is not waiting."""
        return 0 if self._opened_at is None else max(0, ceil(self._opened_at + OPEN_S - now))

    def failed(self, now: float, error: UpstreamError | None = None) -> None:
        """Count a failure; open the breaker after too many, or after a failed probe."""
        self.error = error
        self._failures.append(now)
        if self._probing or (len(self._failures) == FAILURES and now - self._failures[0] <= WINDOW_S):
            self._opened_at = now
        self._probing = False

    def abandoned(self) -> None:
        """End a probe without a result: the call was cancelled."""
        self._probing = False


class RouteBreaker:
    """The two breakers of a route: its provider's counts failed connections, its model's failed answers."""

    __slots__ = ("_provider", "_route", "_where")

    def __init__(self, provider: Breaker, route: Breaker, where: Route) -> None:
        self._provider = provider
        self._route = route
        self._where = where

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
        if self._provider.is_closed and self._route.is_closed:  # as nearly always; routing looks at many
            return False
        return self._provider.is_open(now) or self._route.is_open(now)

    def reached(self) -> None:
        """Close the provider's breaker: something arrived over a connection."""
        self._provider.succeeded()

    def succeeded(self) -> None:
        """Close both breakers: a call was answered to its end."""
        self._provider.succeeded()
        self._route.succeeded()

    def ended(self, unfinished: UpstreamError | None, now: float) -> None:
        """Count an answer that ended by itself; `unfinished` if its end was missing."""
        if unfinished is None:
            self.succeeded()
        else:
            self.failed(unfinished, now, begun=True)

    def failed(self, error: UpstreamError, now: float, *, begun: bool) -> None:
        """Count a failure where it belongs; a rejected request is not the provider's fault."""
        if isinstance(error, Rejected):
            self.succeeded()
        elif isinstance(error, Unsent):
            self.abandoned()
        elif isinstance(error, Unreachable) and not isinstance(error, BrokenOff) and not begun:
            self._provider.failed(now, error)
            self._route.abandoned()
        else:
            self._provider.succeeded()
            self._route.failed(now, error)

    def reopens_in(self, now: float) -> int:
        """Return in how many seconds the next call is let through; 0 if one may be made now."""
        return max(self._provider.reopens_in(now), self._route.reopens_in(now))

    def abandoned(self) -> None:
        """End a probe without a result: the call was cancelled, or never sent."""
        self._provider.abandoned()
        self._route.abandoned()


class Breakers:
    """One breaker for each provider, and one for each model at each of them."""

    def __init__(self) -> None:
        self._providers: dict[str, Breaker] = {}
        self._routes: dict[Route, RouteBreaker] = {}

    def of(self, route: Route) -> RouteBreaker:
        """Return the breakers of a route."""
        known = self._routes.get(route)
        if known is None:
            provider = self._providers.setdefault(route.provider, Breaker())
            known = self._routes.setdefault(route, RouteBreaker(provider, Breaker(), route))
        return known

    def forget(self, provider_id: str) -> None:
        """Forget the failures of a provider and of its models."""
        self._providers.pop(provider_id, None)
        # A copy first: other threads may add routes meanwhile.
        known = self._routes.copy()
        self._routes = {route: kept for route, kept in known.items() if route.provider != provider_id}


def _paused(breaker: Breaker, what: str, now: float) -> UpstreamError:
    again = f"Paused for {seconds} s." if (seconds := breaker.reopens_in(now)) else "Being tried again."
    cause = f"Last error: {breaker.error.title} " if breaker.error else ""
    return UpstreamError(
        f"{what} {again}",
        f"{cause}Ask again then, or choose another model. Models shows the state of each provider.",
        code="upstream_resting",
    )
