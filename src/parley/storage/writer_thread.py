"""The thread that writes to SQLite, and its jobs."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple


class Handed(NamedTuple):
    """Work for the writer thread, and what the event loop does afterwards."""

    loop: asyncio.AbstractEventLoop
    work: Callable[[], object]
    then: Callable[[], object]


class Job:
    """A transaction that waits for its turn, and the future for its result."""

    __slots__ = ("alone", "asked_at", "done", "error", "result", "work")

    def __init__(
        self,
        work: Callable[..., Any],
        done: asyncio.Future[Any],
        *,
        alone: bool = True,
    ) -> None:
        self.work = work
        self.done = done
        self.alone = alone
        self.asked_at = time.monotonic()
        self.result: Any = None
        self.error: Exception | None = None

    def attempt(self) -> None:
        """Run work without a transaction; what it raises goes to the future."""
        try:
            self.result = self.work()
        except Exception as error:  # noqa: BLE001
            self.error = error

    def settle(self) -> None:
        """Set the result of the future, unless it was cancelled."""
        if self.done.done():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


class WriterThread:
    """The writer thread. It starts at once, and `close` lets it finish its jobs.

    An executor would create a future with locks for each job, and wake the event loop twice.
    """

    def __init__(self) -> None:
        self._handed: SimpleQueue[Handed | None] = SimpleQueue()
        threading.Thread(target=self._work, name="parley-writer", daemon=True).start()

    def hand_over(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[], object], then: Callable[[], object]
    ) -> None:
        """Run `work`, which must not raise, in the thread, then `then` on the event loop."""
        self._handed.put(Handed(loop, work, then))

    def end(self) -> None:
        """End once all jobs are done."""
        self._handed.put(None)

    def _work(self) -> None:
        while (handed := self._handed.get()) is not None:
            handed.work()
            with contextlib.suppress(RuntimeError):  # the event loop is closed: nobody waits any more
                handed.loop.call_soon_threadsafe(handed.then)
            del handed
