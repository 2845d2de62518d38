"""The breaker: leaves what keeps failing alone for a while (Nygard, "Release It!", 2007)."""

from collections import deque

from parley.kernel.errors import BrokenOff, Rejected, Unreachable, Unsent, UpstreamError
from parley.kernel.models import Route

FAILURES = 5
WINDOW_S = 30.0
OPEN_S = 30.0


class Breaker:
    """Opens after five failures in thirty seconds; then lets one probe through at a time."""

    __slots__ = ("_failures", "_opened_at", "_probing")

    def __init__(self) -> None:
        self._failures: deque[float] = deque(maxlen=FAILURES)
        self._opened_at: float | None = None
        self._probing = False

    def allows(self, now: float) -> bool:
        """Return True if a call may be made; while open, one probe after each pause."""
        if self._opened_at is None:
            return True
        if self._probing or now - self._opened_at < OPEN_S:
            return False
        self._probing = True
        return True

    def is_resting(self, now: float) -> bool:
        """Return True while no call would be let through; unlike `allows` it changes nothing."""
        return self._opened_at is not None and (self._probing or now - self._opened_at < OPEN_S)

    def succeeded(self) -> None:
        """A call was answered."""
        self._failures.clear()
        self._opened_at = None
        self._probing = False

    def failed(self, now: float) -> None:
        """A call failed on the other side."""
        self._failures.append(now)
        if self._probing or (len(self._failures) == FAILURES and now - self._failures[0] <= WINDOW_S):
            self._opened_at = now
        self._probing = False

    def abandoned(self) -> None:
        """A call was cancelled before it told anything."""
        self._probing = False


class Line:
    """The breakers that a call to one model at one provider has to pass, and that learn how it went.

    Where no connection is made, that concerns all models of the provider; what comes over a connection concerns
    the one model.
    """

    __slots__ = ("_provider", "_route")

    def __init__(self, provider: Breaker, route: Breaker) -> None:
        self._provider = provider
        self._route = route

    def refusal(self, now: float) -> UpstreamError | None:
        """Return why no call may be made now, or None: then one has to follow, for it may be the probe."""
        if self._provider.is_resting(now):
            return _resting("The provider could not be reached several times")
        if self._route.is_resting(now):
            return _resting("This model has failed several times")
        self._provider.allows(now)
        self._route.allows(now)
        return None

    def is_resting(self, now: float) -> bool:
        """Return True while no call would be let through."""
        return self._provider.is_resting(now) or self._route.is_resting(now)

    def reached(self) -> None:
        """Something has come over the connection; the end of the answer may take a while yet."""
        self._provider.succeeded()

    def succeeded(self) -> None:
        """A call was answered to its end."""
        self._provider.succeeded()
        self._route.succeeded()

    def failed(self, error: UpstreamError, now: float, *, begun: bool) -> None:
        """A call failed, after its answer had `begun` or before. A refusal is the request's own fault."""
        if isinstance(error, Rejected):
            self.succeeded()
        elif isinstance(error, Unsent):
            self.abandoned()
        elif _without_connection(error) and not begun:
            self._provider.failed(now)
            self._route.abandoned()
        else:
            self._provider.succeeded()
            self._route.failed(now)

    def abandoned(self) -> None:
        """A call ended before it told anything: it was cancelled, or never sent."""
        self._provider.abandoned()
        self._route.abandoned()


class Breakers:
    """One breaker for each provider, and one for each model at each of them."""

    def __init__(self) -> None:
        self._providers: dict[str, Breaker] = {}
        self._routes: dict[Route, Breaker] = {}

    def line(self, route: Route) -> Line:
        """Return the breakers on the way to a model."""
        provider = self._providers.setdefault(route.provider, Breaker())
        return Line(provider, self._routes.setdefault(route, Breaker()))


def _resting(why: str) -> UpstreamError:
    return UpstreamError(
        f"{why} and is left alone for half a minute.",
        "Ask again in a moment, or choose another model.",
        code="upstream_resting",
    )


def _without_connection(error: UpstreamError) -> bool:
    return isinstance(error, Unreachable) and not isinstance(error, BrokenOff)
