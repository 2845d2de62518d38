"""The thread that writes to SQLite, and the jobs that it is given."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, NamedTuple


class Handed(NamedTuple):
    """What the thread that writes does, and what the event loop does then."""

    loop: asyncio.AbstractEventLoop
    work: Callable[[], object]
    then: Callable[[], object]


class Job:
    """A transaction that waits for its turn, and who waits for what it returns."""

    __slots__ = ("alone", "asked_at", "done", "error", "result", "work")

    def __init__(self, work: Callable[..., Any], done: asyncio.Future[Any], *, alone: bool = True) -> None:
        self.work = work
        self.done = done
        self.alone = alone
        self.asked_at = time.monotonic()
        self.result: Any = None
        self.error: Exception | None = None

    def attempt(self) -> None:
        """Do work that takes no transaction; what it raises is handed to the one who waits."""
        try:
            self.result = self.work()
        except Exception as error:  # noqa: BLE001
            self.error = error

    def settle(self) -> None:
        """Hand the result to the one who waits, if anybody still does."""
        if self.done.done():
            return
        if self.error is not None:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(self.result)


class WriterThread:
    """The one thread that writes.

    It starts when it is made, and ends with what it was handed before.
    An executor makes a future with locks of its own for each piece of work, and wakes the event loop twice.
    """

    def __init__(self) -> None:
        self._handed: SimpleQueue[Handed | None] = SimpleQueue()
        threading.Thread(target=self._work, name="parley-writer", daemon=True).start()

    def hand_over(
        self, loop: asyncio.AbstractEventLoop, work: Callable[[], object], then: Callable[[], object]
    ) -> None:
        """Do `work`, which raises nothing, in the thread, and `then` on the event loop."""
        self._handed.put(Handed(loop, work, then))

    def end(self) -> None:
        """End once everything that was handed over is done."""
        self._handed.put(None)

    def _work(self) -> None:
        while (handed := self._handed.get()) is not None:
            handed.work()
            with contextlib.suppress(RuntimeError):  # the event loop is closed: nobody waits any more
                handed.loop.call_soon_threadsafe(handed.then)
            del handed
