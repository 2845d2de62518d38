"""A loop: work that runs periodically, and soon after someone asks for it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from parley.kernel.errors import ParleyError

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""Seconds to wait after a failed run."""

PAUSE_FACTOR = 9.0
"""A loop pauses for this many times the time of a run, so that frequent requests take a tenth of the process."""

MAX_PAUSE_S = 1.2
"""The longest pause after a long run."""


class Loop:
    """Does one piece of work at a time, in a task of its own, from `start` until `close`.

    `work` gets whether its period is due, and returns in how many seconds to run again at the latest, or None.
    Requests during a run, or within `soon_s`, become one run. Failed work is retried.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[bool], Awaitable[float | None]],
        *,
        every_s: float,
        soon_s: float,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        """Runs are left out where this process does not lead: one of several does the work."""
        self._leads = leads
        self._name = name
        self._work = work
        self._every_s = every_s
        self._soon_s = soon_s
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with a run at once; needs a running event loop."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    def wake(self) -> None:
        """Request a run soon."""
        self._woken.set()

    async def close(self) -> None:
        """Stop, and cancel a run in progress."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        period = go_on = clock()
        while True:
            await self._wait(min(period, go_on) - clock())
            began = clock()
            due = began >= period
            if due:
                period = began + self._every_s
            self._woken.clear()
            after_s = await self._run_once(due)
            go_on = clock() + after_s if after_s is not None else period
            await asyncio.sleep(min(PAUSE_FACTOR * (clock() - began), MAX_PAUSE_S))

    async def _wait(self, seconds: float) -> None:
        """Wait for the given time, or until shortly after a request."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(seconds, 0.0)):
                await self._woken.wait()
                await asyncio.sleep(self._soon_s)

    async def _run_once(self, due: bool) -> float | None:
        try:
            return await self._work(due) if self._leads() else None
        except ParleyError as error:
            log.warning("%s: %s Parley will retry.", self._name, error)
        except Exception:
            log.exception("%s failed; Parley will retry", self._name)
        return RETRY_S
