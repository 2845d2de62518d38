"""Runs that this process carries out now: their counts, and the wish to pause."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from parley.features.lab.runs.allowance import Allowance
from parley.kernel.errors import ParleyError

WATCH_S = 1.0
"""Seconds between two looks at whether another process has paused or cancelled a run."""


class LiveRun:
    """The counts of a run while it runs. `recorded` trials were there before."""

    def __init__(self, cells: int, recorded: int, allowance: Allowance) -> None:
        self.cells = cells
        self.recorded: int = recorded
        self.completed: int = recorded
        self.failed = 0
        self.running = 0
        self.allowance = allowance
        self.started_at = time.monotonic()
        self.pausing = asyncio.Event()

    @property
    def asked(self) -> int:
        """The number of trials that have ended since the start."""
        return self.completed - self.recorded + self.failed

    def count(self, *, completed: bool) -> None:
        """Count a trial that has ended."""
        if completed:
            self.completed += 1
        else:
            self.failed += 1

    def rate(self) -> float | None:
        """Return the calls a minute so far; None before the first one has ended."""
        elapsed = time.monotonic() - self.started_at
        return self.asked / elapsed * 60 if self.asked and elapsed > 0 else None

    def seconds_left(self) -> float | None:
        """Return the remaining time at the rate so far."""
        rate = self.rate()
        return None if rate is None else max(0, self.cells - self.completed - self.failed) / rate * 60


class LiveRuns:
    """The runs that this process carries out, by their ids."""

    def __init__(self) -> None:
        self._runs: dict[str, LiveRun] = {}

    @property
    def all(self) -> Mapping[str, LiveRun]:
        """The runs by their ids."""
        return self._runs

    def add(self, run_id: str, live: LiveRun) -> None:
        """Add a run that begins."""
        self._runs[run_id] = live

    def remove(self, run_id: str) -> None:
        """Remove a run that ends."""
        self._runs.pop(run_id, None)

    def pause(self, run_id: str) -> None:
        """Let a run begin no more calls, if it runs here."""
        if (live := self._runs.get(run_id)) is not None:
            live.pausing.set()


@asynccontextmanager
async def watched(live: LiveRun, is_running: Callable[[], Awaitable[bool]]) -> AsyncGenerator[None]:
    """Pause a run once it is no longer this job's, as another process says it in the database."""

    async def watch() -> None:
        while True:
            await asyncio.sleep(WATCH_S)
            try:
                if not await is_running():
                    live.pausing.set()
            except ParleyError:
                continue

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
