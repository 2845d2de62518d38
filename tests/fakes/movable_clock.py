"""A clock that a test puts forward: with sockets, which need real time, and limits that nobody waits for."""

import asyncio


class MovableClock:
    """The running loop's clock from now on; make it before anything that asks the loop for its clock."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._real = loop.time
        self._ahead_s = 0.0
        loop.time = self

    def __call__(self) -> float:
        return self._real() + self._ahead_s

    def let_pass(self, seconds: float) -> None:
        """Put it forward: whatever waits for so many seconds is due."""
        self._ahead_s += seconds
