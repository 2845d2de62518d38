"""An event loop on a virtual clock: when everybody waits, time jumps to the next timer."""

import asyncio
import functools
import heapq
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE_S = 30.0
"""How long something outside the loop may take in real time before the test counts as stuck."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Nothing here waits for real: pacing and deadlines of minutes are tested in milliseconds.

    The clock stands while a thread of the loop is at work, however slow the machine: computing takes no
    virtual time, so it meets no deadline. Sockets need real time.
    """

    def __init__(self) -> None:
        super().__init__(_NeverWaiting(self))
        self.now = 0.0
        self.threads_at_work = 0

    def time(self) -> float:
        return self.now

    def run_in_executor(self, executor: Any, func: Callable[..., T], *args: Any) -> asyncio.Future[T]:
        self.threads_at_work += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._one_less)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        # A limit, as asyncio.Runner gives it from Python 3.12 on, would pass at once on a virtual clock.
        await super().shutdown_default_executor()

    def _one_less(self, _: object) -> None:
        self.threads_at_work -= 1


class _NeverWaiting(selectors.DefaultSelector):
    """Turns every wait for a timer into a jump of the clock."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or (self._loop.threads_at_work and timeout > 0):
            return super().select(PATIENCE_S) or _stuck()
        ready = super().select(0)
        if not ready and timeout > 0:
            timers: list[asyncio.TimerHandle] = self._loop._scheduled  # pyright: ignore[reportAttributeAccessIssue]
            self._loop.now = max(self._loop.now, heapq.nsmallest(1, timers)[0].when())
        return ready


def _stuck() -> list[Any]:
    raise AssertionError("everybody waits, and nothing is going to happen")


def on_virtual_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test on a virtual clock."""

    @functools.wraps(test)
    def whole(*args: Any, **fixtures: Any) -> None:
        run(test(*args, **fixtures))

    return whole


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a virtual clock; tasks that it leaves behind are an error."""

    async def whole() -> T:
        result = await main
        for _ in range(5):
            await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, f"left behind: {left}"
        return result

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(whole())
