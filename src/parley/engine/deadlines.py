"""Deadlines: time limits on one call to a model, with one timer instead of one per token."""

import asyncio
from types import TracebackType
from typing import Literal, Self

from parley.kernel.connector import Chunk, Piece, reasons
from parley.kernel.errors import UpstreamError


class Stalled(UpstreamError):
    """The model's server stopped sending."""

    code = "upstream_stalled"
    retry = True


class Deadline:
    """Cancels the current task when a call takes too long; on exit that becomes `Stalled`.

    `first_s` bounds the wait for the first chunk, and each one while the model reasons, which may be shown in part;
    `idle_s` every later one, `total_s` all of it. Earlier attempts have used up `spent_s` of `first_s`.
    """

    def __init__(self, *, first_s: float, idle_s: float, total_s: float, spent_s: float = 0.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._first_s = first_s
        self._idle_s = idle_s
        now = self._loop.time()
        self._moved = now - spent_s
        self._end = now + total_s
        self._limit_s = first_s
        self._state: Literal["asked", "reasons", "answers"] = "asked"
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

    def move(self, now: float, chunk: Chunk | Piece) -> None:
        """A chunk has arrived."""
        self._moved = now
        if self._state == "answers":
            return
        if reasons(chunk):
            self._state, self._limit_s = "reasons", max(self._first_s, self._idle_s)
            return
        self._state, self._limit_s = "answers", self._idle_s
        # It may end long before the first chunk's limit would.
        if self._handle:
            self._handle.cancel()
        self._arm()

    def _due(self) -> float:
        return min(self._end, self._moved + self._limit_s)

    def _arm(self) -> None:
        self._handle = self._loop.call_at(self._due(), self._fire)

    def _fire(self) -> None:
        now = self._loop.time()
        if now < self._due():
            self._arm()
            return
        if now >= self._end:
            self._expired = "The model took longer than its time limit."
        elif self._state == "reasons":
            self._expired = (
                f"The model stopped while it was reasoning and sent nothing for {self._limit_s:.0f} s."
            )
        elif self._state == "answers":
            self._expired = f"The model stopped mid-answer and sent nothing for {self._idle_s:.0f} s."
        else:
            self._expired = f"The model did not start to answer within {self._first_s:.0f} s."
        if self._task:
            self._task.cancel()
