"""The breaker: leaves a failing provider alone for a while (Nygard, "Release It!", 2007)."""

from collections import deque

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
        """A call failed on the provider's side."""
        self._failures.append(now)
        if self._probing or (len(self._failures) == FAILURES and now - self._failures[0] <= WINDOW_S):
            self._opened_at = now
        self._probing = False

    def abandoned(self) -> None:
        """A call was cancelled before it told anything."""
        self._probing = False
