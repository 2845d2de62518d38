"""The record of calls with observers: whoever counts requests hears of each one, of every path to a model."""

from collections.abc import Callable

from parley.kernel.calls import CallEnded
from parley.kernel.ports import Calls


class ObservedCalls(Calls):
    """Records each request, and passes it to its observers."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._observers: list[Callable[[CallEnded], None]] = []

    def observe(self, observer: Callable[[CallEnded], None]) -> None:
        """Call a function with each request from now on; it must be quick."""
        self._observers.append(observer)

    def record(self, ended: CallEnded) -> None:
        """Record a request."""
        self._calls.record(ended)
        for observer in self._observers:
            observer(ended)
