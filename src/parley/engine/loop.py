"""A loop: work that is done every so often, and soon after somebody asks for it."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from parley.kernel.errors import ParleyError

log = logging.getLogger(__name__)

RETRY_S = 5.0
"""How long to wait after work that failed."""

REST = 9.0
"""A loop rests for so many times a run's time: short runs take a tenth of the process, however much is asked for."""

MOST_REST_S = 1.2
"""What is asked for never waits longer than this for a loop that has worked long."""


class Loop:
    """Does one piece of work at a time, in a task of its own, from `start` until `close`.

    `work` is told whether its period has come; it returns in how many seconds it wants to go on at the latest, or
    None. What is asked for while it works, or within `soon_s`, becomes one run, and between runs it rests. Work that
    fails is tried again.
    """

    def __init__(
        self, name: str, work: Callable[[bool], Awaitable[float | None]], *, every_s: float, soon_s: float
    ) -> None:
        self._name = name
        self._work = work
        self._every_s = every_s
        self._soon_s = soon_s
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with a run at once; needs a running loop."""
        self._task = asyncio.create_task(self._run(), name=self._name)

    def wake(self) -> None:
        """Ask for a run soon."""
        self._woken.set()

    async def close(self) -> None:
        """Stop; what is being worked on is cancelled."""
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
            after_s = await self._once(due)
            go_on = clock() + after_s if after_s is not None else period
            await asyncio.sleep(min(REST * (clock() - began), MOST_REST_S))

    async def _wait(self, seconds: float) -> None:
        """Wait until the time has come, or for a little while after somebody asks."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(seconds, 0.0)):
                await self._woken.wait()
                await asyncio.sleep(self._soon_s)

    async def _once(self, due: bool) -> float | None:
        try:
            return await self._work(due)
        except ParleyError as error:
            log.warning("%s: %s It will be tried again.", self._name, error)
        except Exception:
            log.exception("%s: the work failed; it will be tried again", self._name)
        return RETRY_S
