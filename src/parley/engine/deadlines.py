"""Deadlines: time limits on one call to a model, with one timer instead of one per token."""

import asyncio
from types import TracebackType
from typing import Self

from parley.kernel.errors import UpstreamError


class Stalled(UpstreamError):
    """The model's server stopped sending."""

    code = "upstream_stalled"
    retry = True


class Deadline:
    """Cancels the current task when a call takes too long; on exit that becomes `Stalled`.

    `first_s` bounds the wait for the first chunk, `idle_s` every later one, `total_s` all of it.
    Earlier attempts have used up `spent_s` of `first_s`. Set `moved` to the loop's time whenever a chunk arrives.
    """

    def __init__(self, *, first_s: float, idle_s: float, total_s: float, spent_s: float = 0.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._first_s = first_s
        self._idle_s = idle_s
        now = self._loop.time()
        self.moved = now - spent_s
        self._end = now + total_s
        self.begun = False
        self._expired: str | None = None
        self._handle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0

    def __enter__(self) -> Self:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a deadline needs a task")
        self._task = task
        self._cancelling = task.cancelling()
        self._arm()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle:
            self._handle.cancel()
        if self._expired and self._task:
            others = self._task.uncancel() > self._cancelling
            if not others and isinstance(error, asyncio.CancelledError):
                raise Stalled(self._expired, "Ask again, or choose another model.") from None

    def begin(self) -> bool:
        """Let `idle_s` bound the wait from now on; it may end long before `first_s` would. Return True."""
        self.begun = True
        if self._handle:
            self._handle.cancel()
        self._arm()
        return True

    def _due(self) -> float:
        return min(self._end, self.moved + (self._idle_s if self.begun else self._first_s))

    def _arm(self) -> None:
        self._handle = self._loop.call_at(self._due(), self._fire)

    def _fire(self) -> None:
        now = self._loop.time()
        if now < self._due():
            self._arm()
            return
        if now >= self._end:
            self._expired = "The model took longer than its time limit."
        elif self.begun:
            self._expired = f"The model stopped mid-answer and sent nothing for {self._idle_s:.0f} s."
        else:
            self._expired = f"The model did not start to answer within {self._first_s:.0f} s."
        if self._task:
            self._task.cancel()
